import Calibration
import ConstantColorOperations
import GEGL
import Glibc
import Photo

/// Two photographs in memory, of one kind.
struct LoadedPair {
  let flash, ambient: LoadedPicture
  /// Whether the frames are linear values of a camera, whatever space they are tagged with.
  let isCameraRGB: Bool

  /// Loads both. Throws ``InputError`` for files that cannot be used, ``UsageError`` for two that make no pair.
  ///
  /// - Parameter linear: the files hold linear values, whatever they say of their space.
  init(flash: String, ambient: String, linear: Bool) throws {
    do {
      self.flash = try PictureLoader.load(flash, linear: linear)
      self.ambient = try PictureLoader.load(ambient, linear: linear)
    } catch { throw InputError(error) }
    guard self.flash.isCameraRGB == self.ambient.isCameraRGB else {
      throw UsageError("\(flash) and \(ambient) must both be RAW files, or neither")
    }
    isCameraRGB = linear || self.flash.isCameraRGB
  }

  /// The steps of a development of this pair, knowing what the numbers are, and the exposure ratio: the one that was given, or
  /// what the metadata say of it.
  func steps(in graph: Graph, exposureRatio: Double?) throws -> DevelopGraph {
    let steps = try DevelopGraph(in: graph, flash: graph.add(flash.buffer), ambient: graph.add(ambient.buffer))
    try steps.set("input-colour", .choice(isCameraRGB ? "camera" : "encoded"))
    if let exposureRatio {
      try steps.set("exposure-ratio", .double(exposureRatio))
    } else {
      try ExposureRatioHint(flash: flash.metadata, ambient: ambient.metadata)?.apply(to: steps)
    }
    return steps
  }
}

/// What the cameras' metadata say of the exposure ratio.
struct ExposureRatioHint {
  /// Flash exposure divided by ambient exposure.
  let ratio: Double
  /// Its relative standard error.
  let uncertainty: Double

  /// The ratio of two frames; nil where the files do not say, or absurdly.
  init?(flash: Metadata, ambient: Metadata) {
    // One camera rounds the numbers of both frames, or of neither.
    let isRounded = flash.hasRoundNumbers && ambient.hasRoundNumbers
    guard let written = Self.ratio(flash.exposure, ambient.exposure),
      let exact = Self.ratio(flash.exactExposure, ambient.exactExposure)
    else { return nil }
    ratio = isRounded ? exact : written
    guard (1e-4...1e4).contains(ratio) else { return nil }
    // Almost all cameras mean thirds of stops by round numbers, and all mean the same by the same number in both frames.
    let rounding = isRounded ? 0.4 * abs(log(exact / written)) : 0
    // Blades do not close to the same place each time.
    let blades = flash.fNumber == ambient.fNumber ? 0 : 0.02
    uncertainty = (Self.gains * Self.gains + rounding * rounding + blades * blades).squareRoot()
  }

  /// How well gains and shutters keep to their numbers.
  private static let gains = 0.01

  private static func ratio(_ flash: Double?, _ ambient: Double?) -> Double? {
    guard let flash, let ambient, ambient > 0 else { return nil }
    return flash / ambient
  }

  /// Tells a graph.
  func apply(to steps: DevelopGraph) throws {
    try steps.set("exposure-ratio-hint", .double(ratio))
    try steps.set("hint-uncertainty", .double(uncertainty))
  }
}

extension Metadata {
  /// The exposure of a flash frame, for comparison with others of the same camera.
  ///
  /// What has an LED is a phone, whose numbers are what they are; a camera's round numbers stand for thirds of stops.
  func flashExposure(_ duration: CalibrationProfile.FlashDuration) -> CalibrationProfile.Exposure {
    switch duration {
    case .continuous: CalibrationProfile.Exposure(time: exposureTime, iso: iso, fNumber: fNumber)
    case .strobe: CalibrationProfile.Exposure(time: exactExposureTime, iso: exactISO, fNumber: exactFNumber)
    }
  }
}
