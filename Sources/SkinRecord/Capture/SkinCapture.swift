import ColorScience
import ConstantColor
import Development
import GEGL
import GEGLOperation
import JSONValue
import Photo
import Raster

/// Develops a pair and measures the skin in it.
public final class SkinCapture {
  private let request: CaptureRequest
  private let development: PairDevelopment
  private let box: Rectangle
  private let regions: [CaptureRequest.NamedRegion]
  /// The whole map, row after row.
  private var confidence: [Float] = []
  /// What all records of the series must share with this.
  public let identity: SeriesIdentity
  /// What the development found wrong or worth knowing.
  public var findings: [Finding] { development.findings }
  /// See ``findings``.
  public var notes: [String] { development.notes }

  /// Loads the pair. Throws `InputError` for what cannot be used.
  public init(_ request: CaptureRequest) throws {
    var request = request
    request.settings.threshold = request.threshold
    self.request = request
    development = try PairDevelopment(flash: request.flash, ambients: request.ambients, request.settings)
    box = Rectangle(width: development.flash.width, height: development.flash.height)
    identity = try Self.identity(request, development)
    regions = request.regions.isEmpty ? [Self.middle(of: box)] : request.regions
    let named = regions + (request.grey.map { [CaptureRequest.NamedRegion(name: "grey card", box: $0.box)] } ?? [])
    for region in named where region.box.isEmpty || region.box.intersection(box) != region.box {
      let place = region.box
      throw InputError(
        "the region \(region.name) (\(place.x),\(place.y),\(place.width),\(place.height)) does not lie in the "
          + "picture of "
          + "\(box.width) × \(box.height) pixels; name one that does")
    }
  }

  /// Half of the shorter side, in the middle: where one points at.
  private static func middle(of box: Rectangle) -> CaptureRequest.NamedRegion {
    let side = max(1, min(box.width, box.height) / 2)
    return CaptureRequest.NamedRegion(
      name: "middle",
      box: Rectangle(x: (box.width - side) / 2, y: (box.height - side) / 2, width: side, height: side))
  }

  private static func identity(_ request: CaptureRequest, _ development: PairDevelopment) throws -> SeriesIdentity {
    let metadata = development.flash.metadata
    var camera = [metadata.make, metadata.model].compactMap(\.self).joined(separator: " ")
    camera.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
    let kind = development.isCameraRGB ? "RAW" : "developed pictures"
    var identity = SeriesIdentity(
      profile: nil, source: "\(kind), \(camera.isEmpty ? "unknown camera" : camera)", chart: nil,
      exposure: (request.settings.exposure == .fixed ? "fixed" : "auto")
        + (development.profile?.flatField != nil && development.flatField == nil ? " without flat field" : ""),
      lightness: request.lightness.text)
    guard let path = request.settings.profile else { return identity }
    do {
      let bytes = try ByteFile.read(path, as: "a calibration profile", atMost: 1 << 24)
      identity.profile = Checksum.of(bytes)
      identity.chart = try JSON(parsing: bytes)["chart"]["name"].string
    } catch let error as JSONError { throw InputError("\(path): \(error)") } catch { throw InputError(error) }
    return identity
  }

  /// Develops and measures. Throws `RenderingCancelled` when stopped.
  public func run(
    progress: PairDevelopment.Progress = { _, _ in }
  ) throws -> (record: SkinRecord, advice: [RetakeAdvice]) {
    confidence.reserveCapacity(box.count)
    try development.measure(progress: progress) {
      let area = development.steps.confidence.boundingBox
      var means = CenterWeighting(area)
      for band in area.bands(of: 256) {
        confidence += try development.readConfidence(band, into: &means)
        progress("judging confidence", Double(band.maxY - area.y) / Double(max(area.height, 1)))
      }
      return means
    }
    try development.measureLights()
    try development.measureUniformity(of: "skin", in: regions.map(\.box))
    try development.finishReport()
    progress("measuring", nil)
    let samples = try regions.map { try self.samples($0.box) }
    var conditions = MeasurementConditions(
      expectedError: development.color.expectedError,
      ratioUncertainty: development.steps.confidence.number("ratio-uncertainty") ?? 0.01,
      lightness: .failure(Unmeasured(reason: "")))
    let grey = try request.grey.map { try self.samples($0.box) }
    var measured: [SkinRecord.Region] = []
    for (region, samples) in zip(regions, samples) {
      conditions.lightness = lightness(at: region.box, grey)
      let color = RegionColor(samples, conditions)
      measured.append(
        SkinRecord.Region(
          name: region.name, box: region.box, pixels: color.pixels, trusted: color.trusted,
          confidence: color.confidence, atLightness: color.atLightness, measurements: color.measurements))
    }
    let record = try self.record(measured)
    let advice = RetakeAdvice.of(record, try clues(samples))
    return (record, advice)
  }

