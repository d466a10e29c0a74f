import Raster
import TerminalPicture

/// What a session needs of the program around it.
public struct SessionEnvironment {
  /// Prints a text and a line end as a result.
  public var print: (String) -> Void = { _ in }
  /// Tells something that is no result, such as a warning.
  public var note: (String) -> Void = { _ in }
  /// Shows what is being done and how far it is (0...1, nil where nobody knows); an empty text when it is done.
  public var progress: (_ step: String, _ fraction: Double?) -> Void = { _, _ in }
  /// Threads for measuring, and the token that stops what is running.
  public var execution = Execution.serial
  /// Makes operations work again after something was stopped.
  public var recover: () -> Void = {}
  /// The columns that there are for text.
  public var width: () -> Int = { 100 }
  /// Whether a person types, and sees at once.
  public var isInteractive = false
  /// The terminal that results go to; nil where they go elsewhere, and no picture may be drawn. Told how pictures are wanted
  /// (nil: as the terminal can).
  public var screen: (TerminalGraphics?) -> TerminalScreen? = { _ in nil }
  /// Draws on the terminal.
  public var draw: ([UInt8]) -> Void = { _ in }
  /// The program's version, for files.
  public var version = ""
  /// Former statements, the oldest first, for `history`; nil: those of this session.
  public var history: (() -> [String])?

  /// An environment that prints nothing.
  public init() {}
}

/// The end of a session, asked for by `quit`.
public struct SessionEnd: Error, Equatable, Sendable {
  /// The exit status.
  public let status: Int32

  /// An end with an exit status.
  public init(status: Int32) { self.status = status }
}

/// How results are printed.
enum OutputForm: String, CaseIterable {
  case text, json, csv
}
