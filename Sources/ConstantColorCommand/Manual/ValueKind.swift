/// What the operands of a command are.
enum OperandKind: Equatable {
  /// There are none, or nothing is known that could be proposed.
  case none
  /// Names of files.
  case files
  /// Names of folders.
  case folders
  /// Names of operations.
  case operations
  /// One of some words.
  case words([String])
}

extension OptionSpecification {
  /// The words that its value can be: those it lists, and those in small letters in its placeholder.
  var words: [String] {
    let alternatives = (placeholder ?? "").split(separator: "|").map { String($0) }
    let fixed = alternatives.filter { word in
      word.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } && word.contains { $0.isLetter }
    }
    return values + fixed.filter { !values.contains($0) }
  }

  /// Whether its value can be a file.
  var takesFile: Bool {
    (placeholder ?? "").split(separator: "|").contains { $0.hasPrefix("FILE") || $0.hasSuffix(".json") }
  }

  /// Whether its value is a folder.
  var takesFolder: Bool { placeholder == "DIR" }
}
