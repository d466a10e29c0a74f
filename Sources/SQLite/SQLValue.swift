/// A value of a database: what statements are given.
public enum SQLValue: Equatable, Sendable {
  /// Unknown.
  case null
  /// A whole number.
  case integer(Int)
  /// A number; what is not finite is stored as unknown.
  case real(Double)
  /// Text.
  case text(String)
  /// Bytes.
  case blob([UInt8])

  /// A number, or null where it is unknown.
  public init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  /// A text, or null where it is unknown.
  public init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  /// A whole number, or null where it is unknown.
  public init(_ value: Int?) { self = value.map { .integer($0) } ?? .null }
}
