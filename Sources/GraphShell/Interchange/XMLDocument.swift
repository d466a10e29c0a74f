import GEGL

/// An element of an XML document.
struct XMLElement: Equatable {
  var name: String
  /// The line on which it begins, from 1.
  var line = 0
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  var text = ""
}

/// Reads the part of XML that graphs need: elements, attributes, texts, comments. Documents that declare anything (DOCTYPE,
/// entities) are refused: such declarations can name files of this machine.
struct XMLDocument {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0
  /// The line at ``counted``.
  private var line = 1
  private var counted = 0

  /// The root element of a document. Throws a sentence.
  static func parse(_ text: String) throws -> XMLElement {
    var document = XMLDocument(bytes: Array(text.utf8))
    try document.skipProlog()
    guard let root = try document.element() else { throw document.problem("there is no element") }
    try document.skipProlog()
    guard document.index >= document.bytes.count else { throw document.problem("something follows the last element") }
    return root
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func problem(_ text: String) -> GEGLError {
    GEGLError("line \(1 + lineBreaks(to: index)) of the XML: \(text)")
  }

  private func lineBreaks(to end: Int, from start: Int = 0) -> Int {
    bytes[start..<end].count { $0 == UInt8(ascii: "\n") }
  }

  private func starts(with text: String) -> Bool { bytes[min(index, bytes.count)...].starts(with: text.utf8) }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() { while let byte, [9, 10, 13, 32].contains(byte) { index += 1 } }

  private mutating func skip(to end: String) throws {
    while index < bytes.count, !starts(with: end) { index += 1 }
    guard index < bytes.count else { throw problem("'\(end)' is missing") }
    index += end.utf8.count
  }

  private mutating func skipProlog() throws {
    while true {
      skipSpace()
      if starts(with: "<?") {
        try skip(to: "?>")
      } else if starts(with: "<!--") {
        try skip(to: "-->")
      } else if starts(with: "<!") {
        throw problem("declarations (DOCTYPE, ENTITY) are refused, since they can name other files; take them out")
      } else {
        return
      }
    }
  }

  private mutating func name() throws -> String {
    let start = index
    while let byte, byte > 32, !"<>/='\"&".utf8.contains(byte) { index += 1 }
    guard index > start else { throw problem("a name is missing") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func element() throws -> XMLElement? {
    guard byte == UInt8(ascii: "<") else { return nil }
    depth += 1
    defer { depth -= 1 }
    guard depth <= 200 else { throw problem("elements are nested too deeply") }
    index += 1
    line += lineBreaks(to: index, from: counted)
    counted = index
    var element = XMLElement(name: try name(), line: line)
    while true {
      skipSpace()
      if starts(with: "/>") {
        index += 2
        return element
      }
      if byte == UInt8(ascii: ">") {
        index += 1
        break
      }
      let key = try name()
      skipSpace()
      guard byte == UInt8(ascii: "=") else { throw problem("'=' is missing after '\(key)'") }
      index += 1
      skipSpace()
      guard let quote = byte, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
        throw problem("the value of '\(key)' has no quotes")
      }
      index += 1
      element.attributes[key] = try text(until: quote)
      index += 1
    }
    try content(of: &element)
    return element
  }

  private mutating func content(of element: inout XMLElement) throws {
    while true {
      element.text += try text(until: UInt8(ascii: "<"))
      if starts(with: "</") {
        index += 2
        let end = try name()
        skipSpace()
        guard end == element.name, byte == UInt8(ascii: ">") else {
          throw problem("'</\(element.name)>' is expected, not '</\(end)'")
        }
        index += 1
        return
      }
      if starts(with: "<!") || starts(with: "<?") {
        try skipProlog()
      } else if let child = try self.element() {
        element.children.append(child)
      }
    }
  }

  private mutating func text(until end: UInt8) throws -> String {
    var result: [UInt8] = []
    while let byte, byte != end {
      if byte == UInt8(ascii: "&") {
        result += try entity().utf8
      } else {
        result.append(byte)
        index += 1
      }
    }
    guard index < bytes.count else { throw problem("the document ends too early") }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func entity() throws -> String {
    index += 1
    let start = index
    while let byte, byte != UInt8(ascii: ";"), index - start < 12 { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    guard byte == UInt8(ascii: ";") else { throw problem("'&' stands for nothing; write &amp;") }
    index += 1
    if let known = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name] { return known }
    let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
    guard name.hasPrefix("#"), let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10), number > 0,
      let scalar = Unicode.Scalar(number)
    else { throw problem("the entity '&\(name);' is refused: only those of XML itself are known") }
    return String(Character(scalar))
  }
}
