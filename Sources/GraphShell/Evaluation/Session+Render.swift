import ColorScience
import GEGL
import Photo
import Raster

/// The colour space of a file.
struct RenderSpace {
  /// What the file says.
  var rgb: RGBSpace
  /// How GEGL knows it.
  var space: ColorSpace

  /// A space by the name that `develop` has for it. Throws a sentence.
  static func named(_ name: String) throws -> RenderSpace {
    guard let rgb = RGBSpace.named(name) else {
      let all = RGBSpace.all.map(\.identifier) + [SessionOptions.ownSpace]
      throw GEGLError(
        "'--space' takes one of \(all.joined(separator: ", ")), not '\(name)'" + Suggestion.text(for: name, among: all))
    }
    guard let space = rgb == .sRGB ? ColorSpace(named: "sRGB") : made[rgb.identifier] else {
      throw GEGLError("babl cannot make the colour space '\(name)'")
    }
    return RenderSpace(rgb: rgb, space: space)
  }

  /// Made once: babl keeps every space for ever, and has room for a hundred.
  private static let made: [String: ColorSpace] = Dictionary(
    uniqueKeysWithValues: RGBSpace.all.compactMap { rgb in
      func point(_ chromaticity: Chromaticity) -> (x: Double, y: Double) { (chromaticity.x, chromaticity.y) }
      return ColorSpace(
        name: rgb.name, white: point(rgb.white), red: point(rgb.red), green: point(rgb.green), blue: point(rgb.blue),
        curve: ColorSpace(icc: rgb.iccProfile)?.curve
      ).map { (rgb.identifier, $0) }
    })

  /// What is known of a space that a node has.
  static func known(_ space: ColorSpace) -> RGBSpace? {
    if space.name == "sRGB" { return .sRGB }
    return RGBSpace.all.first { $0.name == space.name }
  }
}

extension Session {
  /// The space that a node is written in: the one that is named here or by `set space`; nil for the node's own. Without a name
  /// it is as `develop` does it: its own where the graph renders for an output, else Display P3.
  func space(of name: String, named: String? = nil) throws -> RenderSpace? {
    switch named ?? options.space {
    case SessionOptions.ownSpace: return nil
    case SessionOptions.automaticSpace:
      let isRendered = document.ordered(upTo: name).contains { Self.rendering.contains($0.operation) }
      return isRendered ? nil : try RenderSpace.named(RGBSpace.displayP3.identifier)
    case let name: return try RenderSpace.named(name)
    }
  }

  /// Operations that have the space of their output as a property.
  private static let rendering: Set = ["constant-color:render-output", "constant-color:develop"]

  /// Writes a node's result.
  func render(_ ready: ReadyNode, to destination: PictureDestination, _ space: RenderSpace?, isFloat: Bool) throws {
    let sample = destination.format.sample(float: isFloat)
    let own = space?.space ?? ready.format.space
    let encoding =
      switch (ready.isGrey, destination.format, sample) {
      case (true, _, .uint8): "Y u8"
      case (true, _, .uint16): "Y u16"
      case (true, _, .float32): "Y float"
      case (false, .openEXR, _): "RGB float"
      case (false, _, .uint8): "R'G'B' u8"
      case (false, _, .uint16): "R'G'B' u16"
      case (false, _, .float32): "R'G'B' float"
      }
    let format = try PixelFormat(encoding, space: ready.isGrey ? ready.format.space : own)
    let box = ready.bounds
    let layout = PictureLayout(
      width: box.width, height: box.height, channels: ready.isGrey ? 1 : 3, sample: sample)
    let known = space?.rgb ?? own.flatMap(RenderSpace.known)
    var attachments = PictureAttachments(
      exif: (metadata(ready.name)?.exif ?? ExifBlock()).forResult(
        width: box.width, height: box.height, isSRGB: known == .sRGB, version: environment.version))
    if !ready.isGrey, let own {
      attachments.icc = known?.iccProfile ?? own.iccProfile
      attachments.chromaticities = PictureChromaticities(own)
    }
    let step = "writing \(destination.path)"
    environment.progress(step, 0)
    defer { environment.progress("", nil) }
    let token = environment.execution.cancellation
    try listening {
      try destination.write(layout, attachments, execution: environment.execution) { rows, bytes in
        let band = Rectangle(x: box.x, y: box.y + rows.lowerBound, width: box.width, height: rows.count)
        // In small pieces, so that a stop is heard soon.
        for piece in band.bands(of: Self.bandRows(box.width)) {
          let start = (piece.y - band.y) * layout.rowBytes
          let part = bytes[start..<start + piece.height * layout.rowBytes]
          try ready.quietly {
            try ready.node.read(piece, format: format, into: UnsafeMutableRawBufferPointer(rebasing: part))
          }
          if token.isCancelled { throw RenderingCancelled() }
        }
        environment.progress(step, Double(rows.upperBound) / Double(box.height))
      }
    }
  }
}

extension PictureChromaticities {
  init(_ space: ColorSpace) {
    let points = space.chromaticities
    func pair(_ point: (x: Double, y: Double)) -> SIMD2<Float> { SIMD2(Float(point.x), Float(point.y)) }
    self.init(red: pair(points.red), green: pair(points.green), blue: pair(points.blue), white: pair(points.white))
  }
}
