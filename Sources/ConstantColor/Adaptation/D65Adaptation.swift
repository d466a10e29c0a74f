import ColorScience
import Raster

/// From the linear RGB numbers of the input to the scene under D65: a 3×3 matrix to linear sRGB primaries, unbounded,
/// and what a calibration's root polynomial adds to it.
///
/// Negative values and values above 1 are kept: they are colours outside sRGB, and highlights.
public struct D65Adaptation: Equatable, Sendable {
  /// From the input's linear RGB to linear sRGB under D65.
  public let matrix: Matrix3
  private let correction: RootPolynomialCorrection?

  /// Changes nothing: the input is linear sRGB under D65 already. What an operation falls back to when its properties
  /// were refused.
  public static let identity = D65Adaptation(unchecked: .identity)

  private init(unchecked matrix: Matrix3, _ correction: RootPolynomialCorrection? = nil) {
    self.matrix = matrix
    self.correction = correction
  }

  /// Adapts from the white of the flash to D65.
  ///
  /// For a calibrated camera prefer ``init(inputToD65XYZ:)``: a transform fitted for the flash halves the
  /// error of one that knows nothing but the white.
  ///
  /// - Parameters:
  ///   - flashWhite: how a white lit by the flash appears in the input's own colours, as CIE xy.
  ///   - inputToXYZ: the primaries and white of the input, from linear RGB to XYZ, *not* yet adapted to
  ///     any other white (the D50 matrix of an ICC profile is).
  ///   - adaptation: the transform between the two whites.
  public init(
    flashWhite: Chromaticity, inputToXYZ: Matrix3 = RGBSpace.sRGB.toXYZ, by adaptation: ChromaticAdaptation = .bradford
  ) throws(AdaptationError) {
    guard flashWhite.x.isFinite, flashWhite.y.isFinite else { throw .notFinite }
    guard let toD65 = adaptation.matrix(from: XYZ(flashWhite), to: .d65) else {
      throw .impossibleWhite(flashWhite)
    }
    try self.init(inputToD65XYZ: toD65 * inputToXYZ)
  }

  /// Uses a calibrated transform.
  ///
  /// - Parameter toRGB: from the input's linear RGB to the RGB that was calibrated.
  public init(_ transform: CalibratedTransform, toRGB: Matrix3 = .identity) throws(AdaptationError) {
    let linear = try Self(inputToD65XYZ: transform.matrix * toRGB).matrix
    self.init(unchecked: linear, RootPolynomialCorrection(transform, toRGB: toRGB, linear: linear))
  }

  /// Uses a calibrated matrix from the input's linear RGB to XYZ under D65 (white: Y = 1).
  public init(inputToD65XYZ matrix: Matrix3) throws(AdaptationError) {
    guard matrix.isFinite else { throw .notFinite }
    guard matrix.conditionNumber <= Self.largestConditionNumber else { throw .singular }
    guard Self.norms.contains(matrix.frobeniusNorm) else { throw .absurdScale }
    let combined = RGBSpace.sRGB.fromXYZ * matrix
    // The product of sRGB and its own inverse is the identity but for rounding: make it so bit for bit.
    let isIdentity = zip(combined.rowMajor, Matrix3.identity.rowMajor).allSatisfy { abs($0 - $1) < 1e-12 }
    self.init(unchecked: isIdentity ? .identity : combined)
  }

  /// Uses nine numbers, row by row, of a matrix from the input's linear RGB to XYZ under D65.
  public init(inputToD65XYZ numbers: [Double]) throws(AdaptationError) {
    guard let matrix = Matrix3(rowMajor: numbers) else { throw .notNineNumbers(numbers.count) }
    try self.init(inputToD65XYZ: matrix)
  }

  // Camera matrices have condition numbers around 10; at 10⁴ noise of one part in a thousand would drown every colour.
  private static let largestConditionNumber = 1e4
  // Sensor values may be far from 1 = white, but not further than any exposure.
  private static let norms = 1e-6...1e6

  /// Converts pixels. Alpha becomes 1: the result has a colour everywhere. A pixel that is not finite, or would
  /// not be, becomes opaque black, so that one bad value cannot spread.
  ///
  /// - Parameters:
  ///   - input: linear RGB of the input; alpha is not read.
  ///   - output: linear sRGB primaries under D65; may be the same memory. Holds at least as many pixels as `input`,
  ///     or only as many are converted.
  public func process(_ input: Pixels, into output: MutablePixels) {
    if let correction { return process(input, into: output, adding: correction) }
    let (first, second, third) = matrix.columns
    let red = Pixel(rgb: SIMD3<Float>(first), alpha: 0)
    let green = Pixel(rgb: SIMD3<Float>(second), alpha: 0)
    let blue = Pixel(rgb: SIMD3<Float>(third), alpha: 0)
    let opaque = Pixel(0, 0, 0, 1)
    for index in 0..<min(input.count, output.count) {
      let pixel = input[index]
      let adapted = red * pixel.x + green * pixel.y + blue * pixel.z + opaque
      // NaN and infinity are the only values that minus themselves are not 0.
      output[index] = all((adapted - adapted) .== 0) ? adapted : opaque
    }
  }

  private func process(_ input: Pixels, into output: MutablePixels, adding correction: RootPolynomialCorrection) {
    let (first, second, third) = matrix.columns
    let (red, green, blue) = (SIMD3<Float>(first), SIMD3<Float>(second), SIMD3<Float>(third))
    let count = min(input.count, output.count)
    var rest = [Pixel](repeating: .zero, count: 8)
    correction.withFunction { correction in
      var index = 0
      while index < count {
        let length = min(8, count - index)
        let eight: PixelVector
        if length == 8 {
          eight = PixelVector(input, index)
        } else {
          for lane in 0..<length { rest[lane] = input[index + lane] }
          eight = rest.withUnsafeBytes { PixelVector(Pixels($0.baseAddress, count: 8), 0) }
        }
        let rgb = eight.colour
        let linear = ColorVector(red) * rgb.x + ColorVector(green) * rgb.y + ColorVector(blue) * rgb.z
        let adapted = linear + correction(rgb)
        PixelVector(ColorVector.zero.replacing(with: adapted, where: adapted.isFinite), Vector8(repeating: 1))
          .store(output, index, count: length)
        index += 8
      }
    }
  }

  /// Converts one colour: the linear part in double precision, what the roots add in single.
  public func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let linear = matrix * rgb
    guard let correction else { return linear }
    let added = correction(ColorVector(SIMD3<Float>(rgb)))
    return linear + SIMD3<Double>(SIMD3<Float>(added.x[0], added.y[0], added.z[0]))
  }
}

/// Why an adaptation was refused; the description is one line for people.
public enum AdaptationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A number is NaN or infinite.
  case notFinite
  /// A matrix was given by another count of numbers than nine.
  case notNineNumbers(Int)
  /// The matrix maps different colours to one, or nearly.
  case singular
  /// The numbers of the matrix are all tiny or some are huge.
  case absurdScale
  /// No light looks like that: the transform finds a cone response that is not above 0.
  case impossibleWhite(Chromaticity)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .notFinite: "the colour numbers are not finite; give the flash white or nine matrix numbers"
    case .notNineNumbers(let count): "a colour matrix has nine numbers, not \(count)"
    case .singular: "the colour matrix is singular: different colours would become one; calibrate again"
    case .absurdScale: "the colour matrix is out of scale; its numbers should be around 1"
    case .impossibleWhite(let white):
      "no light has the white x = \(white.x), y = \(white.y); give the flash white as it appears in the picture"
    }
  }
}
