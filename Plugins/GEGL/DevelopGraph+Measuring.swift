import ConstantColor
import GEGL
import GEGLOperation
import Glibc
import Raster

/// Measuring once, and fixing what was found as properties. Hosts that do not ask for this get the
/// same numbers, since the steps on automatic find them with the same kernels; here the numbers are
/// known before the picture is rendered, and the last steps can run band by band.
extension DevelopGraph {
  /// Aligns the frames. Throws ``RenderingCancelled`` when cancelled meanwhile.
  public func measureAlignment() throws {
    for node in [align] + (frames?.aligns ?? []) { try evaluate(node) }
    try setResidual(align.number("found-residual"))
  }

  /// Tells the confidence what alignment has left.
  func setResidual(_ residual: Double?) throws {
    if let residual { try confidence.set("residual", .double(min(max(residual, 0.05), 100))) }
  }

  /// Finds the exposure ratio, unless it is given, and fixes it.
  public func measureExposure() throws {
    // Nobody needs all of it: the estimate matches by itself.
    match.keepsResult = false
    guard match.number("exposure-ratio") == 0 else { return }
    try evaluate(match)
    guard let green = match.number("found-exposure-ratio"), let red = match.number("found-red-ratio"),
      let blue = match.number("found-blue-ratio")
    else { return }
    if let uncertainty = match.number("found-ratio-uncertainty") {
      // What is known of a camera's linear values is known of the pair.
      let curve = inputColour == .camera ? 0 : Double(inputColour.matchError)
      try set("ratio-uncertainty", .double(min(hypot(max(uncertainty, 0), curve), 10)))
    }
    if case .string(let flicker)? = try? match.value("found-flicker") { try match.set("flicker", .string(flicker)) }
    try match.set("red-ratio", .double(red))
    try match.set("blue-ratio", .double(blue))
    try match.set("exposure-ratio", .double(green))
  }

  /// Lets the estimate match and subtract by itself, now that the ratio is known: neither result lies in memory.
  private func subtractInEstimate() throws {
    guard let ratio = exposureRatio, let flash = estimate.producer("aux") else { return }
    try estimate.set("matching", .string(ratio.text))
    try estimate.set("subtract", true)
    try estimate.connect(from: flash)
    try estimate.connect("aux2", from: aligned)
  }

  /// The exposure ratio, once it is given or measured.
  var exposureRatio: ExposureRatio? {
    guard let green = match.number("exposure-ratio"), green > 0 else { return nil }
    func channel(_ name: String) -> Double { match.number(name).flatMap { $0 > 0 ? $0 : nil } ?? green }
    var ratio = ExposureRatio(
      red: channel("red-ratio"), green: green, blue: channel("blue-ratio"), relativeUncertainty: 0, source: .prior)
    if case .string(let flicker)? = try? match.value("flicker") { ratio.flicker = Flicker(flicker) }
    return ratio
  }

  private var inputColour: InputColour {
    (try? whiteBalance.value("input-colour")) == .choice("camera") ? .camera : .encoded
  }

  /// Tells the estimate what noise there is, where the files tell it; otherwise it is measured in the pictures. After
  /// ``measureExposure()``.
  ///
  /// - Parameters:
  ///   - flashNoise, ambientNoise: the noise of both frames before anything was done to them.
  ///   - correlation: ``FlashOnlyEstimate/noiseCorrelation``, where it is known.
  public func set(flashNoise: NoiseModel?, ambientNoise: NoiseModel?, correlation: SIMD3<Double>?) throws {
    if let correlation {
      try estimate.set("noise-correlation", .string("\(correlation.x) \(correlation.y) \(correlation.z)"))
    }
    if let flashNoise { try estimate.set("flash-noise", .string(flashNoise.text)) }
    if let ambientNoise, let exposureRatio {
      let matched = ambientNoise.scaled(by: exposureRatio.channels)
      let left = align.number("found-noise-gain").map { SIMD3<Float>(repeating: Float($0)) } ?? SIMD3(repeating: 1)
      try estimate.set(
        "ambient-noise", .string(NoiseModel(gain: matched.gain * left, floor: matched.floor * left).text))
    }
  }

