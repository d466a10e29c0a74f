import GEGL

/// What people read of an operation.
enum OperationPage {
  /// Name, title, pads, and each property with what it takes, its default and its use.
  static func text(_ operation: OperationDescription, width: Int) -> String {
    var lines = [operation.name + (operation.title.isEmpty ? "" : " · \(operation.title)")]
    if !operation.summary.isEmpty { lines += wrapped(operation.summary, width: width, indent: 2) }
    let pads = [operation.orderedInputs.joined(separator: ", "), operation.outputs.joined(separator: ", ")]
    lines.append("  pads: \(pads[0].isEmpty ? "(source)" : pads[0]) → \(pads[1].isEmpty ? "(sink)" : pads[1])")
    for property in operation.properties { lines += self.lines(property, width) }
    return lines.joined(separator: "\n")
  }

  /// A property alone.
  static func text(_ property: PropertyDescription, width: Int) -> String {
    lines(property, width).map { String($0.dropFirst(2)) }.joined(separator: "\n")
  }

  private static func lines(_ property: PropertyDescription, _ width: Int) -> [String] {
    let value = property.isWritable ? property.defaultValue.map { " = \(ScriptText.text($0))" } ?? "" : "  (result)"
    var lines = ["  \(property.name)\(value)"]
    if !property.summary.isEmpty { lines += wrapped(property.summary, width: width, indent: 6) }
    guard property.isWritable else { return lines }
    lines += wrapped("takes \(PropertyText.expectation(property.kind))\(usual(property.kind))", width: width, indent: 6)
    if case .choice(let choices) = property.kind {
      for choice in choices where choice.label != choice.nick && !choice.label.isEmpty {
        lines.append("        \(choice.nick.padded(to: 16)) \(choice.label)")
      }
    }
    return lines
  }

  private static func usual(_ kind: PropertyDescription.Kind) -> String {
    switch kind {
    case .double(let range, let ui?) where ui != range:
      ", usually \(Format.number(ui.lowerBound)) to \(Format.number(ui.upperBound))"
    case .int(let range, let ui?) where ui != range: ", usually \(ui.lowerBound) to \(ui.upperBound)"
    default: ""
    }
  }

  /// Text broken at spaces.
  static func wrapped(_ text: String, width: Int, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(String(repeating: " ", count: indent) + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(String(repeating: " ", count: indent) + line) }
    return lines
  }
}
