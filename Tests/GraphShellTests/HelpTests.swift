import GraphShell
import TestSupport
import Testing

@Suite(.serialized) struct HelpTests {
  /// Runs an example in a folder of its own.
  private func runExample(_ example: String) throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    let start = try fixture.output("pwd")
    try fixture.run("cd \"\(folder.path)\"")
    defer { try? fixture.run("cd \"\(start)\"") }
    try fixture.run(example)
  }

  @Test("The example of every command runs", arguments: CommandTable.commands.map(\.name)) func command(_ name: String)
    throws
  {
    let command = try #require(CommandTable.command(name))
    #expect(name == "quit" || command.example.contains(name))
    try runExample(command.example)
    let fixture = try SessionFixture.pictures()
    #expect(try fixture.output("help \(name)").contains(command.synopsis))
  }

  @Test("The example of every topic runs", arguments: HelpTopic.all.map(\.name)) func topic(_ name: String) throws {
    let topic = try #require(HelpTopic.all.first { $0.name == name })
    try runExample(topic.example)
    let fixture = try SessionFixture.pictures()
    #expect(!(try fixture.output("help \(name)").isEmpty))
    #expect(!CommandTable.names.contains(name))
  }

  @Test("help alone names every command and topic") func overview() throws {
    let text = try SessionFixture().output("help")
    for name in CommandTable.commands.map(\.name) + HelpTopic.all.map(\.name) { #expect(text.contains(name)) }
    #expect(try SessionFixture().output("help gaussian-blur").contains("std-dev-x"))
    #expect(try SessionFixture().error("help prove").contains("did you mean 'probe'"))
  }

  @Test("quit ends with its status") func quit() throws {
    let fixture = try SessionFixture()
    #expect(throws: SessionEnd(status: 0)) { try fixture.run("quit") }
    #expect(throws: SessionEnd(status: 7)) { try fixture.run("quit 7") }
  }
}
