import GEGL
import Raster
import TerminalPicture

extension Session {
  /// Shows one picture, or two beside each other. Where there is no terminal, they are only computed.
  ///
  /// - Parameters:
  ///   - stops: the exposure, or "auto"; nil: as it is.
  ///   - isActual: a pixel of the picture is one of the screen.
  func view(_ names: [String], _ area: Rectangle?, stops: String?, isActual: Bool) throws {
    let sources = try names.map { name -> (any PixelSource, Rectangle) in
      let ready = try ready(name)
      return (try viewed(ready), try inside(area, ready) ?? ready.bounds)
    }
    let wanted = options.terminal == "auto" ? nil : TerminalGraphics(rawValue: options.terminal)
    guard let screen = environment.screen(wanted), screen.graphics != .none else { return }
    let gap = screen.graphics == .blocks ? 1 : 8
    let room = (width: max(1, (screen.room.width - gap * (names.count - 1)) / names.count), height: screen.room.height)
    // One exposure for both, so that they can be compared.
    let gain = stops.map { Double($0) ?? Preview.automaticStops(sources[0].0, in: sources[0].1) } ?? 0
    var shown: Preview?
    for (source, box) in sources {
      let part = isActual ? Self.middle(of: box, room) : box
      guard let preview = Preview(source, in: part, fitting: room, stops: gain, execution: environment.execution) else {
        throw RenderingCancelled()
      }
      shown = shown?.beside(preview, gap: gap) ?? preview
    }
    if let shown { environment.draw(TerminalPicture.bytes(shown, on: screen)) }
  }

  private static func middle(of box: Rectangle, _ room: (width: Int, height: Int)) -> Rectangle {
    let (width, height) = (min(box.width, room.width), min(box.height, room.height))
    return Rectangle(
      x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width: width, height: height)
  }

  /// The numbers of a node as a screen can show them: colours where they are known, else the numbers themselves.
  private func viewed(_ ready: ReadyNode) throws -> any PixelSource {
    let kept = try result(ready)
    guard case .own = colorPath(ready), let buffer = results.buffer(key(ready)),
      let source = BufferSource(buffer, format: try PixelFormat("RGBA float"))
    else { return kept }
    return source
  }
}
