import GEGL
import GraphShell
import Testing

@Suite(.serialized) struct OperationTests {
  @Test("Every installed operation is created, described, looked at and removed") func all() throws {
    let fixture = try SessionFixture()
    var count = 0
    for name in Catalogue.names {
      let (_, messages) = try Messages.capture {
        try fixture.run(
          "x = \(name)\nx?\nshow x\ninfo \(name)\nchain x\nxml x\nremove x".replacing("\nx?", with: "\n\(name)?"))
      }
      #expect(messages.isEmpty, "\(name): \(messages)")
      #expect(fixture.session.document.names.isEmpty)
      count += 1
    }
    #expect(count > 200)
  }

  @Test("Every property accepts its own default, and refuses what it is not") func defaults() throws {
    let fixture = try SessionFixture()
    for name in Catalogue.names {
      let operation = try Catalogue.describe(name)
      try fixture.run("x = \(name)")
      for property in operation.properties where property.isWritable {
        guard let value = property.defaultValue else { continue }
        switch property.kind {
        case .other, .path, .string, .format, .vectorPath, .curve: continue
        default: break
        }
        let statement = "x.\(property.name) = \(ScriptText.text(value))"
        // Some defaults are outside of their own range.
        let error = fixture.error(statement)
        #expect(
          ["no error", "takes", "needs", "only a program"].contains { error.contains($0) },
          "\(name): \(statement): \(error)")
      }
    }
  }
}
