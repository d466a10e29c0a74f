import GEGL
import Glibc
import GraphShell
import TestSupport
import Testing

@Suite(.serialized) struct RandomLineTests {
  static let lines: [String] = {
    var lines = CommandTable.exampleScript.split(separator: "\n").map(String.init)
    for command in CommandTable.commands where command.name != "quit" && command.name != "watch" {
      lines += command.example.split(separator: "\n").map(String.init)
    }
    for topic in HelpTopic.all { lines += topic.example.split(separator: "\n").map(String.init) }
    return lines.filter { !$0.contains("!") && !$0.contains(".png") && !$0.contains(".jpg") }
  }()

  static let pieces = [
    "=", "|", "[", "]", "\"", "'", "$", "#", "\\", "(", ")", ".", ",", "~", "?", "-", "\n", "\t", "1e999", "nan", "-1",
    "0",
    "9999999999999999999", "é", "👩‍👩‍👧", "\u{0}", "\u{7F}", "a", "b", "input", "aux", "gegl:over", "default", "rel", "  ",
    "a.input",
    "b.std-dev-x", "{", "}", "ref=a", "id=a", "--log", "--dot",
    " * 2", "width(a)", "$radius", "==", "chain \"", "a.format", "{ 0=1 }", "\u{FEFF}",
  ]

  /// How many lines: a few, unless `CONSTANT_COLOR_LINES` says otherwise.
  private static let count = getenv("CONSTANT_COLOR_LINES").flatMap { Int(String(cString: $0)) } ?? 6000

  static func mutated(_ line: String, _ numbers: inout SplitMix) -> String {
    var characters = Array(line)
    for _ in 0..<Int.random(in: 0...4, using: &numbers) {
      let place = Int.random(in: 0...characters.count, using: &numbers)
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0 where place < characters.count: characters.remove(at: place)
      case 1: characters.insert(contentsOf: pieces.randomElement(using: &numbers) ?? "", at: place)
      case 2 where place < characters.count:
        characters.swapAt(place, Int.random(in: 0..<characters.count, using: &numbers))
      default: characters.removeSubrange(place..<min(characters.count, place + 3))
      }
    }
    return String(characters)
  }

  @Test("Random and mutated lines are statements or errors with a place, never more") func lines() throws {
    let folder = try TemporaryFolder()
    var numbers = SplitMix(state: 7)
    var fixture = try SessionFixture.pictures()
    let start = try fixture.output("pwd")
    try fixture.run("cd \"\(folder.path)\"")
    defer { try? fixture.run("cd \"\(start)\"") }
    let (_, messages) = try Messages.capture {
      for count in 0..<Self.count {
        if count % 200 == 0 {
          fixture = try SessionFixture.pictures()
          try fixture.run("cd \"\(folder.path)\"")
        }
        let line = Self.mutated(Self.lines.randomElement(using: &numbers) ?? "", &numbers)
        guard !line.contains("!"), !line.contains(".p") else { continue }
        let error = fixture.error(line)
        #expect(
          error == "no error" || error.contains(":1:") || error.contains("SessionEnd") || error.contains(":"),
          "\(line): \(error)")
        _ = fixture.session.complete(line)
      }
    }
    #expect(messages.allSatisfy { !$0.text.contains("assertion") }, "\(messages)")
  }
}