  /// The result and the map, as files in memory, without metadata that tell of people. After ``run(progress:)``.
  ///
  /// - Parameter folder: for files without names; the database's.
  public func pictures(
    in folder: String, progress: PairDevelopment.Progress = { _, _ in }
  ) throws -> [StoredPicture] {
    let (space, steps) = (request.settings.space, development.steps)
    let exif = development.flash.exifOfResult(isSRGB: space == .sRGB).withoutPersons
    let result = PictureMemory()
    let render = steps.render
    try PictureDestination(request.format, to: result, in: folder)
      .writePicture(render.boundingBox, space: space, render.outputSpace, exif: exif) { band, format, bytes in
        try render.read(band, format: format, into: bytes)
        progress("storing the picture", Double(band.maxY - box.y) / Double(max(box.height, 1)))
      }
    let map = PictureMemory()
    let area = steps.confidence.boundingBox
    try PictureDestination(request.format, to: map, in: folder).writeMap(area, exif: nil) { band in
      let start = (band.y - area.y) * area.width
      return Array(confidence[start..<(start + band.count)])
    }
    let format = request.format.usualExtension
    return [
      StoredPicture(.picture, format: format, bytes: result.bytes),
      StoredPicture(.confidence, format: format, bytes: map.bytes),
    ]
  }

  // MARK: parts

  private func samples(_ region: Rectangle) throws -> RegionSamples {
    let steps = development.steps
    let format = try PixelFormat("RGBA float", space: steps.adapt.outputSpace)
    let toXYZ = RGBSpace.sRGB.toXYZ
    func read(_ node: Node, _ band: Rectangle) throws -> [SIMD3<Double>] {
      let pixels = try node.read(band, format: format, as: Pixel.self)
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      return pixels.map { toXYZ * SIMD3<Double>($0.rgb) }
    }
    // Other light by the same way to D65.
    func adapted(_ node: Node, _ band: Rectangle) throws -> [SIMD3<Double>] {
      try steps.flatField.connect(from: node)
      defer { try? steps.flatField.connect(from: steps.estimate) }
      return try read(steps.adapt, band)
    }
    var samples = RegionSamples(region, threshold: request.threshold, tolerance: request.settings.tolerance)
    for band in region.bands(of: 256) {
      samples.add(
        RegionSamples.Band(
          box: band, light: try read(steps.adapt, band), difference: try adapted(steps.subtract, band),
          room: try adapted(steps.match, band), confidence: confidence(in: band)))
    }
    return samples
  }

  private func confidence(in part: Rectangle) -> [Float] {
    let area = development.steps.confidence.boundingBox
    return (part.y..<part.maxY).flatMap { row -> ArraySlice<Float> in
      let start = (row - area.y) * area.width + part.x - area.x
      return confidence[start..<(start + part.width)]
    }
  }

