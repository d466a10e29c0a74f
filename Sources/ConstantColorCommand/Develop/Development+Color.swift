import ColorScience
import ConstantColor
import ConstantColorOperations
import GEGL
import Photo

/// The colours of the two lights.
extension Development {
  /// What the picture's numbers are: the user's word counts first, then the camera's matrices with the flash's white as the
  /// picture shows it; a rendered picture is taken for what its colour space says.
  func measureColor() throws {
    if options.matrix != nil {
      color = .given
    } else if let given = givenFlashWhite {
      color = .rendered(isWhiteKnown: true)
      guard let matrix = cameraModel?.toD65(white: given) else { return }
      try steps.set("matrix", .string(matrix.rowMajor.map { "\($0)" }.joined(separator: " ")))
      color = .cameraMatrices(nil)
    } else if let camera = cameraModel, let white = try steps.measureFlashWhite(of: camera) {
      color = .cameraMatrices(white)
    }
  }

  /// The colours of the camera whose sensor's values the picture holds; nil for a rendered picture.
  private var cameraModel: CameraColorModel? { options.isLinear ? flash.metadata.dng?.colorModel : nil }

  /// The flash's white as the user gave it.
  private var givenFlashWhite: Chromaticity? {
    switch options.flashWhite {
    case .chromaticity(let given): given
    case .temperature(let temperature): temperature.chromaticity
    case nil: nil
    }
  }

  /// Says what the colours of the lights are, after everything was measured.
  func fillWhites() {
    guard options.matrix == nil else { return }
    let white = givenFlashWhite ?? color.flashWhite?.white ?? .d65
    report.flashWhite = Report.White(white)
    guard let gains = ambientBalance?.gains else { return }
    // The gains turn the ambient light into the flash's: the light itself is the flash's white divided by them.
    if color.source == .cameraMatrices, let camera = cameraModel,
      let neutral = color.flashWhite?.neutral ?? camera.neutral(of: white)
    {
      report.ambientWhite = camera.white(of: neutral / SIMD3<Double>(gains)).map { Report.White($0) }
      return
    }
    let toXYZ = RGBSpace.sRGB.toXYZ * toLinearSRGB
    guard let flashNumbers = toXYZ.inverse.map({ $0 * XYZ(white).vector }) else { return }
    report.ambientWhite = XYZ(toXYZ * (flashNumbers / SIMD3<Double>(gains))).chromaticity.map { Report.White($0) }
  }

  private var toLinearSRGB: Matrix3 {
    guard !options.isLinear, let space = flash.buffer.format?.space, let sRGB = ColorSpace(named: "sRGB") else {
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
