/// Why a text is no JSON; one line for people.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let description: String
}

extension JSON {
  /// Reads a text (RFC 8259), in UTF-8. Of a key that an object has twice, the last value counts. Throws ``JSONError`` for what
  /// is no JSON, for lists in lists beyond any sensible depth, and for numbers beyond any that can be computed with.
  public init(parsing text: [UInt8]) throws(JSONError) {
    var parser = JSONParser(text)
    self = try parser.document()
  }
}

/// Reads JSON that may be anything.
struct JSONParser {
  private let text: [UInt8]
  private var index = 0
  private var depth = 0

  /// Values within values are read on the stack.
  private static let greatestDepth = 64

  init(_ text: [UInt8]) { self.text = text }

  /// The one value of the text.
  mutating func document() throws(JSONError) -> JSON {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    skipBlanks()
    guard index < text.count else { throw JSONError(description: "holds no JSON") }
    let value = try value()
    skipBlanks()
    guard index == text.count else { throw problem("something follows its end") }
    return value
  }

  // MARK: values

  private mutating func value() throws(JSONError) -> JSON {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"): return try number()
    case let digit? where Self.digits.contains(digit): return try number()
    default:
      for (word, value) in [("null", JSON.null), ("true", .bool(true)), ("false", .bool(false))]
      where text[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return value
      }
      throw problem("a value is missing")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    depth += 1
    guard depth <= Self.greatestDepth else { throw JSONError(description: "is nested too deeply") }
    index += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(JSONError) -> JSON {
    var elements: [JSON] = []
    if take("]") { return .array([]) }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw problem("a list is not closed") }
    return .array(elements)
  }

  private mutating func object() throws(JSONError) -> JSON {
    var members: [JSON.Member] = []
    var places: [String: Int] = [:]
    if take("}") { return .object([]) }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw problem("a key in quotes is missing") }
      let key = try string()
      guard take(":") else { throw problem("':' is missing behind a key") }
      let member = JSON.Member(key, try value())
      if let place = places[key] {
        members[place] = member
      } else {
        places[key] = members.count
        members.append(member)
      }
    } while take(",")
    guard take("}") else { throw problem("an object is not closed") }
    return .object(members)
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = index
    if byte == UInt8(ascii: "-") { index += 1 }
    let whole = digits()
    guard whole > 0, whole == 1 || text[index - whole] != UInt8(ascii: "0") else {
      throw problem("a number is malformed")
    }
    var isInteger = true
    if byte == UInt8(ascii: ".") {
      index += 1
      isInteger = false
      guard digits() > 0 else { throw problem("a number is malformed") }
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      index += 1
      isInteger = false
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { throw problem("a number is malformed") }
    }
    let characters = String(decoding: text[start..<index], as: UTF8.self)
    if isInteger, let integer = Int(characters) { return .integer(integer) }
    guard let number = Double(characters), number.isFinite else { throw problem("a number is too large") }
    return .number(number)
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte, Self.digits.contains(byte) { index += 1 }
    return index - start
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  // MARK: texts

  private mutating func string() throws(JSONError) -> String {
    index += 1
    var bytes: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw problem("a text goes over the end of its line, or has control characters") }
      index += 1
      if byte == UInt8(ascii: "\\") { bytes += String(try escaped()).utf8 } else { bytes.append(byte) }
    }
    guard byte != nil else { throw problem("a text is not closed") }
    index += 1
    guard let string = String(validating: bytes, as: UTF8.self) else { throw problem("a text is not in UTF-8") }
    return string
  }

  /// The character behind a `\`.
  private mutating func escaped() throws(JSONError) -> Character {
    guard let letter = byte else { throw problem("a text is not closed") }
    index += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(letter))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      // Two of them make a character beyond 16 bits.
      if code & 0xFC00 == 0xD800, text[index...].starts(with: "\\u".utf8) {
        index += 2
        let low = try hexadecimal()
        guard low & 0xFC00 == 0xDC00 else { throw problem("half a character stands in a text") }
        code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
      }
      guard let scalar = Unicode.Scalar(code) else { throw problem("half a character stands in a text") }
      return Character(scalar)
    default: throw problem("a '\\' stands before nothing that it could mean")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    let digits = text[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw problem("four digits are missing behind '\\u'") }
    index += 4
    return code
  }

  // MARK: bytes

  private var byte: UInt8? { index < text.count ? text[index] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard let byte, Unicode.Scalar(byte) == sign else { return false }
    index += 1
    return true
  }

  private func problem(_ what: String) -> JSONError {
    let line = text[..<index].count { $0 == 0x0A } + 1
    return JSONError(description: "is no JSON: line \(line): \(what)")
  }
}
