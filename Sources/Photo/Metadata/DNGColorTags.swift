import ColorScience
import ConstantColor

/// What a DNG file says of its camera's colours and noise (Adobe, "Digital Negative Specification" 1.4).
public struct DNGColorTags: Equatable, Sendable {
  /// UniqueCameraModel.
  public var uniqueCameraModel: String?
  /// The colour model of ColorMatrix, ForwardMatrix, CalibrationIlluminant, CameraCalibration and AnalogBalance; nil where
  /// there is none for three colours.
  public var colorModel: CameraColorModel?
  /// Why there is no model although there are matrices; one line for people.
  public var problem: String?
  /// AsShotNeutral: camera RGB of white, by the camera's own white balance.
  public var asShotNeutral: SIMD3<Double>?
  /// AsShotWhiteXY: the same as a chromaticity.
  public var asShotWhite: Chromaticity?
  /// BaselineExposure: stops by which a converter should brighten.
  public var baselineExposure: Double?
  /// NoiseProfile: the noise of the raw values, 0 black and 1 white.
  public var noise: NoiseModel?

  /// The tags of a file's directories; nil where none of them is here.
  public init?(_ tags: [TIFFTag]) {
    let values = TagValues(tags)
    uniqueCameraModel = values.text(Tag.uniqueCameraModel)
    asShotNeutral = Self.vector(values.numbers(Tag.asShotNeutral)).flatMap {
      $0.min() > 1e-3 * $0.max() && $0.max() < 1e6 ? $0 : nil
    }
    if let xy = values.numbers(Tag.asShotWhiteXY), xy.count == 2, xy[0] > 0.05, xy[1] > 0.05, xy[0] + xy[1] < 1 {
      asShotWhite = Chromaticity(x: xy[0], y: xy[1])
    }
    baselineExposure = values.number(Tag.baselineExposure).flatMap { abs($0) <= 20 ? $0 : nil }
    noise = values.numbers(Tag.noiseProfile).flatMap(Self.noise)
    do { colorModel = try Self.colorModel(values) } catch { problem = "\(error)" }
    let isEmpty =
      uniqueCameraModel == nil && asShotNeutral == nil && asShotWhite == nil && baselineExposure == nil && noise == nil
      && colorModel == nil && problem == nil
    if isEmpty { return nil }
  }

  private static func colorModel(_ values: TagValues) throws(CameraColorError) -> CameraColorModel? {
    let isOwn = values.text(Tag.cameraCalibrationSignature) == values.text(Tag.profileCalibrationSignature)
    func calibration(_ color: UInt16, _ forward: UInt16, _ own: UInt16, _ light: UInt16)
      -> CameraColorModel.Calibration?
    {
      guard let numbers = values.numbers(color), let matrix = Matrix3(rowMajor: numbers) else { return nil }
      return CameraColorModel.Calibration(
        kelvin: values.integer(light).flatMap { LightSource.kelvin($0) }, colorMatrix: matrix,
        forwardMatrix: values.numbers(forward).flatMap { Matrix3(rowMajor: $0) },
        // Of another profile's making, a calibration says nothing about these matrices.
        cameraCalibration: isOwn ? values.numbers(own).flatMap { Matrix3(rowMajor: $0) } ?? .identity : .identity)
    }
    let calibrations = [
      calibration(Tag.colorMatrix1, Tag.forwardMatrix1, Tag.cameraCalibration1, Tag.calibrationIlluminant1),
      calibration(Tag.colorMatrix2, Tag.forwardMatrix2, Tag.cameraCalibration2, Tag.calibrationIlluminant2),
    ].compactMap { $0 }
    guard !calibrations.isEmpty else { return nil }
    let balance = vector(values.numbers(Tag.analogBalance)) ?? SIMD3(repeating: 1)
    do { return try CameraColorModel(calibrations, analogBalance: balance) } catch {
      // One bad matrix leaves the other.
      for one in calibrations.reversed() where calibrations.count > 1 {
        if let model = try? CameraColorModel([one], analogBalance: balance) { return model }
      }
      throw error
    }
  }

  private static func vector(_ numbers: [Double]?) -> SIMD3<Double>? {
    guard let numbers, numbers.count == 3 else { return nil }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }

  /// Pairs of scale and offset, one for all planes or one for each.
  private static func noise(_ numbers: [Double]) -> NoiseModel? {
    guard numbers.count == 2 || numbers.count == 6 else { return nil }
    let all = numbers.count == 2 ? numbers + numbers + numbers : numbers
    let gain = SIMD3(all[0], all[2], all[4])
    let floor = SIMD3(all[1], all[3], all[5])
    // Converters fit both; an offset may come out a little below 0.
    guard gain.min() >= 0, gain.max() < 1, gain.max() > 0, floor.min() > -1e-3, floor.max() < 1 else { return nil }
    return NoiseModel(gain: SIMD3<Float>(gain), floor: SIMD3<Float>(floor))
  }

  enum Tag {
    static let dngVersion: UInt16 = 50706
    static let uniqueCameraModel: UInt16 = 50708
    static let colorMatrix1: UInt16 = 50721
    static let colorMatrix2: UInt16 = 50722
    static let cameraCalibration1: UInt16 = 50723
    static let cameraCalibration2: UInt16 = 50724
    static let analogBalance: UInt16 = 50727
    static let asShotNeutral: UInt16 = 50728
    static let asShotWhiteXY: UInt16 = 50729
    static let baselineExposure: UInt16 = 50730
    static let cameraSerialNumber: UInt16 = 50735
    static let calibrationIlluminant1: UInt16 = 50778
    static let calibrationIlluminant2: UInt16 = 50779
    static let cameraCalibrationSignature: UInt16 = 50931
    static let profileCalibrationSignature: UInt16 = 50932
    static let forwardMatrix1: UInt16 = 50964
    static let forwardMatrix2: UInt16 = 50965
    static let noiseProfile: UInt16 = 51041

    static let all: Set<UInt16> = [
      dngVersion, uniqueCameraModel, colorMatrix1, colorMatrix2, cameraCalibration1, cameraCalibration2, analogBalance,
      asShotNeutral, asShotWhiteXY, baselineExposure, cameraSerialNumber, calibrationIlluminant1,
      calibrationIlluminant2, cameraCalibrationSignature, profileCalibrationSignature, forwardMatrix1, forwardMatrix2,
      noiseProfile,
    ]
  }
}
