/// How pictures get onto a terminal.
public enum TerminalGraphics: String, CaseIterable, Sendable {
  /// Not at all.
  case none
  /// As half blocks: a character is two pixels, one above the other.
  case blocks
  /// Sixels, of DEC's VT340 and of xterm, foot, mlterm and others.
  case sixel
  /// The protocol of kitty and Ghostty.
  case kitty
  /// The protocol of iTerm2 and WezTerm.
  case iterm
}

/// How many colours the characters of a terminal can have.
public enum TerminalColors: Sendable {
  /// 16, as on a console.
  case sixteen
  /// 256, of which 240 are fixed.
  case indexed
  /// Red, green and blue.
  case direct
}

/// What the environment tells of a terminal.
struct TerminalEnvironment {
  /// nil where the terminal itself has to be asked.
  let graphics: TerminalGraphics?
  let colors: TerminalColors
  let isTmux: Bool

  init(_ variable: (String) -> String?) {
    let kind = variable("TERM") ?? ""
    let program = variable("TERM_PROGRAM") ?? ""
    isTmux = !(variable("TMUX") ?? "").isEmpty || kind.hasPrefix("tmux") || program == "tmux"
    let isDirect = ["truecolor", "24bit"].contains(variable("COLORTERM") ?? "") || isTmux || kind.contains("direct")
    func has(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }

    if kind == "dumb" || kind.isEmpty {
      (graphics, colors) = (TerminalGraphics.none, .sixteen)
    } else if kind == "linux" {
      (graphics, colors) = (.blocks, .sixteen)
    } else if isTmux || kind.hasPrefix("screen") {
      // What is known of the terminal around it may be old, and pictures get there only where tmux is told to pass them.
      (graphics, colors) = (isTmux ? nil : .blocks, isDirect ? .direct : .indexed)
    } else if has("KITTY_WINDOW_ID") || kind.contains("kitty") || kind.contains("ghostty") || program == "ghostty" {
      (graphics, colors) = (.kitty, .direct)
    } else if program == "iTerm.app" || variable("LC_TERMINAL") == "iTerm2" || program == "WezTerm" {
      (graphics, colors) = (.iterm, .direct)
    } else {
      (graphics, colors) = (nil, isDirect ? .direct : .indexed)
    }
  }
}
