/// HTML or SVG under construction, well-formed as XML.
public struct Markup {
  /// Names and values of attributes, in order.
  public typealias Attributes = KeyValuePairs<String, String>

  /// What was written.
  public private(set) var text = ""

  /// Nothing yet.
  public init() {}

  /// An element with what stands in it.
  public mutating func element(_ name: String, _ attributes: Attributes = [:], _ content: (inout Markup) -> Void) {
    open(name, attributes)
    text += ">"
    content(&self)
    text += "</\(name)>"
  }

  /// An element with text.
  public mutating func element(_ name: String, _ attributes: Attributes = [:], text content: String) {
    element(name, attributes) { $0.write(content) }
  }

  /// An element with nothing in it.
  public mutating func empty(_ name: String, _ attributes: Attributes = [:]) {
    open(name, attributes)
    text += "/>"
  }

  /// Text for people.
  public mutating func write(_ content: String) { text += Self.escaped(content) }

  /// What is markup already.
  public mutating func append(_ markup: Markup) { text += markup.text }

  /// What is markup, or a style sheet, already.
  public mutating func append(literally markup: String) { text += markup }

  private mutating func open(_ name: String, _ attributes: Attributes) {
    text += "<\(name)"
    for (key, value) in attributes where !value.isEmpty { text += " \(key)=\"\(Self.escaped(value))\"" }
  }

  /// Text that means itself in XML and HTML; what no document may hold is left out.
  public static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t", "\r": result += " "
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE: break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
