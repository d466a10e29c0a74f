import Calibration
import ColorScience
import ConstantColor
import ConstantColorOperations
import GEGL
import Photo

/// The colours of the two lights.
extension PairDevelopment {
  /// What the picture's numbers are: a profile counts first, then the user's word, then the camera's matrices with the
  /// flash's white as the picture shows it; a rendered picture is taken for what its colour space says.
  func measureColor() throws {
    if let profile {
      color = .calibrated(profile)
    } else if settings.matrix != nil {
      color = .given
    } else if let white = settings.flashWhite?.chromaticity {
      color = .rendered(isWhiteKnown: true)
      guard let cameraModel, let matrix = cameraModel.toD65(white: white) else { return }
      color = .cameraMatrices(nil)
      try steps.set("matrix", .string(matrix.rowMajor.map { "\($0)" }.joined(separator: " ")))
    } else if let cameraModel, let white = try steps.measureFlashWhite(of: cameraModel) {
      color = .cameraMatrices(white)
    } else if !isCameraRGB, let white = try steps.measureBalancedFlashWhite() {
      color = .balanced(white)
    }
  }

  /// The colours of the camera whose sensor's values the picture holds; nil for a rendered picture.
  private var cameraModel: CameraColorModel? {
    isCameraRGB ? flash.cameraModel : nil
  }

  func fillWhites() {
    guard let white = flashWhite else { return }
    report.flashWhite = white.chromaticity.map { Report.White($0) }
    // The gains turn the ambient light into the flash's: the light itself is the flash's white divided by them.
    guard let balance = ambientBalance, balance.method != .none, balance.gains.min() > 0 else { return }
    let gains = balance.gains
    let neutral = white.neutral / SIMD3<Double>(gains)
    report.ambientWhite = chromaticity(ofNeutral: neutral).map { Report.White($0) }
  }

  /// How a white surface in the flash's light appears in the picture's numbers, and its colour; nil where unknown.
  public var flashWhite: (neutral: SIMD3<Double>, chromaticity: Chromaticity?)? {
    if let profile {
      // The profile's numbers are linear sRGB for rendered pictures, whatever the picture's own space.
      let neutral =
        profile.input == .camera ? profile.transform.white : toLinearSRGB.inverse.map { $0 * profile.transform.white }
      return neutral.map { ($0, chromaticity(ofNeutral: $0)) }
    }
    if settings.matrix != nil { return nil }
    if let estimate = color.flashWhite { return (estimate.neutral, estimate.white) }
    let white = settings.flashWhite?.chromaticity ?? .d65
    if let cameraModel { return cameraModel.neutral(of: white).map { ($0, white) } }
    return (RGBSpace.sRGB.toXYZ * toLinearSRGB).inverse.map { ($0 * XYZ(white).vector, white) }
  }

  /// The colour of a light in which white has these numbers; nil where the numbers of an unknown camera do not tell.
  private func chromaticity(ofNeutral neutral: SIMD3<Double>) -> Chromaticity? {
    if let cameraModel { return cameraModel.white(of: neutral) }
    if profile?.input == .camera { return nil }
    return XYZ(RGBSpace.sRGB.toXYZ * toLinearSRGB * neutral).chromaticity
  }

  private var toLinearSRGB: Matrix3 {
    guard !isCameraRGB, let space = flash.buffer.format?.space, let sRGB = ColorSpace(named: "sRGB") else {
      return .identity
    }
    return space.linearMatrix(to: sRGB).flatMap { Matrix3(rowMajor: $0) } ?? .identity
  }
}

extension Report.White {
  init(_ white: Chromaticity) {
    let temperature = CorrelatedColorTemperature(white)
    self.init(x: white.x, y: white.y, cct: temperature?.kelvin, duv: temperature?.duv)
  }
}

extension LoadedPicture {
  /// The colours of the camera, as the file has them; nil where nothing is known.
  public var cameraModel: CameraColorModel? {
    if let model = metadata.dng?.colorModel { return model }
    // LibRaw's own table, for cameras whose files carry no matrices.
    guard let matrix = raw?.cameraFromXYZ.flatMap({ Matrix3(rowMajor: $0) }) else { return nil }
    return try? CameraColorModel(colorMatrix: matrix)
  }
}
