/// A JSON value (RFC 8259) whose objects keep the order of their keys.
public enum JSON: Equatable, Sendable {
  /// Unknown.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A number; written as null when it is infinite or not a number, since JSON has neither.
  case number(Double)
  /// Text.
  case string(String)
  /// A list.
  case array([JSON])
  /// Keys and values, in order.
  case object([Member])

  /// A key with its value.
  public struct Member: Equatable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSON

    /// A key with its value.
    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// An object from pairs in order.
  public static func object(_ pairs: KeyValuePairs<String, JSON>) -> JSON {
    .object(pairs.map { Member($0.key, $0.value) })
  }

  /// A number, or null where it is unknown.
  public init(_ value: Double?) { self = value.map { .number($0) } ?? .null }
  /// A whole number, or null where it is unknown.
  public init(_ value: Int?) { self = value.map { .integer($0) } ?? .null }
  /// A truth value, or null where it is unknown.
  public init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }
  /// A text, or null where it is unknown.
  public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
  /// A list of numbers, or null where it is unknown.
  public init(_ values: [Double]?) { self = values.map { .array($0.map { .number($0) }) } ?? .null }

  /// The text: objects one member a line, lists of plain values on one line; without a line break at the end.
  public func text(indented: Bool = true) -> String {
    var output = ""
    write(to: &output, indent: indented ? 0 : nil)
    return output
  }

  private func write(to output: inout String, indent: Int?) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    case .number(let value): output += Self.text(of: value)
    case .string(let value): Self.write(value, to: &output)
    case .array(let values):
      let isPlain = values.allSatisfy(\.isPlain)
      Self.write(
        values, "[", "]", isPlain ? nil : indent, to: &output, separator: isPlain && indent != nil ? ", " : ","
      ) {
        $0.write(to: &$1, indent: $2)
      }
    case .object(let members):
      Self.write(members, "{", "}", indent, to: &output, separator: ",") { member, output, indent in
        Self.write(member.key, to: &output)
        output += indent == nil ? ":" : ": "
        member.value.write(to: &output, indent: indent)
      }
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ indent: Int?, to output: inout String, separator: String,
    _ body: (Element, inout String, Int?) -> Void
  ) {
    output += open
    let inner = indent.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { output += separator }
      if let inner { output += "\n" + String(repeating: " ", count: inner) }
      body(element, &output, inner)
    }
    if let indent, !elements.isEmpty { output += "\n" + String(repeating: " ", count: indent) }
    output += close
  }

  /// The shortest digits that read back as the same number.
  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    return value.description
  }

  private static func write(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028 || scalar.value == 0x2029:
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object, its members in the order in which they are written.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSON: ExpressibleByStringLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}
