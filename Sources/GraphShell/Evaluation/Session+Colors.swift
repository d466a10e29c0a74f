import GEGL
import Inspection
import Raster

// What colours the numbers of a node mean.
extension Session {
  /// How the numbers of a node become colours.
  enum ColorPath {
    /// They are colours of their own space.
    case own
    /// Through an operation of the graph that adapts to D65.
    case adaptation(NodeDefinition)
    /// They are no colours.
    case none(String)
  }

  private static let adapting = "constant-color:adapt-to-d65"
  private static let developing = "constant-color:develop"

  /// How the numbers of a node become colours: after the graph's adaptation they are colours; before it they are sent
  /// through it; where there is none, those of a camera's sensor are none.
  func colorPath(_ ready: ReadyNode) -> ColorPath {
    if ready.isGrey { return .none("one channel: no colour") }
    let adaptations = document.nodes.filter { $0.operation == Self.adapting || $0.operation == Self.developing }
    for adaptation in adaptations where document.depends(ready.name, on: adaptation.name) { return .own }
    if let next = adaptations.last(where: { document.depends($0.name, on: ready.name) }) { return .adaptation(next) }
    let isCamera = document.ordered(upTo: ready.name).contains { $0.operation == "constant-color:load-raw" }
    return isCamera ? .none("numbers of a camera: colours are known after constant-color:adapt-to-d65") : .own
  }

  /// Pixels (linear, in the node's own primaries) as linear light with sRGB primaries under D65; nil where they are no colours.
  func colors(_ pixels: [Pixel], _ area: Rectangle, _ ready: ReadyNode, _ path: ColorPath) throws -> [Pixel]? {
    let sRGB = try PixelFormat("RGBA float")
    switch path {
    case .none: return nil
    case .own:
      return try Buffer(area, format: ready.linear, samples: pixels).read(area, format: sRGB, as: Pixel.self)
    case .adaptation(let definition):
      let graph = try Graph()
      let source = try graph.add(Buffer(area, format: ready.linear, samples: pixels))
      let adapt = try graph.add(Self.adapting)
      for setting in definition.settings where adapt.has(setting.name) { try adapt.set(setting.name, setting.value) }
      try adapt.connect(from: source)
      return try listening { try adapt.read(area, format: sRGB, as: Pixel.self) }
    }
  }

  /// What must be known of a node's colours: that they are those of values sent through an adaptation. Nil where they are its own.
  func adaptationNote(_ name: String) throws -> String? {
    guard case .adaptation(let definition) = colorPath(try ready(name)) else { return nil }
    return "       the colours of '\(name)' are those of the values sent through '\(definition.name)'"
  }

  /// What a place of a node's result shows.
  func reading(_ ready: ReadyNode, x: Int, y: Int, radius: Int) throws -> PixelReading {
    let box = ready.bounds
    guard box.contains(x: x, y: y) else {
      throw GEGLError(
        "(\(x), \(y)) is outside of '\(ready.name)', which has x from \(box.x) to \(box.maxX - 1), y from \(box.y) to \(box.maxY - 1)"
      )
    }
    let area = Rectangle(x: x, y: y, width: 1, height: 1).expanded(by: radius).intersection(box)
    let numbers = try pixels(ready, area, ready.linear)
    let path = colorPath(ready)
    func mean(_ pixels: [Pixel]) throws -> PixelMean {
      var image = Image(area)
      image.pixels = pixels
      guard let mean = PixelMean(image, x: x, y: y, radius: radius) else {
        throw GEGLError("the radius is 0 to 1000, not \(radius)")
      }
      return mean
    }
    let note: String? =
      switch path {
      case .own:
        ready.unbounded == nil ? nil : "before highlights roll off and colours are brought into the output space"
      case .none(let reason): reason
      case .adaptation(let definition): "colours are those of the values sent through '\(definition.name)'"
      }
    return PixelReading(
      x: x, y: y, radius: radius, try mean(numbers), color: try colors(numbers, area, ready, path).map(mean), note: note
    )
  }

  /// A node's whole result as linear light with sRGB primaries under D65, to be compared.
  func colorSource(_ ready: ReadyNode) throws -> any PixelSource {
    let kept = try result(ready)
    let sRGB = try PixelFormat("RGBA float")
    switch colorPath(ready) {
    case .own:
      guard let buffer = results.buffer(key(ready)), let source = BufferSource(buffer, format: sRGB) else {
        return kept
      }
      return source
    case .none(let reason): throw GEGLError("'\(ready.name)' cannot be compared as a colour: \(reason)")
    case .adaptation(let definition):
      let adapted = try Buffer(ready.bounds, format: sRGB)
      let path = ColorPath.adaptation(definition)
      for band in ready.bounds.bands(of: Self.bandRows(ready.bounds.width)) {
        guard let pixels = try colors(kept.image(band).pixels, band, ready, path) else { continue }
        try adapted.write(pixels, to: band, format: sRGB)
      }
      return BufferSource(adapted, format: sRGB) ?? kept
    }
  }
}
