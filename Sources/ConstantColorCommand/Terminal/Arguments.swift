import GraphShell

/// One option of a command: how it is written, and what it is for.
struct OptionSpecification: Sendable {
  /// The name, with its dashes.
  let name: String
  /// What stands for its value in the help; nil for a switch.
  let placeholder: String?
  /// What it does, for the help.
  let summary: String
  /// Whether it may be given several times.
  let isRepeatable: Bool
  /// How many words its value is; all of them are kept, as of an option that is repeated.
  let wordCount: Int
  /// The words that its value can be, or among others can be; beside those in the placeholder.
  let values: [String]

  init(
    _ name: String, _ placeholder: String? = nil, isRepeatable: Bool = false, wordCount: Int = 1, values: [String] = [],
    _ summary: String
  ) {
    self.name = name
    self.placeholder = placeholder
    self.isRepeatable = isRepeatable
    self.wordCount = wordCount
    self.values = values
    self.summary = summary
  }
}

/// The words of a command line, sorted into options and operands.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Sorts `words` by the options that a command has. An option's value is the next word, or follows
  /// after "="; after "--" there are only operands. Throws on an option that is unknown (suggesting
  /// the nearest), lacks its value, or is given twice.
  init(_ words: [String], options: [OptionSpecification]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "--" {
        operands += rest
        break
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options.first(where: { $0.name == parts[0] }) else {
        throw UsageError(
          "unknown option '\(parts[0])'" + suggestion(for: parts[0], among: options.map(\.name)))
      }
      guard values[option.name] == nil || option.isRepeatable else {
        throw UsageError("'\(option.name)' is given twice")
      }
      if option.placeholder == nil {
        guard parts.count == 1 else { throw UsageError("'\(option.name)' takes no value") }
        values[option.name] = [""]
      } else {
        var value = parts.count == 2 ? [parts[1]] : []
        while value.count < option.wordCount, let next = rest.popFirst() { value.append(next) }
        guard value.count == option.wordCount else {
          let wanted = value.count == 0 ? "a value" : "\(option.wordCount) values"
          throw UsageError("'\(option.name)' needs \(wanted): \(option.name) \(option.placeholder ?? "")")
        }
        values[option.name, default: []] += value
      }
    }
  }

  /// Whether an option was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The option's value; nil where it was not given.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values of a repeatable option.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The option's value as a finite number in a range; throws where it is none.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw UsageError(
        "'\(name)' takes a number from \(plain(range.lowerBound)) to \(plain(range.upperBound)), not '\(text)'")
    }
    return number
  }

  /// The option's value as a whole number in a range; throws where it is none.
  func wholeNumber(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }), range.contains(number) else {
      throw UsageError(
        "'\(name)' takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return number
  }

  /// The option's value as one of an enumeration's cases; throws, naming them, where it is none.
  func choice<Choice: CaseIterable & RawRepresentable>(_ name: String) throws -> Choice?
  where Choice.RawValue == String {
    guard let text = value(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue)
      throw UsageError(
        "'\(name)' takes one of \(all.joined(separator: ", ")), not '\(text)'" + suggestion(for: text, among: all))
    }
    return choice
  }
}

/// Wrong usage, or an input that cannot be read: exit status 2.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A number without a needless fraction.
func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
}

/// "; did you mean '...'?" for the nearest candidate, or nothing where none is near.
func suggestion(for word: String, among candidates: [String]) -> String {
  Suggestion.text(for: word, among: candidates)
}