  /// Estimates the flash-only picture, and tells the confidence what the noise and white are.
  public func measureFlashOnly() throws {
    try subtractInEstimate()
    try evaluate(estimate)
    for name in ["flash-noise", "ambient-noise"] {
      guard let model = estimate.text("found-" + name).flatMap({ NoiseModel($0) }) else { continue }
      // Confidence judges means over several pixels, in which the noise comes back that resampling took from each.
      let gain = name == "ambient-noise" ? align.number("found-noise-gain") ?? 1 : 1
      try confidence.set(name, .string(model.beforeResampling(gain: gain).text))
      guard name == "ambient-noise" else { continue }
      try confidence.set("ambient-noise-gain", .double((0.1...1).contains(gain) ? gain : 1))
    }
    if let white = estimate.number("found-white"), white > 0 { try confidence.set("white", .double(min(white, 1e6))) }
  }

  /// Fixes the noise that the ambient look averages away, after ``measureWhiteBalance(neutral:)``.
  public func measureLook() throws {
    let format = try PixelFormat("RGBA float", space: adaptFallback.outputSpace)
    let look = AmbientLook(measuring: try NodeSource(adaptFallback, format: format))
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    try ambientLook.set("luminance-noise", .string("\(look.noise.gain) \(look.noise.floor)"))
  }

  /// Meters the D65 picture in the trusted area, and fixes the gain. Afterwards the result does not
  /// wait for the confidence any more.
  public func measureGain() throws {
    if try render.value("exposure") == .choice("auto") {
      try fixGain(of: render, picture: developed, weights: confidence)
    }
    render.disconnect("aux")
    // Read once, band by band.
    render.keepsResult = false
  }

  /// Finds the ambient light's colour in the mean over the picture, and fixes the noise that it is judged by. Computes no
  /// picture.
  ///
  /// - Parameter neutral: how a grey surface appears in the flash's light, in the picture's numbers.
  public func measureWhiteBalance(neutral: SIMD3<Double>) throws -> AmbientWhiteBalance {
    let format = try PixelFormat("RGBA float", space: match.outputSpace)
    let source = try kept(aligned, format)
    let noise = NoiseModel.ofAmbient(source, Run.execution)
    try whiteBalance.set("noise", .string(noise.text))
    let balance = AmbientWhiteBalance(
      ambient: source, flashOnly: try kept(estimate, format),
      matched: exposureRatio.map { MatchedFrame(source, ExposureMatching($0, over: source.bounds)) }, noise: noise,
      error: inputColour.matchError, neutral: SIMD3<Float>(neutral), execution: Run.execution)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return balance
  }

  /// The part of the picture that either frame has clipped, 0...1; nil where there are no pixels.
  public func clippedFraction() throws -> Double? {
    guard let flash = estimate.producer("aux") else { return nil }
    let format = try PixelFormat("RGBA float", space: match.outputSpace)
    let fraction = ClippedFraction.measure(
      flash: try kept(flash, format), ambient: try kept(aligned, format), execution: Run.execution)
    return fraction.isFinite ? fraction : nil
  }

  /// What a node keeps whole, to be read by several threads at once.
  func kept(_ node: Node, _ format: PixelFormat) throws -> BufferSource {
    guard let source = BufferSource(try node.buffer(), format: format) else {
      throw GEGLError("'\(format.name)' does not have pixels of four floats")
    }
    return source
  }

  /// Meters the fallback picture, and fixes its gain.
  public func measureFallback() throws {
    if try renderFallback.value("exposure") == .choice("auto") {
      try fixGain(of: renderFallback, picture: adaptFallback, weights: nil)
    }
    renderFallback.keepsResult = false
  }

  private func fixGain(of render: Node, picture: Node, weights: Node?) throws {
    let format = try PixelFormat("RGBA float")
    func small(_ node: Node) throws -> Image {
      let source = BandedSource(try NodeSource(node, format: format))
      return reduced(source, over: picture.boundingBox, clipping: .counted).image
    }
    let gain = Metering.gain(of: try small(picture), confidence: try weights.map(small))
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    try render.set("exposure", "fixed")
    try render.set("exposure-gain", .double(min(max((render.number("exposure-gain") ?? 0) + log2(gain), -20), 20)))
  }

  /// Lets a whole-image step compute its result, by asking for one pixel of it.
  func evaluate(_ node: Node) throws {
    let box = node.boundingBox
    let pixel = Rectangle(x: box.x, y: box.y, width: min(1, box.width), height: min(1, box.height))
    guard !pixel.isEmpty, let format = PixelFormat.linear else { return }
    _ = try node.read(pixel, format: format, as: Pixel.self)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
  }
}

extension PixelFormat {
  fileprivate static var linear: PixelFormat? { try? PixelFormat("RGBA float") }
}
