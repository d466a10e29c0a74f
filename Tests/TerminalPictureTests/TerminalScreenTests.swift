import Glibc
import TerminalPicture
import Testing

struct TerminalScreenTests {
  /// What is found with an environment on a terminal of 90 × 30 characters.
  private func screen(
    _ environment: [String: String], wanted: TerminalGraphics? = nil, cell: Bool = false
  ) throws -> TerminalScreen {
    var (master, slave): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 30, ws_col: 90, ws_xpixel: cell ? 900 : 0, ws_ypixel: cell ? 600 : 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    defer {
      close(master)
      close(slave)
    }
    return try #require(
      TerminalScreen(output: slave, input: slave, wanted: wanted) { environment[$0] })
  }

  @Test func environmentsAreKnown() throws {
    for (environment, graphics) in [
      (["TERM": "xterm-kitty"], TerminalGraphics.kitty), (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
      (["TERM": "xterm-ghostty"], .kitty), (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .iterm),
      (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .iterm),
      (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .iterm), (["TERM": "dumb"], TerminalGraphics.none),
      ([:], TerminalGraphics.none), (["TERM": "linux"], .blocks), (["TERM": "screen-256color"], .blocks),
      // Nobody answers here: this process has no controlling terminal.
      (["TERM": "xterm-256color"], .blocks),
      (["TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"], .blocks),
    ] {
      let screen = try screen(environment)
      #expect(screen.graphics == graphics, "\(environment)")
      #expect(screen.columns == 90 && screen.rows == 30)
    }
  }

  @Test func answersAreUnderstood() {
    func answer(_ text: String) -> TerminalAnswer { TerminalAnswer(Array(text.utf8)) }
    let both = answer("\u{1B}[6;20;10t\u{1B}[?62;4;22c")
    #expect(both.hasSixels && both.cell?.width == 10 && both.cell?.height == 20)
    // A VT340 has sixels, a 4 as the class of the terminal does not say so.
    #expect(answer("\u{1B}[?63;1;2;4c").hasSixels && !answer("\u{1B}[?4c").hasSixels)
    #expect(answer("typed\u{1B}[?62;4c").hasSixels)
    for text in [
      "", "\u{1B}", "\u{1B}[", "\u{1B}[?62;4", "\u{1B}[?1;2c", "\u{1B}[?64;14;24c", "\u{1B}[6;0;9999999999999t",
    ] {
      #expect(!answer(text).hasSixels && answer(text).cell == nil)
    }
  }

  @Test func theUserDecides() throws {
    #expect(try screen(["TERM": "dumb"], wanted: .sixel).graphics == .sixel)
    #expect(try screen(["TERM": "xterm-kitty"], wanted: TerminalGraphics.none).graphics == TerminalGraphics.none)
  }

  @Test func picturesFit() throws {
    let screen = try screen(["TERM": "xterm-kitty"], cell: true)
    #expect(screen.cell == (10, 20) && screen.room == (900, 540))
    var blocks = screen
    blocks.graphics = .blocks
    #expect(blocks.room == (90, 54))
    blocks.graphics = .iterm
    blocks.isTmux = true
    #expect(blocks.room.width * blocks.room.height <= 180_000)
  }
}
