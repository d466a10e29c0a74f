import ColorScience
import ConstantColor

/// A camera: what its sensor sees, and how well.
public struct CameraModel: Equatable, Sendable {
  /// What `--camera` calls it.
  public var name: String
  /// What its files say of it.
  public var make, model: String
  /// The sensitivities of red, green and blue, relative to each other.
  public var sensitivities: [Spectrum]
  /// The sensor.
  public var sensor: Sensor
  /// The lens: its f-number and focal length in millimetres.
  public var fNumber, focalLength: Double
  /// How the camera chooses exposures.
  public var exposure = ExposureControl()

  /// The sensor: electrons, numbers, and the filters before it.
  public struct Sensor: Equatable, Sendable {
    /// Electrons at saturation at the base ISO.
    public var fullWell: Double
    /// The noise of reading in electrons, before amplification, and in stored numbers, after it (standard deviations).
    public var readNoise, converterNoise: Double
    /// Bits of a stored number, and the number of no light.
    public var bits, black: Int
    /// The colour filter array.
    public var pattern: CFAPattern
    /// Whether there is any noise.
    public var isNoisy = true

    /// A sensor; numbers beyond reason are brought within it.
    public init(
      fullWell: Double, readNoise: Double = 2, converterNoise: Double = 0.6, bits: Int = 12, black: Int = 256,
      pattern: CFAPattern = .rggb
    ) {
      self.fullWell = fullWell
      (self.readNoise, self.converterNoise) = (readNoise, converterNoise)
      (self.bits, self.black) = (bits, black)
      self.pattern = pattern
    }

    /// The stored number of saturation.
    public var white: Int { (1 << min(max(bits, 8), 16)) - 1 }
  }

  /// A camera of given sensitivities.
  public init(
    name: String, make: String, model: String, sensitivities: [Spectrum], sensor: Sensor, fNumber: Double,
    focalLength: Double
  ) {
    self.name = name
    (self.make, self.model) = (make, model)
    self.sensitivities = sensitivities
    self.sensor = sensor
    (self.fNumber, self.focalLength) = (fNumber, focalLength)
  }

  /// Camera RGB of a reflectance in a light of 1 lux, on the scale of the sensitivities.
  func response(_ reflectance: Spectrum, _ light: Illuminant) -> SIMD3<Double> {
    let seen = light.spectrum * reflectance
    guard sensitivities.count == 3 else { return .zero }
    return SIMD3(sensitivities[0].dot(seen), sensitivities[1].dot(seen), sensitivities[2].dot(seen))
  }
}

extension CameraModel {
  /// The cameras that have names: measured sensitivities, with sensors of their kind.
  public static let named: [CameraModel] = [
    camera("x5", "Arashi Vision", "Insta360 X5", Sensor(fullWell: 6000), 1.8, 5.7),
    camera("rx100m4", "Sony", "DSC-RX100M4", Sensor(fullWell: 11_000, bits: 12, black: 200), 2.8, 13),
    camera("5d2", "Canon", "EOS 5D Mark II", Sensor(fullWell: 60_000, readNoise: 4, bits: 14, black: 1024), 5.6, 50),
    camera("a7m3", "Sony", "ILCE-7M3", Sensor(fullWell: 60_000, readNoise: 3, bits: 14, black: 512), 5.6, 50),
    camera("zf", "Nikon", "Z f", Sensor(fullWell: 60_000, readNoise: 3, bits: 14, black: 1008), 5.6, 50),
  ].compactMap(\.self)

  private static func camera(
    _ name: String, _ make: String, _ model: String, _ sensor: Sensor, _ fNumber: Double, _ focalLength: Double
  ) -> CameraModel? {
    guard let data = SensitivityData.values.first(where: { $0.name == name }) else { return nil }
    let channels = [data.red, data.green, data.blue].compactMap { values in
      Spectrum(
        values.enumerated().map { (SensitivityData.firstWavelength + SensitivityData.step * Double($0), $1) },
        beyond: .zero)
    }
    guard channels.count == 3 else { return nil }
    return CameraModel(
      name: name, make: make, model: model, sensitivities: channels, sensor: sensor, fNumber: fNumber,
      focalLength: focalLength)
  }
}
