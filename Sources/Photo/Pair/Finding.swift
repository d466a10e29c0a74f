import JSONValue

/// Something about a pair of photographs that its photographer should know.
public struct Finding: Equatable, Sendable {
  /// How bad it is.
  public enum Severity: String, Sendable, Comparable {
    /// Good to know.
    case note
    /// The result may suffer.
    case warning
    /// The result is not what was meant.
    case error

    /// A note is less than a warning, and that less than an error.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// What it is about, for programs.
  public enum Kind: String, Sendable {
    /// The frame with flash was named as the ambient one.
    case swapped
    /// Both are one file.
    case sameFile
    /// A flash did not fire, or fired, against what was meant.
    case flash
    /// Two cameras.
    case camera
    /// The sizes differ.
    case size
    /// Another lens, focal length or aperture.
    case lens
    /// The exposures are absurdly far apart, or what the files and the pictures say is.
    case exposure
    /// A long time between the frames.
    case time
  }

  /// How bad it is.
  public var severity: Severity
  /// What it is about.
  public var kind: Kind
  /// What is wrong and what to do: one sentence for a photographer.
  public var message: String

  /// A finding from its parts.
  public init(_ severity: Severity, _ kind: Kind, _ message: String) {
    self.severity = severity
    self.kind = kind
    self.message = message
  }

  /// The finding in a report.
  public var json: JSON {
    .object([
      "severity": .string(severity.rawValue), "kind": .string(kind.rawValue), "message": .string(message),
    ])
  }
}
