import Glibc

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

  /// How a colour responds: the change of a* and b* for a change of each channel, already weighed
  /// as CIEDE2000 does.
  struct Response {
    var a: SIMD3<Float>
    var b: SIMD3<Float>

    /// Squared ΔE of independent errors with these variances.
    func squaredError(variance: SIMD3<Float>) -> Float { ((a * a + b * b) * variance).sum() }

    /// Squared ΔE of one common error.
    func squaredError(shift: SIMD3<Float>) -> Float {
      let (da, db) = ((a * shift).sum(), (b * shift).sum())
      return da * da + db * db
    }
  }

  /// The response of a colour.
  ///
  /// - Parameters:
  ///   - colour: the pixel in the input's channels.
  ///   - white: the luminance of white in the same units.
  ///   - deviation: its brightness noise, below which a colour has no hue.
  func response(_ colour: SIMD3<Float>, white: Float, deviation: Float) -> Response {
    let luminance = max((y * colour).sum(), deviation, 1e-6)
    // The luminance that the surface would have, as reflectance.
    let reflectance = max(0.01, min(luminance / max(white, 1e-6), 1))
    let lightness = cbrtf(reflectance)
    let rx = max((x * colour).sum() / luminance, 0.05)
    let rz = max((z * colour).sum() / luminance, 0.02)
    let (fx, fz) = (cbrtf(rx), cbrtf(rz))
    let a = 500 * lightness * (fx - 1)
    let b = 200 * lightness * (1 - fz)
    let weight = 1 / (1 + 0.045 * (a * a + b * b).squareRoot())
    // Near grey CIEDE2000 stretches a* by up to a half.
    let c7 = pow7((a * a + b * b).squareRoot())
    let stretch = 1 + 0.5 * (1 - (c7 / (c7 + 6.1035156e9)).squareRoot())
    let scaleA = stretch * 500 * lightness * fx / 3 * weight
    let scaleB = 200 * lightness * fz / 3 * weight
    return Response(
      a: (x / (rx * luminance) - y / luminance) * scaleA, b: (y / luminance - z / (rz * luminance)) * scaleB)
  }

  private func pow7(_ c: Float) -> Float {
    let c2 = c * c
    return c2 * c2 * c2 * c
  }
}
