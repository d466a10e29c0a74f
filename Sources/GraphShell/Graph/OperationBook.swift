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
  public func fullName(_ word: String) throws -> String {
    if word == Self.load.name { return word }
    if word.contains(":") {
      // GEGL knows some operations by older names, too.
      guard names.contains(word) || (word.utf8.count < 256 && !word.utf8.contains(0) && Catalogue.contains(word)) else {
        throw unknown(word)
      }
      return word
    }
    let matches = names.filter { Self.short($0) == word }
    guard let match = matches.first else { throw unknown(word) }
    guard matches.count == 1 else {
      throw GEGLError("'\(word)' could be \(matches.joined(separator: " or ")); write one of them")
    }
    return match
  }

  private func unknown(_ word: String) -> GEGLError {
    let hint = Suggestion.text(for: word, among: writtenNames)
    return GEGLError("there is no operation '\(word)'" + (hint.isEmpty ? "; 'ops' lists them" : hint))
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
  public var orderedInputs: [String] {
    func rank(_ pad: String) -> (Int, Int, String) {
      switch pad {
      case "input": return (0, 0, "")
      case "aux": return (1, 1, "")
      default:
        if pad.hasPrefix("aux"), let number = Int(pad.dropFirst(3)) { return (1, number, "") }
        return (2, 0, pad)
      }
    }
    return inputs.sorted { rank($0) < rank($1) }
  }

  /// The properties that can be set.
  public var settable: [PropertyDescription] { properties.filter(\.isWritable) }
}
