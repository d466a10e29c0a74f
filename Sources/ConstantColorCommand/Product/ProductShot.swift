import ColorScience
import ConstantColor
import Development
import Document
import GEGL
import GEGLOperation
import Glibc
import JSONValue
import Photo
import ProductPicture
import Raster
import SkinRecord
import TextOutput

/// One product: its pair developed, its swatches measured, its background made white, its files written.
final class ProductShot {
  private let pair: PhotoPair
  private let options: ProductOptions
  private let bar: ProgressBar
  private let development: PairDevelopment
  private let box: Rectangle
  /// The whole map, row after row.
  private var confidence: [Float] = []
  /// What tells the brightness.
  private var reference: SwatchSample?
  private var swatches: [SwatchSample] = []
  /// What is wrong with the pair, and what else to know.
  var findings: [Finding] { development.findings }
  var notes: [String] { development.notes + ownNotes }
  private var ownNotes: [String] = []

  /// Loads the pair. Throws `InputError` for what cannot be used.
  init(_ pair: PhotoPair, _ options: ProductOptions, _ bar: ProgressBar) throws {
    (self.pair, self.options, self.bar) = (pair, options, bar)
    bar.show("\(pair.name): loading")
    development = try PairDevelopment(flash: pair.flash, ambients: pair.ambients, options.settings)
    box = Rectangle(width: development.flash.width, height: development.flash.height)
    for (name, region) in Self.regions(options) where region.intersection(box) != region {
      throw InputError(
        "\(pair.flash): the \(name) (\(region.x),\(region.y),\(region.width),\(region.height)) does not lie in the picture of "
          + "\(box.width) × \(box.height) pixels; name a place that does")
    }
  }

  private static func regions(_ options: ProductOptions) -> [(name: String, box: Rectangle)] {
    (options.grey.map { [("grey card", $0.box)] } ?? []) + options.swatches.map { ($0.name, $0.box) }
  }

  /// The place that tells the brightness, and its luminance on a scale on which white is 1.
  private var lightReference: (box: Rectangle, luminance: Double)? {
    if let grey = options.grey { return (grey.box, grey.reflectance) }
    return options.swatches.first.map { ($0.box, $0.color.xyz().y) }
  }

  /// Develops, measures, judges and writes. Throws `RenderingCancelled` when stopped.
  func run() throws -> ProductResult {
    let show: PairDevelopment.Progress = { [bar, pair] in bar.show("\(pair.name): \($0)", $1) }
    confidence.reserveCapacity(box.count)
    try development.measure(progress: show) { try measureConfidence() }
    if let reference, reference.isTrusted, let light = lightReference {
      try development.steps.render.set("exposure", "fixed")
      try development.steps.render.set(
        "exposure-gain", .double(min(max(log2(light.luminance / reference.light), -20), 20)))
    }
    swatches = try options.swatches.map { try sample($0.box) }
    try development.measureLights()

    show("finding the background", nil)
    let rendered = try NodeSource(development.steps.render, format: PixelFormat("RGBA float"))
    let map = try Buffer(box, format: PixelFormat("Y float"), samples: confidence)
    let trust = try BufferSource(map, format: PixelFormat("RGBA float"))
    let background = ProductBackground.find(
      in: rendered, confidence: trust, ignoring: Self.regions(options).map(\.box), execution: Run.execution)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    if options.background != nil, background == nil {
      ownNotes.append(
        "\(pair.flash): no even, light background that can be trusted reaches the picture's border; it stays as it is")
    }
    if development.flatField != nil {
      func uniformity() throws -> Double? {
        let picture = try NodeSource(development.steps.adapt, format: PixelFormat("RGBA float"))
        return PaperWhite.find(
          in: reduced(picture, clipping: .counted, execution: Run.execution), execution: Run.execution)?
          .evenness.before.uniformity
      }
      let before = try background == nil ? nil : development.withoutFlatField(uniformity)
      development.uniformity = FlatFieldUniformity(
        of: "background", before: before, after: try background == nil ? nil : uniformity())
    }
    var result = try judge(background, trust)
    try write(rendered, background, into: &result)
    return result
  }

  // MARK: measuring

  /// The whole confidence; what is lighter than a surface can be has none.
  private func measureConfidence() throws -> CenterWeighting {
    if let light = lightReference {
      let sample = try sample(light.box)
      reference = sample
      if sample.isTrusted { try development.rejectUnmeasurable(white: sample.light / light.luminance) }
    }
    var means = CenterWeighting(box)
    for band in box.bands(of: 256) {
      confidence += try development.readConfidence(band, into: &means)
      bar.show("\(pair.name): judging confidence", Double(band.maxY) / Double(box.height))
    }
    return means
  }

  private func sample(_ region: Rectangle) throws -> SwatchSample {
    let steps = development.steps
    let light = try steps.adapt.read(region, format: PixelFormat("RGBA float"), as: Pixel.self)
    let confidence = try steps.confidence.read(
      region, format: PixelFormat("Y float", space: steps.confidence.outputSpace), as: Float.self)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return SwatchSample(light, confidence: confidence, width: region.width, threshold: Self.swatchConfidence)
  }

  /// The confidence from which a swatch's pixels count.
  private static let swatchConfidence = 0.5

  // MARK: judging

