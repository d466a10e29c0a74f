import GEGL
import GraphShell
import TestSupport
import Testing

@Suite(.serialized) struct GraphEditingTests {
  @Test("A node that is replaced keeps its place and its consumers, in one step of undo") func replacing() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("c = b | gegl:invert-linear")
    let before = fixture.script
    try fixture.run("b = gegl:box-blur a radius=2")
    #expect(fixture.session.document["c"]?.source(of: "input") == "b")
    #expect(fixture.session.document.names == ["a~1", "a", "b", "c"])
    try fixture.run("undo")
    #expect(fixture.script == before)
    try fixture.run("redo")
    #expect(fixture.session.document["b"]?.operation == "gegl:box-blur")
  }

  @Test("A node may be fed by what it was") func selfReference() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("c = b | gegl:nop\nb = b | gegl:invert-linear\nb = gegl:over b aux=a")
    let document = fixture.session.document
    #expect(document["b"]?.source(of: "input") == "b~1")
    #expect(document["b~1"]?.operation == "gegl:invert-linear")
    #expect(document["b~2"]?.operation == "gegl:gaussian-blur")
    #expect(document["c"]?.source(of: "input") == "b")
    #expect(fixture.error("a = gegl:over a aux=c").contains("circle"))
  }

  @Test("Steps of a pipe have names of their own and go with it") func steps() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("c = a | gegl:invert-linear | gegl:gaussian-blur std-dev-x=1 | gegl:nop")
    #expect(fixture.session.document.names.suffix(3) == ["c~2", "c~1", "c"])
    try fixture.run("d = c~1 | gegl:nop\nc = a | gegl:nop")
    #expect(fixture.session.document["c~1"] != nil)
    try fixture.run("remove d\nc = a | gegl:nop\nremove c")
    #expect(fixture.session.document.names.allSatisfy { !$0.hasPrefix("c~2") })
  }

  @Test("Connect, disconnect, rename, remove, undo many, redo") func editing() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("c = gegl:over\nconnect a c.input\nconnect b c.aux\nrename b soft")
    #expect(fixture.session.document["c"]?.source(of: "aux") == "soft")
    let full = fixture.script
    try fixture.run("disconnect c.aux\nremove soft\nundo 2")
    #expect(fixture.script == full)
    #expect(try fixture.output("probe c 4 4").contains("linear"))
    try fixture.run("undo 100")
    #expect(fixture.session.document.names.isEmpty)
    try fixture.run("redo 100")
    #expect(!fixture.session.document.names.contains("soft") && fixture.session.document.names.contains("c"))
    #expect(fixture.error("redo").contains("nothing to redo"))
    #expect(fixture.error("connect c a.input").contains("circle"))
  }

  @Test("Pads are shown in their order, whatever was connected first") func padOrder() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("c = gegl:over\nconnect b c.aux\nconnect a c.input")
    #expect(try fixture.output("nodes").contains("input=a aux=b"))
    #expect(try fixture.output("set output json\nnodes").contains("\"inputs\":{\"input\":\"a\",\"aux\":\"b\"}"))
  }

  @Test("Undo takes back variables, too, and tells where there is less than was asked for") func variables() throws {
    let fixture = try SessionFixture.pictures()
    var notes: [String] = []
    fixture.session.environment.note = { notes.append($0) }
    try fixture.run("r = 1\nr = 2\nundo")
    #expect(fixture.session.variables["r"] == .int(1))
    try fixture.run("redo\nundo 9999")
    #expect(fixture.session.variables["r"] == nil && fixture.session.document.names.isEmpty)
    #expect(notes == ["4 of 9999 statements were undone: there are no more"])
  }

  @Test("An unnamed statement becomes _1, _2, ...") func unnamed() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("a | gegl:invert-linear\n_1 | gegl:nop")
    #expect(fixture.session.document["_2"]?.source(of: "input") == "_1")
  }

  @Test("An error leaves GEGL's graph as it was") func rollback() throws {
    let fixture = try SessionFixture.pictures()
    let before = try fixture.output("probe b 10 10")
    #expect(fixture.error("b.std-dev-x = 1e9").contains("takes a number"))
    #expect(fixture.error("b = gegl:color value=nonsense").contains("takes a colour"))
    #expect(try fixture.output("probe b 10 10") == before)
  }

  @Test("Folders change, files stay the same") func folders() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    let start = try fixture.output("pwd")
    defer { try? fixture.run("cd \"\(start)\"") }
    try fixture.run("cd \"\(folder.path)\"\nrender a a.png\nc = load a.png\nd = gegl:png-load path=a.png\ncd /")
    #expect(fixture.session.document["c"]?.setting("path") == .string(folder.path + "/a.png"))
    #expect(fixture.session.document["d"]?.setting("path") == .string(folder.path + "/a.png"))
    #expect(try fixture.output("probe d 1 1").contains("linear"))
  }
}
