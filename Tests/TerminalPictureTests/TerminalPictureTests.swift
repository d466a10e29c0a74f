import Glibc
import Raster
import TerminalPicture
import Testing

struct TerminalPictureTests {
  /// Four colours in quarters.
  private func quarters(_ width: Int, _ height: Int) throws -> Preview {
    let colors: [Pixel] = [Pixel(1, 0, 0, 1), Pixel(0, 1, 0, 1), Pixel(0, 0, 1, 1), Pixel(1, 1, 1, 1)]
    let image = Image(Rectangle(width: width, height: height)) { x, y in
      colors[(x * 2 / width) + 2 * (y * 2 / height)]
    }
    return try #require(Preview(image, fitting: (width, height)))
  }

  private func text(_ preview: Preview, _ screen: TerminalScreen) -> String {
    String(decoding: TerminalPicture.bytes(preview, on: screen), as: UTF8.self)
  }

  @Test func halfBlocksHaveTheColours() throws {
    let direct = text(try quarters(2, 2), TerminalScreen(graphics: .blocks))
    // Blue below red, white below green.
    #expect(direct.contains("38;2;0;0;255;48;2;255;0;0m▄"))
    #expect(direct.contains("38;2;255;255;255;48;2;0;255;0m▄"))
    #expect(direct.hasSuffix("\n"))
    let large = text(try quarters(40, 20), TerminalScreen(graphics: .blocks))
    #expect(large.split(separator: "\n").count == 10)
    let indexed = text(try quarters(2, 2), TerminalScreen(graphics: .blocks, colors: .indexed))
    #expect(indexed.contains("38;5;") && !indexed.contains(";2;255"))
    let sixteen = text(try quarters(2, 2), TerminalScreen(graphics: .blocks, colors: .sixteen))
    #expect(!sixteen.contains("38;5;") && !sixteen.contains("38;2;"))
  }

  @Test func sixelsShowThePicture() throws {
    let preview = try quarters(24, 32)
    let text = text(preview, TerminalScreen(graphics: .sixel))
    let picture = try #require(Sixels(text))
    // Sixels are six pixels high.
    #expect(picture.width == 24 && picture.height == 36)
    for (x, y, color) in [
      (3, 3, [100, 0, 0]), (20, 3, [0, 100, 0]), (3, 28, [0, 0, 100]), (20, 28, [100, 100, 100]),
    ] {
      let found = try #require(picture.color(x, y))
      #expect(zip(found, color).allSatisfy { abs($0 - $1) <= 2 })
    }
  }

  @Test func kittyGetsThePixels() throws {
    let preview = try quarters(16, 32)
    let text = text(preview, TerminalScreen(graphics: .kitty))
    #expect(text.contains("f=32,s=16,v=32,c=2,r=2"))
    // Each part is encoded by itself.
    let pixels = text.components(from: "\u{1B}_G", to: "\u{1B}\\").flatMap { part in
      decoded(part.split(separator: ";", maxSplits: 1).dropFirst().joined())
    }
    let isEqual = pixels == preview.bytes
    #expect(isEqual)
  }

  @Test func itermGetsThePixels() throws {
    let preview = try quarters(16, 32)
    let text = text(preview, TerminalScreen(graphics: .iterm))
    let payload = try #require(text.components(from: ":", to: "\u{07}").first)
    let file = decoded(String(payload))
    // A TIFF, whose pixels stand after its header of 8 bytes.
    let isEqual = file.starts(with: [0x49, 0x49]) && Array(file[8..<(8 + preview.bytes.count)]) == preview.bytes
    #expect(isEqual)
  }

  @Test func tmuxPassesSequencesOn() throws {
    for graphics in [TerminalGraphics.sixel, .kitty, .iterm] {
      let preview = try quarters(100, 64)
      let plain = text(preview, TerminalScreen(graphics: graphics))
      let passed = text(preview, TerminalScreen(graphics: graphics, isTmux: true))
      #expect(passed.hasPrefix("\n\n\n\n\u{1B}[4A\u{1B}Ptmux;\u{1B}\u{1B}"))
      let inner = passed.components(from: "\u{1B}Ptmux;", to: "\u{1B}\\", unlessAfter: "\u{1B}")
        .map { String($0).replacing("\u{1B}\u{1B}", with: "\u{1B}") }.joined()
      let isEqual = inner + "\n" == plain
      #expect(isEqual)
    }
  }

  @Test func nothingIsDrawnWhereNothingCanBe() throws {
    #expect(TerminalPicture.bytes(try quarters(8, 8), on: TerminalScreen(graphics: .none)).isEmpty)
    let empty = try #require(Preview(width: 0, height: 0, bytes: []))
    for graphics in TerminalGraphics.allCases {
      #expect(TerminalPicture.bytes(empty, on: TerminalScreen(graphics: graphics)).isEmpty)
    }
    // The standard output of tests is no terminal.
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    #expect(TerminalScreen(output: ends[1], wanted: .kitty) == nil)
    for end in ends { close(end) }
  }

  @Test func oddSizes() throws {
    for (width, height) in [(1, 1), (1, 7), (1, 600), (2, 90), (9, 1), (17, 33)] {
      let preview = try quarters(width, height)
      for graphics in TerminalGraphics.allCases where graphics != .none {
        #expect(!TerminalPicture.bytes(preview, on: TerminalScreen(graphics: graphics)).isEmpty)
      }
    }
  }
}