  private func judge(_ background: ProductBackground?, _ trust: BufferSource?) throws -> ProductResult {
    var result = ProductResult(pair)
    let report = development.report
    result.centerWeightedConfidence = report.centerWeightedMeanConfidence
    result.gain = log2(development.gain)
    result.background = background?.fraction
    result.uniformity = development.uniformity
    result.findings = development.findings.map(\.kind.rawValue)

    let hint = development.profile == nil ? ", and name a profile: without one little is trusted" : ""
    let cells = try product(background, trust)
    result.confidence = background == nil ? report.centerWeightedMeanConfidence : cells.confidence
    result.unmeasurable = cells.unmeasurable
    if let part = result.unmeasurable, part > Self.mostUnmeasurable {
      result.fail(
        .notMeasurable,
        "\(percent(part)) of the product is lighter than any surface of its colour that only reflects: it "
          + "glows, mirrors the flash, or is much nearer than the card; no photograph tells its colour")
    }
    if let confidence = result.confidence, confidence < options.threshold, result.verdict != .notMeasurable {
      result.fail(
        .retake,
        "the product's confidence is \(decimal(confidence, 3)), below \(options.threshold): take it nearer to the "
          + "flash, in less room light" + hint)
    }
    if let reference {
      result.lightError = reference.isTrusted ? reference.relativeError : nil
      if !reference.isTrusted {
        result.fail(
          .retake,
          "the card or swatch that tells the brightness is not trusted: light it evenly, without glare"
            + hint)
      }
    }
    for (swatch, sample) in zip(options.swatches, swatches) {
      guard sample.isTrusted else {
        result.swatches.append(ProductResult.Swatch(name: swatch.name, reference: swatch.color))
        result.fail(.retake, "the swatch \(swatch.name) is not trusted: light it evenly, without glare" + hint)
        continue
      }
      let lab = sample.lab(gain: development.gain)
      let difference = lab.ciede2000(to: swatch.color)
      let uncertainty = sample.uncertainty(gain: development.gain)
      result.swatches.append(
        ProductResult.Swatch(
          name: swatch.name, reference: swatch.color, color: lab, difference: difference, uncertainty: uncertainty))
      if difference - 2 * uncertainty > options.difference {
        result.fail(
          .outOfTolerance,
          "the swatch \(swatch.name) is off by ΔE00 \(decimal(difference, 2)), more than \(options.difference): "
            + "calibrate the camera again, or look at the swatch")
      }
    }
    return result
  }

  /// More of a product cannot be highlights.
  private static let mostUnmeasurable = 0.2

  /// The mean confidence of the product, and the part of it that is lighter than what reflects; without a background of
  /// everything.
  private func product(
    _ background: ProductBackground?, _ trust: BufferSource?
  ) throws -> (confidence: Double?, unmeasurable: Double?) {
    guard let trust else { return (nil, nil) }
    let map = reduced(trust, clipping: .counted, execution: Run.execution).image
    let picture = try reduced(
      NodeSource(development.steps.adapt, format: PixelFormat("RGBA float")), clipping: .counted,
      execution: Run.execution
    ).image
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    let isProduct = background?.product ?? [Bool](repeating: true, count: map.pixels.count)
    let cells = map.pixels.indices.filter { isProduct.indices.contains($0) && isProduct[$0] }
    guard !cells.isEmpty, picture.pixels.count == map.pixels.count else { return (nil, nil) }
    let confidence = cells.reduce(0) { $0 + Double(map.pixels[$1].x) } / Double(cells.count)
    guard let light = lightReference, let reference, reference.isTrusted else { return (confidence, nil) }
    let check = ReflectanceCheck(white: reference.light / light.luminance)
    let beyond = cells.count { check.isBeyond(picture.pixels[$0].rgb) }
    return (confidence, Double(beyond) / Double(cells.count))
  }

  // MARK: writing

  private func write(
    _ rendered: NodeSource, _ background: ProductBackground?, into result: inout ProductResult
  ) throws {
    let files = options.files
    try files.makeFolders(around: files.result(pair.name))
    func path(_ name: String) -> String { files.folder + "/" + name }
    let space = options.settings.space
    let exif = development.flash.exifOfResult(isSRGB: space == .sRGB)
    let white = options.background.flatMap { color in
      background.map { WhitenedPicture(rendered, $0, color: SIMD3<Float>(RGBSpace.sRGB.fromXYZ * color.xyz().vector)) }
    }
    let linear = try PixelFormat("RGBA float")
    try PictureDestination(path(files.result(pair.name))).writePicture(
      box, space: space, development.steps.render.outputSpace, exif: exif
    ) { band, format, bytes in
      bar.show("\(pair.name): writing", Double(band.maxY) / Double(box.height))
      guard let white else { return try development.steps.render.read(band, format: format, into: bytes) }
      let pixels = Self.pixels(white, band)
      let encoded = try Buffer(band, format: linear, samples: pixels).read(band, format: format, as: UInt8.self)
      encoded.withUnsafeBytes { bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(bytes.count))) }
    }
    try PictureDestination(path(files.confidence(pair.name))).writeMap(box, exif: nil) { band in
      Array(confidence[(band.y * box.width)..<(band.maxY * box.width)])
    }
    try development.finishReport()
    guard case .object(let members) = development.report.json else { return }
    result.hasFiles = true
    try JSON.object(members + [JSON.Member("product", result.json)]).write(to: path(files.report(pair.name)))
  }

  private static func pixels(_ picture: some PixelSource, _ band: Rectangle) -> [Pixel] {
    var image = Image(band)
    let parts = band.bands(of: 32)
    image.withMutablePixels { pixels in
      nonisolated(unsafe) let pixels = pixels
      nonisolated(unsafe) let picture = picture
      Run.execution.forEach(parts.count) { index in
        let part = parts[index]
        picture.read(part, into: pixels.suffix(from: (part.y - band.y) * band.width, count: part.count))
      }
    }
    return image.pixels
  }
}
