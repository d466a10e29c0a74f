import GEGL
import Glibc
import Inspection
import Photo
import Raster

/// A node that can be computed: it is fed, and has bounds.
struct ReadyNode {
  var name: String
  var node: Node
  var bounds: Rectangle
  /// The format of its result.
  var format: PixelFormat
  /// Whether a library that prints warnings reads a file for it.
  var isChatty = false
  /// What is measured instead of the result, and the factor on it; nil: the result.
  var unbounded: (node: Node, gain: Float)?

  /// Whether it has one channel (besides alpha) that is no colour, such as a confidence.
  var isGrey: Bool { format.components - (format.hasAlpha ? 1 : 0) == 1 }

  /// Its channels, alpha among them where it has one.
  var channels: Channels {
    switch (isGrey, format.hasAlpha) {
    case (true, false): .grey
    case (true, true): .greyAlpha
    case (false, false): .rgb
    case (false, true): .rgba
    }
  }

  /// Computes pixels of the result, or of what is measured instead.
  func read(_ area: Rectangle, _ format: PixelFormat) throws -> [Pixel] {
    try quietly {
      guard let unbounded else { return try node.read(area, format: format, as: Pixel.self) }
      let gain = Pixel(rgb: SIMD3(repeating: unbounded.gain), alpha: 1)
      return try unbounded.node.read(area, format: format, as: Pixel.self).map { $0 * gain }
    }
  }

  /// Runs `body`, which computes the node.
  func quietly<Result>(_ body: () throws -> Result) rethrows -> Result {
    isChatty ? try StandardError.withoutChatter(body) : try body()
  }

  /// Linear light in its own primaries, four floats.
  var linear: PixelFormat { get throws { try PixelFormat("RGBA float", space: format.space) } }
}

// Computing results. Nothing that cannot be computed reaches GEGL, whose operations read memory that is not there.
extension Session {
  /// A node that is ready to be computed. Throws a sentence.
  func ready(_ name: String) throws -> ReadyNode {
    let (node, box) = try fed(name)
    guard !box.isInfinite, box.width < 1 << 30, box.height < 1 << 30 else {
      throw GEGLError("'\(name)' has no bounds; cut a piece out: gegl:crop \(name) width=640 height=480")
    }
    guard !box.isEmpty else { throw GEGLError("'\(name)' has no pixels") }
    guard box.count <= 1 << 30 else {
      throw GEGLError("'\(name)' has \(box.width) × \(box.height) pixels, which are too many; crop or scale it")
    }
    guard let format = node.outputFormat else { throw GEGLError("'\(name)' does not say what its pixels are") }
    return ReadyNode(name: name, node: node, bounds: box, format: format, isChatty: isChatty(name))
  }

  /// A node as it is measured: where it renders for an output, the picture before colours were brought into the output space.
  func measurable(_ name: String) throws -> ReadyNode {
    var ready = try ready(name)
    let rendering = ready.node.inner ?? ready.node
    guard rendering.operation == "constant-color:render-output", let picture = rendering.producer() else {
      return ready
    }
    // The gain is that of what was rendered last: a pixel, now.
    try computeFound(name)
    guard let stops = rendering.number("found-gain"), picture.operation != "gegl:nop" else { return ready }
    ready.unbounded = (picture, Float(exp2(stops)))
    return ready
  }

  /// The node of GEGL's, which has an output and all inputs that it needs, and its bounds.
  func fed(_ name: String) throws -> (Node, Rectangle) {
    guard let live = live[name] else { throw GEGLError("there is no node '\(name)'") }
    guard live.node.has(pad: "output") else { throw GEGLError("'\(name)' gives no picture: it has no output") }
    for node in document.ordered(upTo: name) {
      let operation = try book.describe(node.operation)
      try checkFile(node)
      guard let pad = operation.orderedInputs.first else {
        try checkSource(node, operation)
        continue
      }
      for pad in FragileOperations.fullyFed.contains(node.operation) ? operation.orderedInputs : [pad]
      where node.source(of: pad) == nil {
        throw GEGLError(
          "'\(node.name)' is not fed: connect its pad '\(pad)', such as by connect NODE \(node.name).\(pad)")
      }
      guard let side = FragileOperations.leastSide[node.operation], let source = node.source(of: pad) else { continue }
      guard let input = try self.live[source].map({ live in try listening { live.node.boundingBox } }),
        input.width >= side, input.height >= side
      else {
        throw GEGLError(
          "'\(node.operation)' needs pictures of at least \(side) × \(side) pixels, which '\(source)' is not")
      }
    }
    // A file that has changed is read again, before anybody measures what was in it.
    _ = try listening { try self.live.refresh(document.ordered(upTo: name)) }
    let box = try listening {
      isChatty(name) ? StandardError.withoutChatter { live.node.boundingBox } : live.node.boundingBox
    }
    return (live.node, box)
  }

