import GEGL
import Glibc

/// Turns what was written into values of properties, strictly.
enum PropertyText {
  /// The value of a property from a written word. Throws a sentence.
  static func value(_ text: String, isQuoted: Bool = false, for property: PropertyDescription) throws -> Value {
    guard property.isWritable else { throw GEGLError("'\(property.name)' is a result and cannot be set") }
    if !isQuoted, let part = relative(text), property.kind.isNumber {
      throw GEGLError(
        "'\(property.name)' takes no part of a height ('\(text)'); write (height(NODE) * \(Format.number(part))), or the number"
      )
    }
    guard !text.utf8.contains(0) else { throw GEGLError("'\(property.name)' takes no zero characters") }
    switch property.kind {
    case .double(let range, _):
      guard !isQuoted, let number = Double(text), number.isFinite, range.contains(number) else {
        throw refusal(text, property)
      }
      return .double(number)
    case .int(let range, _):
      guard !isQuoted, let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }), range.contains(number)
      else {
        throw refusal(text, property)
      }
      return .int(number)
    case .bool:
      guard !isQuoted, let truth = ["true": true, "false": false][text] else {
        throw refusal(text, property)
      }
      return .bool(truth)
    case .choice(let choices):
      guard choices.contains(where: { $0.nick == text }) else {
        throw GEGLError(refusal(text, property).description + Suggestion.text(for: text, among: choices.map(\.nick)))
      }
      return .choice(text)
    case .string, .path: return .string(text)
    case .color, .curve, .vectorPath, .format:
      guard property.accepts(written: text) else { throw refusal(text, property) }
      return .string(text)
    case .other(let type):
      throw GEGLError(
        "'\(property.name)' takes a \(type), which cannot be written; connect a node or load a file instead")
    }
  }

  /// The number of `0.5rel`, which is a part of a picture's height for GEGL's own tool; nil for other texts.
  private static func relative(_ text: String) -> Double? {
    text.hasSuffix("rel") ? Double(text.dropLast(3)) : nil
  }

  /// The value of a property from another value. Throws a sentence.
  static func value(_ value: Value, for property: PropertyDescription) throws -> Value {
    switch (property.kind, value) {
    case (.int, .double(let number)) where number != number.rounded(): throw refusal("\(number)", property)
    case (.string, _), (.path, _): return try self.value(value.description, for: property)
    case (.double, .string), (.int, .string), (.bool, .string):
      return try self.value(value.description, isQuoted: true, for: property)
    default: return try self.value(value.description, for: property)
    }
  }

  private static func refusal(_ text: String, _ property: PropertyDescription) -> GEGLError {
    GEGLError("'\(property.name)' takes \(expectation(property.kind)), not '\(text)'")
  }

  /// What fits, in words, with short numbers.
  static func expectation(_ kind: PropertyDescription.Kind) -> String {
    switch kind {
    case .double(let range, _):
      let (low, high) = (range.lowerBound, range.upperBound)
      switch (low <= -1e30, high >= 1e30) {
      case (true, true): return "a number"
      case (true, false): return "a number up to \(Format.number(high))"
      case (false, true): return "a number from \(Format.number(low)) up"
      case (false, false): return "a number from \(Format.number(low)) to \(Format.number(high))"
      }
    case .int(let range, _):
      return "a whole number from \(range.lowerBound) to \(range.upperBound)"
    default: return PropertyDescription(name: "", label: "", summary: "", kind: kind, defaultValue: nil).expectation
    }
  }

  /// A value that somebody wrote without a property in mind.
  static func literal(_ text: String, isQuoted: Bool = false) -> Value {
    if isQuoted { return .string(text) }
    if let whole = Int(text) { return .int(whole) }
    if let number = Double(text), number.isFinite { return .double(number) }
    if text == "true" || text == "false" { return .bool(text == "true") }
    return .string(text)
  }
}

extension PropertyDescription.Kind {
  fileprivate var isNumber: Bool {
    switch self {
    case .double, .int: true
    default: false
    }
  }
}

/// Numbers and sizes for people.
public enum Format {
  /// A number without a needless fraction.
  public static func number(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
  }

  /// A number with about so many significant digits.
  public static func short(_ number: Double, digits: Int = 5) -> String {
    guard number.isFinite, number != 0 else { return number.isFinite ? "0" : "\(number)" }
    let magnitude = Int(log10(abs(number)).rounded(.down))
    guard (-5...14).contains(magnitude) else { return "\(number)" }
    let scale = pow(10, Double(digits - 1 - magnitude))
    return Self.number((number * scale).rounded() / scale)
  }
}
