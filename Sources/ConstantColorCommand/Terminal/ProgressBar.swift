import Glibc

/// A line on the terminal that says what is being done and how far it is; silent in a pipe.
final class ProgressBar {
  private let isShown: Bool
  private var shown = ""

  /// A bar that is shown where `isWanted`, or (nil) where standard error is a terminal.
  init(isWanted: Bool?) { isShown = isWanted ?? (isatty(STDERR_FILENO) != 0) }

  deinit { clear() }

  /// Shows a step and its finished fraction, 0...1; nil where it cannot be told.
  func show(_ step: String, _ fraction: Double? = nil) {
    guard isShown else { return }
    let cells = 24
    let filled = Int((min(max(fraction ?? 0, 0), 1) * Double(cells)).rounded())
    let bar = String(repeating: "━", count: filled) + String(repeating: "╌", count: cells - filled)
    let percent = fraction.map { " \(Int((min(max($0, 0), 1) * 100).rounded())) %" } ?? ""
    let line = fraction == nil ? "\(step) …" : "\(step) \(bar)\(percent)"
    guard line != shown else { return }
    shown = line
    write("\r\u{1B}[K" + line, to: STDERR_FILENO)
  }

  /// Takes the line away.
  func clear() {
    guard isShown, !shown.isEmpty else { return }
    shown = ""
    write("\r\u{1B}[K", to: STDERR_FILENO)
  }
}
