import Glibc
import Raster

/// The ratios of red and blue where the ratio of green is known, for frames that were balanced one by one.
///
/// Reflectance cancels in the quotient flash / ambient, which is k + s · g: k the ratios, g the flash's colour over the
/// ambient light's, and s, the same for all channels, how much flash there is. So the quotients of a picture lie along
/// a line in the space of three channels, and k is the place on it where green's ratio is. How surfaces differ in
/// what light makes of them, and tone curves, scatter them around the line by some hundredths: as much is in the error.
///
/// (The model is DiCarlo, Xiao and Wandell's, CIC 9, 2001; extrapolation along the line is the project's own.)
struct ChannelLine {
  /// The ratios of red and blue over green's, and their relative errors.
  let red, blue: (value: Double, error: Double)

  /// Errors of the quotients beside noise, relative; and of the ratio.
  private static let scatter = 0.06
  private static let floor = 0.02
  private static let fewest = 60
  /// Windows overlap, and neighbours show the same surface: so many count as one.
  private static let dependence = 16.0
  /// How far white balances are from each other, usually: standard deviation of the relative ratio.
  private static let usual = 0.3

  /// Nil without enough windows.
  init?(_ windows: ArraySlice<EdgeWindows.Window>, green: Double) {
    guard green > 0, green.isFinite else { return nil }
    let quotients = windows.compactMap { window -> SIMD3<Double>? in
      guard window.quotientError.rgb.max() < 0.05, window.quotient.rgb.min() > 0 else { return nil }
      return SIMD3<Double>(window.quotient.rgb) / green
    }
    guard quotients.count >= Self.fewest else { return nil }
    let excess = quotients.map { $0.y - 1 }
    guard let red = Self.intercept(quotients.map(\.x), at: excess),
      let blue = Self.intercept(quotients.map(\.z), at: excess)
    else { return nil }
    (self.red, self.blue) = (red, blue)
  }

  /// Whether the channels' ratios differ by more than surfaces explain.
  var isClear: Bool {
    [red, blue].contains { abs(log($0.value)) > max(0.06, 2 * $0.error) }
  }

  /// The value at an excess of 0, by iteratively reweighted least squares (Cauchy's weights), drawn to 1.
  private static func intercept(_ values: [Double], at excess: [Double]) -> (value: Double, error: Double)? {
    var robust = [Double](repeating: 1, count: values.count)
    var (value, error) = (1.0, usual)
    for _ in 0..<12 {
      var (s, st, stt, sy, sty) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for (index, y) in values.enumerated() {
        let (t, deviation) = (excess[index], scatter * y + floor)
        let w = robust[index] / (deviation * deviation * dependence)
        s += w
        st += w * t
        stt += w * t * t
        sy += w * (y - 1)
        sty += w * t * (y - 1)
      }
      // What is usual counts as one more measurement, of the value at 0.
      let own = 1 / (usual * usual)
      let determinant = (s + own) * stt - st * st
      guard determinant > 1e-9 * (s + own) * stt else { return nil }
      value = 1 + (stt * sy - st * sty) / determinant
      let slope = ((s + own) * sty - st * sy) / determinant
      let residuals = values.enumerated().map { index, y in
        abs(y - value - slope * excess[index]) / (scatter * y + floor)
      }
      let scale = max(1.4826 * residuals.sorted()[residuals.count / 2], 0.1)
      for (index, residual) in residuals.enumerated() {
        robust[index] = 1 / (1 + (residual / (1.5 * scale)) * (residual / (1.5 * scale)))
      }
      error = scale * (stt / determinant).squareRoot()
    }
    guard value.isFinite, error.isFinite, value > 0.2, value < 5 else { return nil }
    return (value, max(error / value, 0.03))
  }
}
