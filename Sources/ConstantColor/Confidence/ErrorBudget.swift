/// Turns small errors of a pixel's channels into an expected colour error, squared ΔE00.
///
/// The contract's colour error is judged after each pixel was scaled to its true luminance, so only
/// X/Y and Z/Y count. CIELAB at luminance Y: a* = 500 (f(X) − f(Y)), and for colours that are not very dark
/// δf(X) = f(X)/3 · δX/X; b* likewise with 200. CIEDE2000 (CIE 142) divides by 1 + 0.045 C* for chroma.
struct ErrorBudget {
  /// Rows X, Y, Z, each over its white, of the input's channels.
  private let x: SIMD3<Float>
  private let y: SIMD3<Float>
  private let z: SIMD3<Float>

  /// - Parameter matrix: columns of input RGB to linear sRGB (D65).
  init(matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)) {
    // Linear sRGB to XYZ (IEC 61966-2-1), each row divided by the white's X, Y, Z.
    let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) = (
      SIMD3(0.4124, 0.3576, 0.1805) / 0.9505, SIMD3(0.2126, 0.7152, 0.0722), SIMD3(0.0193, 0.1192, 0.9505) / 1.089
    )
    func row(_ row: SIMD3<Float>) -> SIMD3<Float> {
      SIMD3((row * matrix.0).sum(), (row * matrix.1).sum(), (row * matrix.2).sum())
    }
    (x, y, z) = (row(rows.0), row(rows.1), row(rows.2))
  }

  /// How the colours of eight pixels respond: the change of a* and b* for a change of each channel, already weighed
  /// as CIEDE2000 does.
  struct Responses {
    var a: ColorVector
    var b: ColorVector
    /// The cube root of the reflectance, 0.2...1.
    var lightness: Vector8
    /// Luminance over that of white.
    var reflectance: Vector8

    /// Squared ΔE of independent errors with these variances.
    @inline(__always)
    func squaredError(variance: ColorVector) -> Vector8 { ((a * a + b * b) * variance).sum }

    /// Squared ΔE of one common error.
    @inline(__always)
    func squaredError(shift: ColorVector) -> Vector8 {
      let (da, db) = ((a * shift).sum, (b * shift).sum)
      return da * da + db * db
    }
  }

  /// The responses of eight colours.
  ///
  /// - Parameters:
  ///   - colour: the pixels in the input's channels.
  ///   - white: the luminance of white in the same units.
  ///   - deviation: their brightness noise, below which a colour has no hue.
  @inline(__always)
  func response(_ colour: ColorVector, white: Float, deviation: Vector8) -> Responses {
    let (x, y, z) = (ColorVector(x), ColorVector(y), ColorVector(z))
    let luminance = (y * colour).sum.greater(deviation).greater(Vector8(repeating: 1e-6))
    let scale = 1 / luminance
    // The luminance that the surface would have, as reflectance.
    let reflectance = (luminance * (1 / max(white, 1e-6))).lesser(Vector8(repeating: 1)).greater(
      Vector8(repeating: 0.01))
    let lightness = reflectance.cubeRoot
    let rx = ((x * colour).sum * scale).greater(Vector8(repeating: 0.05))
    let rz = ((z * colour).sum * scale).greater(Vector8(repeating: 0.02))
    let (fx, fz) = (rx.cubeRoot, rz.cubeRoot)
    let a = 500 * lightness * (fx - 1)
    let b = 200 * lightness * (1 - fz)
    let chroma2 = a * a + b * b
    let chroma = chroma2.squareRoot()
    let weight = lightness / (3 * (1 + 0.045 * chroma))
    // Near grey CIEDE2000 stretches a* by up to a half. Beyond a chroma of 1000 there is nothing left to stretch.
    let capped = chroma.lesser(Vector8(repeating: 1000))
    let square = capped * capped
    let c7 = square * square * square * capped
    let stretch = 1.5 - 0.5 * (c7 / (c7 + 6.1035156e9)).squareRoot()
    let scaleA = 500 * stretch * fx * weight * scale
    let scaleB = 200 * fz * weight * scale
    return Responses(
      a: (x * (1 / rx) - y) * scaleA, b: (y - z * (1 / rz)) * scaleB, lightness: lightness,
      reflectance: luminance * (1 / max(white, 1e-6)))
  }
}
