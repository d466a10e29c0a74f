import GEGL

/// A command of the shell: what it is called, takes and does.
public struct CommandDescription: Sendable {
  /// What a word of a command is, for completion.
  public enum Argument: Sendable, Equatable {
    /// A node.
    case node
    /// `node.pad`
    case pad
    /// An operation.
    case operation
    /// A file.
    case path
    /// A folder.
    case folder
    /// One of some words.
    case choice([String])
    /// A command or a topic of the help.
    case topic
    /// A number, or something that nobody can know.
    case free
  }

  /// The name, which is reserved.
  public let name: String
  /// How it is written.
  public let synopsis: String
  /// What it does, in one line.
  public let summary: String
  /// More about it; may be empty.
  public let details: String
  /// Lines that show it; they run after ``CommandTable/exampleScript``.
  public let example: String
  /// Its words, in order; the last one repeats.
  public let arguments: [Argument]
  let action: @Sendable (Session, Words) throws -> Void

  init(
    _ name: String, _ synopsis: String, _ summary: String, details: String = "", example: String,
    _ arguments: [Argument] = [], action: @escaping @Sendable (Session, Words) throws -> Void
  ) {
    (self.name, self.synopsis, self.summary) = (name, synopsis, summary)
    (self.details, self.example, self.arguments) = (details, example, arguments)
    self.action = action
  }
}

/// The words of a command, taken one after the other.
struct Words {
  let command: CommandDescription
  private(set) var rest: ArraySlice<Token>
  private let end: Int

  init(_ command: CommandDescription, _ words: [Token]) {
    self.command = command
    rest = words[...]
    end = words.last?.range.upperBound ?? command.name.count
  }

  /// How many words are left.
  var count: Int { rest.count }
  /// The next word, which stays.
  var peek: Token? { rest.first }

  /// The next word. Throws, showing how the command is written, where there is none.
  mutating func next(_ what: String) throws -> Token {
    guard let word = rest.popFirst() else { throw usage(end, "\(what) is missing") }
    return word
  }

  /// The next word; nil where there is none.
  mutating func optional() -> Token? { rest.popFirst() }

  /// The next node.
  mutating func node(_ session: Session) throws -> String { try session.nodeName(next("a node")) }

  /// The next whole number in a range.
  mutating func whole(_ what: String, in range: ClosedRange<Int> = -(1 << 30)...(1 << 30)) throws -> Int {
    let word = try next(what)
    guard word.kind == .word, let number = Int(word.text), range.contains(number) else {
      throw Diagnostic(
        word.range.lowerBound,
        range.upperBound == 1 << 30
          ? "\(what) is a whole number, not '\(word.text)'"
          : "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound), not '\(word.text)'")
    }
    return number
  }

  /// Takes away a word such as `--log`; whether it was there.
  mutating func flag(_ name: String) -> Bool {
    guard let index = rest.firstIndex(where: { $0.kind == .word && $0.text == name }) else { return false }
    rest.remove(at: index)
    return true
  }

  /// Takes away a word such as `--space` and the one after it; that one.
  mutating func option(_ name: String) throws -> Token? {
    guard let index = rest.firstIndex(where: { $0.kind == .word && $0.text == name }) else { return nil }
    guard index + 1 < rest.endIndex else { throw usage(rest[index].range.upperBound, "'\(name)' needs a value") }
    let value = rest[index + 1]
    rest.removeSubrange(index...index + 1)
    return value
  }

  /// Makes sure that nothing is left.
  func finish() throws {
    guard let word = rest.first else { return }
    if word.text.hasPrefix("--") {
      throw usage(word.range.lowerBound, "'\(command.name)' has no option '\(word.text)'")
    }
    throw usage(word.range.lowerBound, "'\(word.text)' is one word too many")
  }

  private func usage(_ place: Int, _ problem: String) -> Diagnostic {
    Diagnostic(place, "\(problem): \(command.synopsis)")
  }
}
