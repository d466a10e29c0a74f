import Calibration
import ConstantColorOperations
import GEGL
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
    func exposure(_ frame: Metadata) -> Double? { isRounded ? frame.exactExposure : frame.exposure }
    guard let flash = exposure(flash), let ambient = exposure(ambient), ambient > 0 else { return nil }
    ratio = flash / ambient
    guard (1e-4...1e4).contains(ratio) else { return nil }
    // Of round numbers one cannot be sure which way they were rounded; others are as good as gains and shutters are.
    uncertainty = isRounded ? 0.05 : 0.01
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
