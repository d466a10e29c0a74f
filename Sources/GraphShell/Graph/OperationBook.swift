import GEGL

/// The operations, looked up once each, with the names that people write.
public final class OperationBook {
  private var descriptions: [String: OperationDescription] = [:]
  private var listed: [String]?

  /// An empty book; GEGL must have been started before it is read.
  public init() {}

  /// The shell's own reader of pictures, which is used like an operation.
  public static let load = OperationDescription(
    name: "load", title: "Load a picture",
    summary: "Reads a picture file, turned upright, with the colours that its profile says; a RAW file becomes "
      + "constant-color:load-raw.",
    categories: ["input"],
    properties: [
      PropertyDescription(name: "path", label: "File", summary: "The file", kind: .path, defaultValue: .string("")),
      PropertyDescription(
        name: "linear", label: "Linear", summary: "The numbers are linear light, whatever the profile says",
        kind: .bool,
        defaultValue: .bool(false)),
    ])

  /// The full names of all operations, sorted.
  public var names: [String] {
    if let listed { return listed }
    let names = Catalogue.names
    listed = names
    return names
  }

  /// What people may write: full names, and short ones that are not ambiguous.
  public var writtenNames: [String] {
    var count: [Substring: Int] = [:]
    for name in names { count[Self.short(name), default: 0] += 1 }
    return [Self.load.name, "chain"] + names.map { Self.short($0) }.filter { count[$0] == 1 }.map(String.init) + names
  }

  private static func short(_ name: String) -> Substring {
    name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
  }

  /// The full name of what somebody wrote. Throws a sentence.
  ///
  /// - Parameters:
  ///   - others: what else could stand there, for the error: "node".
  ///   - names: the names of those.
  public func fullName(_ word: String, or others: [String] = [], _ names: [String] = []) throws -> String {
    guard let name = try find(word) else { throw unknown(word, others, names) }
    return name
  }

  private func find(_ word: String) throws -> String? {
    if word == Self.load.name { return word }
    if word.contains(":") {
      // GEGL knows some operations by older names, too.
      let isKnown =
        names.contains(word) || (word.utf8.count < 256 && !word.utf8.contains(0) && Catalogue.contains(word))
      return isKnown ? word : nil
    }
    let matches = names.filter { Self.short($0) == word }
    guard let match = matches.first else { return nil }
    guard matches.count == 1 else {
      throw GEGLError("'\(word)' could be \(matches.joined(separator: " or ")); write one of them")
    }
    return match
  }

  private func unknown(_ word: String, _ others: [String], _ names: [String]) -> GEGLError {
    let meant =
      others.isEmpty ? nil : CommandTable.synonyms[word.lowercased()].flatMap { names.contains($0) ? $0 : nil }
    let hint = meant.map { "; did you mean '\($0)'?" } ?? Suggestion.text(for: word, among: names + writtenNames)
    let kinds = others.isEmpty ? "operation" : others.joined(separator: ", ") + " or operation"
    return GEGLError("there is no \(kinds) '\(word)'" + (hint.isEmpty ? "; 'ops' lists operations" : hint))
  }

  /// What an operation is, by its full name. Throws a sentence.
  public func describe(_ name: String) throws -> OperationDescription {
    if let known = descriptions[name] { return known }
    if name == Self.load.name { return Self.load }
    // Some operations complain when they are made; that is not about what the user does.
    let (description, _) = try Messages.capture(exclusively: true) { try Catalogue.describe(name) }
    descriptions[name] = description
    return description
  }
}

extension OperationDescription {
  /// The input pads in the order in which operands go to them.
  public var orderedInputs: [String] { inputs.sorted { PadOrder.rank($0) < PadOrder.rank($1) } }

  /// The properties that can be set.
  public var settable: [PropertyDescription] { properties.filter(\.isWritable) }
}

/// The order of pads: input, aux, aux2 and so on, then others by their names.
enum PadOrder {
  static func rank(_ pad: String) -> (Int, Int, String) {
    switch pad {
    case "input": return (0, 0, "")
    case "aux": return (1, 1, "")
    default:
      if pad.hasPrefix("aux"), let number = Int(pad.dropFirst(3)) { return (1, number, "") }
      return (2, 0, pad)
    }
  }
}
