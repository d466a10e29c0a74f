import ColorScience
import Raster

/// A ``CalibratedTransform``'s root polynomial for pixels, eight at a time: what it adds to the linear part.
struct RootPolynomialCorrection: Equatable, Sendable {
  /// From the input's RGB to channels divided by the white: the rows of the matrix.
  private let toRed, toGreen, toBlue: SIMD3<Float>
  /// Linear sRGB for each term, the linear part taken away.
  private let coefficients: [SIMD3<Float>]
  private let hasCubes: Bool
  private let leastRatio, scale: Float

  /// The correction of a transform; nil where it has no root polynomial.
  ///
  /// - Parameters:
  ///   - toRGB: from the input's linear RGB to that of the transform.
  ///   - linear: from the input's linear RGB to linear sRGB under D65.
  init?(_ transform: CalibratedTransform, toRGB: Matrix3, linear: Matrix3) {
    guard let polynomial = transform.rootPolynomial, polynomial.degree != .linear, transform.white.min() > 0 else {
      return nil
    }
    let balanced = Matrix3(diagonal: 1 / transform.white) * toRGB
    guard let fromBalanced = balanced.inverse else { return nil }
    var terms = polynomial.coefficients.map { RGBSpace.sRGB.fromXYZ * $0 }
    let (first, second, third) = (linear * fromBalanced).columns
    for (index, column) in [first, second, third].enumerated() { terms[index] -= column }
    let rows = balanced.rows
    (toRed, toGreen, toBlue) = (SIMD3<Float>(rows.0), SIMD3<Float>(rows.1), SIMD3<Float>(rows.2))
    coefficients = terms.map { SIMD3<Float>($0) }
    hasCubes = polynomial.degree == .third
    let most = max(transform.smallestRatio, 1e-6)
    leastRatio = Float(most / 4)
    scale = Float(1 / (most - most / 4))
  }

  /// What the roots add, in linear sRGB under D65.
  func callAsFunction(_ rgb: ColorVector) -> ColorVector {
    coefficients.withUnsafeBufferPointer { added(to: rgb, $0) }
  }

  /// Runs `body` with the correction as a function: of many pixels that is faster than one after the other.
  @inline(__always)
  func withFunction(_ body: ((ColorVector) -> ColorVector) -> Void) {
    coefficients.withUnsafeBufferPointer { coefficients in body { added(to: $0, coefficients) } }
  }

  @inline(__always)
  private func added(to rgb: ColorVector, _ coefficients: UnsafeBufferPointer<SIMD3<Float>>) -> ColorVector {
    @inline(__always) func balanced(_ row: SIMD3<Float>) -> Vector8 { rgb.x * row.x + rgb.y * row.y + rgb.z * row.z }
    let channels = ColorVector(balanced(toRed), balanced(toGreen), balanced(toBlue))
    let tiny = Vector8(repeating: 1e-18)
    let ratio = channels.min / channels.max.greater(tiny)
    let share = ((ratio - leastRatio) * scale).unit
    // Where nothing is added the roots must still be numbers.
    let safe = ColorVector(channels.x.greater(tiny), channels.y.greater(tiny), channels.z.greater(tiny))
    var sum = ColorVector.zero
    @inline(__always) func add(_ term: Int, _ value: Vector8) {
      let weight = coefficients[term]
      sum = sum + ColorVector(value * weight.x, value * weight.y, value * weight.z)
    }
    add(0, channels.x)
    add(1, channels.y)
    add(2, channels.z)
    let root = safe.squareRoot
    add(3, root.x * root.y)
    add(4, root.y * root.z)
    add(5, root.x * root.z)
    if hasCubes {
      let cube = ColorVector(safe.x.cubeRoot, safe.y.cubeRoot, safe.z.cubeRoot)
      let square = cube * cube
      add(6, cube.x * square.y)
      add(7, cube.y * square.z)
      add(8, cube.x * square.z)
      add(9, cube.y * square.x)
      add(10, cube.z * square.y)
      add(11, cube.z * square.x)
      add(12, cube.x * cube.y * cube.z)
    }
    return sum * share
  }
}
