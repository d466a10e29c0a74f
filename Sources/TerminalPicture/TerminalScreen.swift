import Glibc

/// A terminal that pictures can be shown on, as far as it is known.
public struct TerminalScreen: Sendable {
  /// How pictures get onto it.
  public var graphics: TerminalGraphics
  /// The colours of its characters.
  public var colors: TerminalColors
  /// Its size in characters.
  public var columns, rows: Int
  /// The size of a character cell in pixels.
  public var cell: (width: Int, height: Int)
  /// Whether tmux is between the program and the terminal.
  public var isTmux: Bool

  /// A terminal.
  public init(
    graphics: TerminalGraphics, colors: TerminalColors = .direct, columns: Int = 80, rows: Int = 24,
    cell: (width: Int, height: Int) = (8, 16), isTmux: Bool = false
  ) {
    self.graphics = graphics
    self.colors = colors
    (self.columns, self.rows) = (min(max(columns, 1), 2000), min(max(rows, 1), 2000))
    self.cell = (min(max(cell.width, 1), 512), min(max(cell.height, 1), 512))
    self.isTmux = isTmux
  }

  /// The terminal of a file descriptor; nil where that is none, such as a pipe: nothing may be drawn there.
  ///
  /// The environment is looked at first; where it does not tell, the terminal is asked once.
  ///
  /// - Parameters:
  ///   - wanted: what the user wants instead of what is found; nil to find out.
  ///   - variable: an environment variable.
  public init?(
    output: Int32 = STDOUT_FILENO, input: Int32 = STDIN_FILENO, wanted: TerminalGraphics? = nil,
    variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) {
    guard isatty(output) != 0 else { return nil }
    let environment = TerminalEnvironment(variable)
    var size = winsize()
    let isSized = ioctl(output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    let (columns, rows) = isSized ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    var cell: (width: Int, height: Int)?
    if size.ws_xpixel > 0, size.ws_ypixel > 0, isSized {
      cell = (Int(size.ws_xpixel) / columns, Int(size.ws_ypixel) / rows)
    }
    var graphics = wanted ?? environment.graphics
    let needsCell = cell == nil && graphics != TerminalGraphics.none && graphics != .blocks
    if graphics == nil || needsCell {
      let answer = TerminalAnswer.known(input: input, output: output)
      graphics = graphics ?? (answer?.hasSixels == true ? .sixel : .blocks)
      cell = cell ?? answer?.cell
    }
    self.init(
      graphics: graphics ?? .blocks, colors: environment.colors, columns: columns, rows: rows, cell: cell ?? (8, 16),
      isTmux: environment.isTmux)
  }

  /// The pixels that there are for a picture above a prompt: what ``Preview`` should fit in.
  public var room: (width: Int, height: Int) {
    let lines = max(1, rows - 3)
    guard graphics != .blocks else { return (columns, 2 * lines) }
    // Larger pictures are not seen better, and slow terminals choke on them.
    var (width, height) = (min(columns * cell.width, 2048), min(lines * cell.height, 2048))
    if isTmux {
      // tmux passes on a megabyte at once.
      let most = graphics == .iterm ? 180_000.0 : 400_000.0
      let shrink = (Double(width) * Double(height) / most).squareRoot()
      if shrink > 1 { (width, height) = (Int(Double(width) / shrink), Int(Double(height) / shrink)) }
    }
    return (max(1, width), max(1, height))
  }
}
