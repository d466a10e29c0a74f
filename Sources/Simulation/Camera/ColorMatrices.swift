import Calibration
import ColorScience

/// The colour matrices that a maker writes into DNG files: ColorMatrix1 for illuminant A, ColorMatrix2 for D65.
struct ColorMatrices: Equatable, Sendable {
  /// From CIE XYZ to camera RGB.
  let warm, cool: Matrix3

  /// The matrices of a camera: least squares over the ColorChecker, as makers do; green of the illuminant's white is 1. Nil
  /// for a camera that cannot tell colours apart.
  init?(_ camera: CameraModel) {
    guard let a = Illuminant(named: "A"), let d65 = Illuminant(named: "D65"),
      let warm = Self.fit(camera, a), let cool = Self.fit(camera, d65)
    else { return nil }
    self.warm = warm
    self.cool = cool
  }

  private static func fit(_ camera: CameraModel, _ light: Illuminant) -> Matrix3? {
    var xx = [[Double]](repeating: [0, 0, 0], count: 3)
    var xc = xx
    for surface in ChartReference.colorChecker.reflectances ?? [] {
      let xyz = XYZ(reflectance: surface, under: light.spectrum).vector
      let rgb = camera.response(surface, light)
      for row in 0..<3 {
        for column in 0..<3 {
          xx[row][column] += xyz[row] * xyz[column]
          xc[row][column] += rgb[row] * xyz[column]
        }
      }
    }
    guard let inverse = Matrix3(rowMajor: xx.flatMap(\.self))?.inverse,
      let mixed = Matrix3(rowMajor: xc.flatMap(\.self))
    else { return nil }
    let green = camera.response(.perfectDiffuser, light).y
    guard green > 0, green.isFinite else { return nil }
    let matrix = 1 / green * (mixed * inverse)
    guard let back = matrix.inverse, matrix.frobeniusNorm * back.frobeniusNorm < mostCondition else { return nil }
    return matrix
  }

  /// Cameras have condition numbers about 5.
  private static let mostCondition = 1e4
}
