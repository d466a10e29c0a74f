import Calibration
import ConstantColorOperations
import GEGL
import Glibc
import Photo

/// The files of a photograph with flash and of one or several without; see ``OpenedPicture``.
public struct OpenedPair {
  let flash: OpenedPicture
  let ambients: [OpenedPicture]

  /// Opens them. Throws ``InputError``.
  public init(flash: String, ambients: [String]) throws {
    do {
      self.flash = try OpenedPicture(flash)
      self.ambients = try ambients.map { try OpenedPicture($0) }
    } catch { throw InputError(error) }
  }
}

/// A photograph with flash and one or several without, in memory, of one kind.
public struct LoadedPair {
  /// The one with flash.
  public let flash: LoadedPicture
  /// The first one without.
  public private(set) var ambient: LoadedPicture
  /// All ambient frames: ``ambient``, and what is averaged with it.
  public private(set) var ambients: [LoadedPicture]
  /// Whether the frames are linear values of a camera, whatever space they are tagged with.
  public let isCameraRGB: Bool

  /// Loads them. Throws ``InputError`` for files that cannot be used, or make no pair.
  ///
  /// - Parameter linear: the files hold linear values, whatever they say of their space.
  public init(flash: String, ambients: [String], linear: Bool) throws {
    try self.init(OpenedPair(flash: flash, ambients: ambients), linear: linear)
  }

  /// The same from files that are open.
  public init(_ files: OpenedPair, linear: Bool) throws {
    let flash: LoadedPicture
    let ambients: [LoadedPicture]
    do {
      flash = try files.flash.load(linear: linear)
      ambients = try files.ambients.map { try $0.load(linear: linear) }
    } catch { throw InputError(error) }
    try self.init(flash: flash, ambients: ambients, linear: linear)
  }

  /// Takes pictures that are loaded. Throws ``InputError`` where they make no pair.
  ///
  /// - Parameter linear: the pictures hold linear values, whatever their space.
  public init(flash: LoadedPicture, ambients: [LoadedPicture], linear: Bool = false) throws {
    guard let first = ambients.first else { throw InputError("a photograph without flash is missing; name a file") }
    (self.flash, ambient, self.ambients) = (flash, first, ambients)
    for ambient in ambients where ambient.isCameraRGB != flash.isCameraRGB {
      throw InputError("\(flash.file.path) and \(ambient.file.path) must both be RAW files, or neither")
    }
    isCameraRGB = linear || flash.isCameraRGB
    do { for picture in [flash] + ambients { try picture.buffer.fixDecoding() } } catch { throw InputError(error) }
  }

  /// Lets go of the ambient frames' pixels, which are 0 afterwards; everything else that is known of them stays.
  mutating func releaseAmbients() throws {
    for index in ambients.indices { try ambients[index].releasePixels() }
    try ambient.releasePixels()
  }

  /// The steps of a development of this pair, knowing what the numbers are, and the exposure ratio: the one that was given, or
  /// what the metadata say of it.
  public func steps(in graph: Graph, exposureRatio: Double?) throws -> DevelopGraph {
    let steps = try DevelopGraph(
      in: graph, flash: graph.add(flash.buffer), ambient: graph.add(ambient.buffer),
      more: ambients.dropFirst().map { try graph.add($0.buffer) })
    try steps.set("input-colour", .choice(isCameraRGB ? "camera" : "encoded"))
    try steps.set("balance", .choice(balance))
    if let exposureRatio {
      try steps.set("exposure-ratio", .double(exposureRatio))
    } else {
      try ExposureRatioHint(flash: flash.metadata, ambient: ambient.metadata)?.apply(to: steps)
    }
    if steps.averages {
      let exposures = ambients.map { $0.metadata.exactExposure ?? 0 }
      try steps.set("exposures", .string(exposures.map { "\($0)" }.joined(separator: " ")))
    }
    return steps
  }

  /// Whether the frames share a white balance. Cameras' own pictures do not, unless the photographer set it.
  private var balance: String {
    let frames = [flash] + ambients
    if isCameraRGB || frames.allSatisfy({ $0.metadata.isWhiteBalanceAutomatic == false }) { return "shared" }
    let isAutomatic = frames.contains { $0.metadata.isWhiteBalanceAutomatic == true }
    let isFromCamera = frames.allSatisfy { [.jpeg, .heif].contains($0.file.kind) && $0.metadata.exposure != nil }
    return isAutomatic || isFromCamera ? "own" : "found"
  }

  /// Averages the ambient frames, once they are aligned. The average has the exposure of the first frame used, of which the
  /// metadata's exposure ratio must be.
  ///
  /// - Returns: what became of each frame, and what to tell the user; both empty for a single frame.
  public func averageAmbients(in steps: inout DevelopGraph, exposureRatio: Double?) throws -> (
    outcomes: [AmbientFrameOutcome], notes: [String]
  ) {
    let outcomes = try steps.measureAverage()
    let paths = ambients.map(\.file.path)
    var notes: [String] = []
    for (path, outcome) in zip(paths, outcomes) where !outcome.isUsed {
      notes.append("\(path): does not show the same as the other frames, and is left out; take ambient frames in a row")
    }
    if let first = outcomes.firstIndex(where: \.isUsed), first > 0, exposureRatio == nil {
      let hint = ExposureRatioHint(flash: flash.metadata, ambient: ambients[first].metadata)
      if let hint { try hint.apply(to: steps) } else { try steps.set("exposure-ratio-hint", 0) }
    }
    return (outcomes, notes)
  }
}

/// What the cameras' metadata say of the exposure ratio.
public struct ExposureRatioHint: Sendable {
  /// Flash exposure divided by ambient exposure.
  public let ratio: Double
  /// Its relative standard error.
  public let uncertainty: Double

  /// The ratio of two frames; nil where the files do not say, or absurdly.
  public init?(flash: Metadata, ambient: Metadata) {
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
  public func apply(to steps: DevelopGraph) throws {
    try steps.set("exposure-ratio-hint", .double(ratio))
    try steps.set("hint-uncertainty", .double(uncertainty))
  }
}

extension Metadata {
  /// The exposure of a flash frame, for comparison with others of the same camera.
  ///
  /// What has an LED is a phone, whose numbers are what they are; a camera's round numbers stand for thirds of stops.
  public func flashExposure(_ duration: CalibrationProfile.FlashDuration) -> CalibrationProfile.Exposure {
    switch duration {
    case .continuous: CalibrationProfile.Exposure(time: exposureTime, iso: iso, fNumber: fNumber)
    case .strobe: CalibrationProfile.Exposure(time: exactExposureTime, iso: exactISO, fNumber: exactFNumber)
    }
  }
}