  private func isChatty(_ name: String) -> Bool {
    document.ordered(upTo: name).contains { $0.operation.hasPrefix("gegl:") && !$0.namedFiles.isEmpty }
  }

  /// Runs `body`; what GEGL complains about is an error.
  func listening<Result>(_ body: () throws -> Result) throws -> Result {
    let (result, messages) = try Messages.capture(body)
    if environment.execution.cancellation.isCancelled { throw RenderingCancelled() }
    if let message = messages.first(where: { !isHarmless($0) }) { throw GEGLError(words(message)) }
    return result
  }

  /// Computes what a node finds out, by asking for a pixel of it.
  func computeFound(_ name: String) throws {
    let ready = try ready(name)
    let box = ready.bounds
    let pixel = Rectangle(x: box.x + box.width / 2, y: box.y + box.height / 2, width: 1, height: 1)
    environment.progress("computing \(name)", nil)
    defer { environment.progress("", nil) }
    _ = try listening { try ready.quietly { try ready.node.read(pixel, format: ready.linear, as: Pixel.self) } }
  }

  /// What is kept of a node under.
  func key(_ ready: ReadyNode) -> KeptResults.Key {
    var key = key(ready.name)
    key.isUnbounded = ready.unbounded != nil
    return key
  }

  /// What the result of a node depends on.
  func key(_ name: String) -> KeptResults.Key {
    let definitions = document.ordered(upTo: name)
    return KeptResults.Key(definitions: definitions, stamps: definitions.map { live[$0.name]?.stamp })
  }

  /// The whole result of a node, as linear light in its own primaries; kept.
  func result(_ ready: ReadyNode) throws -> BufferSource {
    let key = key(ready)
    let format = try ready.linear
    let buffer: Buffer
    if let known = results.buffer(key) {
      buffer = known
    } else {
      buffer = try Buffer(ready.bounds, format: format)
      try bands(of: ready, "computing \(ready.name)", format: format) { band, pixels in
        try buffer.write(pixels, to: band, format: format)
      }
      results.keep(buffer, key)
    }
    guard let source = BufferSource(buffer, format: format) else { throw GEGLError("'\(ready.name)' has no pixels") }
    return source
  }

  /// Computes a node band by band.
  func bands(
    of ready: ReadyNode, _ step: String, format: PixelFormat, _ body: (Rectangle, [Pixel]) throws -> Void
  ) throws {
    defer { environment.progress("", nil) }
    environment.progress(step, 0)
    try listening {
      for band in ready.bounds.bands(of: Self.bandRows(ready.bounds.width)) {
        let pixels = try ready.read(band, format)
        if environment.execution.cancellation.isCancelled { throw RenderingCancelled() }
        try body(band, pixels)
        environment.progress(step, Double(band.maxY - ready.bounds.y) / Double(ready.bounds.height))
      }
    }
  }

  /// Rows of a band: whole rows of GEGL's tiles, about half a megapixel, so that a stop is heard soon.
  static func bandRows(_ width: Int) -> Int { max(1, (1 << 19) / (128 * max(1, width))) * 128 }

  /// A part of a node's result as linear light in `format`, without computing the rest of it.
  func pixels(_ ready: ReadyNode, _ area: Rectangle, _ format: PixelFormat) throws -> [Pixel] {
    if let buffer = results.buffer(key(ready)) { return try buffer.read(area, format: format, as: Pixel.self) }
    environment.progress("computing \(ready.name)", nil)
    defer { environment.progress("", nil) }
    return try listening { try ready.read(area, format) }
  }

  /// What the camera wrote into the file that a node's picture came from, along its first inputs; nil where there is none.
  func metadata(_ name: String) -> Metadata? {
    var next: String? = name
    while let name = next, let node = document[name] {
      if let picture = live[name]?.picture { return picture.metadata }
      if node.operation == "constant-color:load-raw", case .string(let path)? = node.setting("path") {
        return Metadata(path: path)
      }
      next = node.source(of: "input")
    }
    return nil
  }
}