  /// What turns luminance at a place into reflectance.
  private func lightness(at region: Rectangle, _ grey: RegionSamples?) -> Result<LightnessScale, Unmeasured> {
    if let card = request.grey, let grey {
      guard grey.trusted >= 16, Double(grey.trusted) >= RegionColor.leastShare * Double(grey.pixels) else {
        return .failure(Unmeasured(reason: "the grey card is not trusted: it must be evenly lit, without glare"))
      }
      guard grey.light.y > 0 else { return .failure(Unmeasured(reason: "the flash did not reach the grey card")) }
      return .success(
        LightnessScale(
          factor: card.reflectance / grey.light.y,
          capture: Unevenness.between(region.middle, card.box.middle, box), common: Unevenness.card))
    }
    guard request.distance != nil else {
      return .failure(
        Unmeasured(
          reason: "needs L*: put a grey card beside the skin (--grey), or keep the distance (--distance, "
            + "--exposure fixed)"))
    }
    guard request.settings.exposure == .fixed, development.profile != nil else {
      return .failure(
        Unmeasured(reason: "needs L*: a fixed distance tells it only with --exposure fixed and a --profile"))
    }
    // Light falls with the square of the distance.
    let uneven = Unevenness.between(region.middle, box.middle, box)
    let distance = 2 * Unevenness.distance
    return .success(
      LightnessScale(
        factor: development.gain, capture: (uneven * uneven + distance * distance).squareRoot(),
        common: Unevenness.card))
  }

  private func record(_ regions: [SkinRecord.Region]) throws -> SkinRecord {
    let report = development.report
    let checksum: String
    do { checksum = try Checksum.ofFile(request.flash, as: "a picture") } catch { throw InputError(error) }
    let added = Timestamp.now
    let taken = request.taken ?? development.flash.metadata.time.map { Timestamp.text($0) } ?? added
    return SkinRecord(
      subject: request.subject, site: request.site, identity: identity, taken: taken, added: added,
      confidence: min(max(report.centerWeightedMeanConfidence ?? 0, 0), 1),
      meanConfidence: min(max(report.meanConfidence ?? 0, 0), 1), threshold: request.threshold,
      tolerance: request.settings.tolerance, expectedError: development.color.expectedError,
      version: PairDevelopment.version, flashChecksum: checksum,
      report: report.json.without(["path", "message", "timings"]).text(indented: false), regions: regions)
  }

  /// What tells why a capture is no good.
  private func clues(_ samples: [RegionSamples]) throws -> RetakeAdvice.Clues {
    var clues = RetakeAdvice.Clues()
    let light = samples.reduce(0) { $0 + $1.flashLight }
    let room = samples.reduce(0) { $0 + $1.roomLight }
    clues.roomOverFlash = light > 0 ? room / light : .infinity
    clues.hasFlash = samples.reduce(0) { $0 + $1.plainLight } > 0.02 * room
    if let profile = development.profile {
      let exposure = profile.relativeExposure(of: development.flash.metadata.flashExposure(profile.duration))
      clues.flashLevel = light / Double(max(1, samples.reduce(0) { $0 + $1.pixels })) / exposure
    }
    clues.iso = development.flash.metadata.iso
    let report = development.report
    clues.residual = report.alignment?.residual
    clues.hasMoved = report.alignment?.outcome == "no-structure" || (report.alignment?.overlap ?? 1) < 0.9
    clues.kinds = development.findings.filter { $0.severity > .note }.map(\.kind)
    let format = try PixelFormat("RGBA float", space: development.flash.buffer.format?.space)
    var clipped = 0
    for region in regions {
      for band in region.box.bands(of: 256) {
        let flash = try development.flash.buffer.read(band, format: format, as: Pixel.self)
        clipped += flash.count { $0.rgb.max() >= Self.clipping }
      }
    }
    clues.glare = Double(clipped) / Double(max(1, regions.reduce(0) { $0 + $1.box.count }))
    return clues
  }

  private static let clipping: Float = 0.97
}

extension JSON {
  /// The same without members of some names, wherever they are.
  func without(_ keys: Set<String>) -> JSON {
    switch self {
    case .object(let members):
      .object(members.filter { !keys.contains($0.key) }.map { Member($0.key, $0.value.without(keys)) })
    case .array(let elements): .array(elements.map { $0.without(keys) })
    default: self
    }
  }
}
