/// What a camera's maker says about its colours: the model of DNG files (Adobe, "Digital Negative Specification" 1.4,
/// chapter 6), for three colour planes.
///
/// One or two calibrations, each made under an illuminant, are interpolated for the white of a scene. A raw file of
/// another format has one matrix for D65, which is a model with one calibration.
public struct CameraColorModel: Equatable, Hashable, Sendable {
  /// What is known for one illuminant.
  public struct Calibration: Equatable, Hashable, Sendable {
    /// The correlated colour temperature of the illuminant in kelvin; nil where it is not known, and then it
    /// cannot be one of two.
    public var kelvin: Double?
    /// ColorMatrix: from CIE XYZ of the scene, not adapted, to the camera's RGB.
    public var colorMatrix: Matrix3
    /// ForwardMatrix: from white-balanced camera RGB to XYZ under D50.
    public var forwardMatrix: Matrix3?
    /// CameraCalibration: from the reference camera's RGB to this very camera's.
    public var cameraCalibration: Matrix3

    /// A calibration from its parts.
    public init(
      kelvin: Double?, colorMatrix: Matrix3, forwardMatrix: Matrix3? = nil, cameraCalibration: Matrix3 = .identity
    ) {
      self.kelvin = kelvin
      self.colorMatrix = colorMatrix
      self.forwardMatrix = forwardMatrix
      self.cameraCalibration = cameraCalibration
    }
  }

  /// A calibration as it is used: the analogue balance and this camera's deviation are part of the matrices.
  struct Setting: Equatable, Hashable, Sendable {
    /// From XYZ to the camera's RGB: AnalogBalance · CameraCalibration · ColorMatrix.
    var cameraFromXYZ: Matrix3
    /// From the reference camera's RGB: AnalogBalance · CameraCalibration.
    var cameraFromReference: Matrix3
    /// ForwardMatrix, scaled so that (1, 1, 1) is the D50 white.
    var forward: Matrix3?
  }

  /// The calibrations in use, the warmer one first, with their temperatures; those of a single one say nothing.
  let first, second: Setting
  let warm, cool: Double

  /// A model from one or two calibrations, in any order.
  ///
  /// Two calibrations of the same or of an unknown temperature cannot be interpolated; the first one then counts alone, as in
  /// the DNG SDK.
  ///
  /// - Parameters:
  ///   - calibrations: at least one; beyond two the rest is not used.
  ///   - analogBalance: the gains that the sensor's values have had already.
  /// - Throws: ``CameraColorError`` where a matrix cannot be one.
  public init(
    _ calibrations: [Calibration], analogBalance: SIMD3<Double> = SIMD3(repeating: 1)
  ) throws(CameraColorError) {
    guard let one = calibrations.first else { throw .noCalibration }
    let setting = try Self.setting(one, analogBalance)
    guard calibrations.count > 1, let a = one.kelvin, let b = calibrations[1].kelvin, a != b,
      Self.temperatures.contains(a), Self.temperatures.contains(b)
    else {
      (first, second) = (setting, setting)
      (warm, cool) = (5000, 5000)
      return
    }
    let other = try Self.setting(calibrations[1], analogBalance)
    (first, second) = a < b ? (setting, other) : (other, setting)
    (warm, cool) = (min(a, b), max(a, b))
  }

  /// A model of one matrix from XYZ to camera RGB, as raw converters keep for cameras without DNG.
  public init(colorMatrix: Matrix3) throws(CameraColorError) {
    try self.init([Calibration(kelvin: nil, colorMatrix: colorMatrix)])
  }

  private static let temperatures = 1000.0...100_000.0

  private static func setting(
    _ calibration: Calibration, _ balance: SIMD3<Double>
  ) throws(CameraColorError) -> Setting {
    guard all((balance .> 1e-3) .& (balance .< 1e3)) else { throw .absurdBalance }
    let cameraFromReference = Matrix3(diagonal: balance) * calibration.cameraCalibration
    let cameraFromXYZ = cameraFromReference * calibration.colorMatrix
    for (matrix, name) in [(cameraFromReference, "CameraCalibration"), (cameraFromXYZ, "ColorMatrix")] {
      try check(matrix, name)
    }
    guard (cameraFromXYZ * XYZ.d65.vector).min() > 0 else { throw .darkWhite }
    guard let forward = calibration.forwardMatrix else {
      return Setting(cameraFromXYZ: cameraFromXYZ, cameraFromReference: cameraFromReference)
    }
    try check(forward, "ForwardMatrix")
    let white = forward * SIMD3(repeating: 1)
    guard white.min() > 0 else { throw .darkWhite }
    // Makers round their numbers; the white must be exact all the same.
    let exact = Matrix3(diagonal: XYZ.d50ICC.vector / white) * forward
    return Setting(cameraFromXYZ: cameraFromXYZ, cameraFromReference: cameraFromReference, forward: exact)
  }

  private static func check(_ matrix: Matrix3, _ name: String) throws(CameraColorError) {
    guard matrix.isFinite, matrix.conditionNumber <= 1e3, (1e-4...1e4).contains(matrix.frobeniusNorm) else {
      throw .absurdMatrix(name)
    }
  }

  /// The matrices for a correlated colour temperature: interpolated linearly in its reciprocal between the
  /// calibrations, and the nearer calibration's own beyond them.
  func setting(at kelvin: Double) -> Setting {
    guard warm < cool, kelvin > warm else { return first }
    guard kelvin < cool else { return second }
    let weight = (1 / kelvin - 1 / cool) / (1 / warm - 1 / cool)
    func mix(_ a: Matrix3, _ b: Matrix3) -> Matrix3 { weight * a + (1 - weight) * b }
    let forward: Matrix3? =
      if let a = first.forward, let b = second.forward { mix(a, b) } else { first.forward ?? second.forward }
    return Setting(
      cameraFromXYZ: mix(first.cameraFromXYZ, second.cameraFromXYZ),
      cameraFromReference: mix(first.cameraFromReference, second.cameraFromReference), forward: forward)
  }
}

/// Why there is no model of a camera's colours; the description is one line for people.
public enum CameraColorError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no calibration at all.
  case noCalibration
  /// A matrix is singular, not finite or out of scale; with its DNG name.
  case absurdMatrix(String)
  /// A gain of the analogue balance is not above 0 or out of scale.
  case absurdBalance
  /// A white surface would give a channel that is not above 0.
  case darkWhite

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .noCalibration: "the file has no colour matrix; give the flash white or a profile"
    case .absurdMatrix(let name): "the file's \(name) is no colour matrix (singular or out of scale); give a profile"
    case .absurdBalance: "the file's AnalogBalance makes no sense; give a profile"
    case .darkWhite: "by the file's colour matrices white would not be white; give a profile"
    }
  }
}
