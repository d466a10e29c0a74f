import ConstantColor
import ConstantColorOperations
import Development
import GEGL
import GEGLOperation
import Glibc
import Photo
import Raster

/// What a running session has built: from a device's frames to photos.
struct PhotoPipeline: Sendable {
  let device: CaptureDevice
  let source: any FrameSource

  /// Builds the pipeline: starts the library, gets the device ready, and reads its calibration.
  static func build(
    _ device: CaptureDevice, isConstantColorEnabled: Bool
  ) async throws(CaptureError) -> PhotoPipeline {
    guard let source = device.source else {
      throw .configurationFailed("\(device.localizedName): has nothing that gives frames; make it with a source")
    }
    do {
      try await DevelopmentQueue.shared.perform {
        Library.start { register(constantColorOperations) }
        if isConstantColorEnabled, let profile = device.calibrationProfile { _ = try PairDevelopment.profile(profile) }
      }
      try await source.prepare(constantColor: isConstantColorEnabled)
    } catch { throw error as? CaptureError ?? .configurationFailed("\(error)") }
    return PhotoPipeline(device: device, source: source)
  }

  /// Develops frames, and hands the photos over as they become ready. Blocks; to be called on the ``DevelopmentQueue``.
  func develop(_ frames: CapturedFrames, _ settings: PhotoSettings, deliver: (Photo) -> Void) throws {
    var processing = settings.processing
    processing.profile = processing.profile ?? device.calibrationProfile
    processing.isLinear = processing.isLinear || frames.isLinear
    guard settings.isConstantColorEnabled else {
      guard let path = settings.resolved.isFlashEnabled ? frames.flash : frames.ambients.first else {
        throw CaptureError.framesFailed("\(frames.name): the device did not give the frame that was asked for")
      }
      let standard = try StandardPicture(path, processing)
      return try DevelopmentQueue.shared.recovering(standard) {
        deliver(try photo(of: standard, frames, settings, processing))
      }
    }
    guard let flash = frames.flash, !frames.ambients.isEmpty else {
      throw CaptureError.framesFailed("\(frames.name): the device gave no pair of frames with and without flash")
    }
    let development = try PairDevelopment(flash: flash, ambients: frames.ambients, processing)
    try DevelopmentQueue.shared.recovering(development) {
      try develop(development, frames, settings, processing, deliver: deliver)
    }
  }

  private func develop(
    _ development: PairDevelopment, _ frames: CapturedFrames, _ settings: PhotoSettings,
    _ processing: DevelopmentSettings, deliver: (Photo) -> Void
  ) throws {
    let map = try confidence(of: development)
    let steps = development.steps
    let linear = try PixelBuffer(steps.developed, gain: development.gain)
    let result = try PixelBuffer(steps.render, space: processing.space)
    try development.measureLights()
    try development.finishReport()
    let common = PhotoParts(
      settings: settings.resolved, name: frames.name, metadata: development.flash.metadata,
      exif: development.flash.exifOfResult(isSRGB: processing.space == .sRGB), notes: development.allNotes)
    deliver(
      Photo(
        common, photoCount: 1, pixels: result, linear: linear, confidence: map, report: development.report))
    guard settings.isConstantColorFallbackPhotoDeliveryEnabled else { return }
    try steps.measureFallback()
    let fallbackGain = exp2(steps.renderFallback.number("exposure-gain") ?? 0)
    deliver(
      Photo(
        common, photoCount: 2, pixels: try PixelBuffer(steps.renderFallback, space: processing.space),
        linear: try PixelBuffer(steps.adaptFallback, gain: fallbackGain), isFallback: true))
  }

  /// Measures the pair, and reads the confidence on the way.
  private func confidence(of development: PairDevelopment) throws -> ConfidenceMap {
    var map: ConfidenceMap?
    try development.measure {
      let box = development.steps.confidence.boundingBox
      var means = CenterWeighting(box)
      var values: [Float] = []
      values.reserveCapacity(box.count)
      for band in box.bands(of: 256) { values += try development.readConfidence(band, into: &means) }
      map = ConfidenceMap(
        width: box.width, height: box.height, values: values, centerWeightedMean: means.centerWeightedMean ?? 0,
        exif: development.flash.exifOfResult(isSRGB: false))
      return means
    }
    guard let map else { throw CaptureError.processingFailed("there is no confidence map") }
    return map
  }

  private func photo(
    of standard: StandardPicture, _ frames: CapturedFrames, _ settings: PhotoSettings,
    _ processing: DevelopmentSettings
  ) throws -> Photo {
    let pixels = try PixelBuffer(standard.rendered, space: processing.space)
    let gain = exp2(standard.rendered.number("found-gain") ?? 0)
    let common = PhotoParts(
      settings: settings.resolved, name: frames.name, metadata: standard.picture.metadata,
      exif: standard.picture.exifOfResult(isSRGB: processing.space == .sRGB), notes: standard.picture.notes)
    return Photo(
      common, photoCount: 1, pixels: pixels, linear: try PixelBuffer(standard.developed, gain: gain))
  }
}

extension PairDevelopment {
  /// What the user should know, the worst first.
  var allNotes: [String] { findings.map { "\($0.severity.rawValue): \($0.message)" } + notes }
}
