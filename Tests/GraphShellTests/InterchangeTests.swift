import GEGL
import GraphShell
import TestSupport
import Testing

@Suite(.serialized) struct InterchangeTests {
  /// Graphs with all that a language can lose.
  static let scripts = [
    CommandTable.exampleScript,
    CommandTable.exampleScript + "\nc = a | gegl:over aux=[ b | gegl:opacity value=0.25 ] | gegl:invert-linear",
    CommandTable.exampleScript + "\nc = gegl:over a aux=a\nd = gegl:over c aux=b\ne = gegl:multiply d aux=c",
    "t = gegl:text string=\"it's \\\"so\\\" \\\\ \\$5\" size=20.5 color='rgb(0.1, 0.2, 0.3)' alignment=1",
    "f = gegl:color value=red | gegl:crop width=32 height=24\na = gegl:color value='#102030' | gegl:crop width=32 height=24\n"
      + "out = constant-color:confidence f aux=a aux2=[ constant-color:subtract-ambient f aux=a ] tolerance=2.5",
    "c = gegl:color value=gray | gegl:crop width=9 height=9 | gegl:contrast-curve curve=\"0,0 0.5,0.25 1,1\"",
  ]

  @Test("script → graph → script is the identity", arguments: scripts) func script(_ text: String) throws {
    let fixture = try SessionFixture(text)
    let again = try SessionFixture(fixture.script)
    #expect(again.session.document == fixture.session.document || again.script == fixture.script)
    #expect(again.script == fixture.script)
  }

  @Test("chain → graph → chain is the identity, and so are pixels", arguments: scripts) func chain(_ text: String)
    throws
  {
    let fixture = try SessionFixture(text)
    let name = try #require(fixture.session.document.ends.last)
    let chain = try fixture.output("chain \(name)")
    let again = try SessionFixture("\(name) = chain \(ScriptText.quoted(chain))")
    #expect(try again.output("chain \(name)") == chain)
    let stats = "set output json\nstats \(name)"
    #expect(try again.output(stats) == fixture.output(stats))
  }

  @Test("XML → graph → XML is the identity, and names stay", arguments: scripts) func xml(_ text: String) throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture(text)
    let name = try #require(fixture.session.document.ends.last)
    try fixture.run("save \"\(folder.path)/g.xml\" \(name)")
    let again = try SessionFixture("open \"\(folder.path)/g.xml\"")
    #expect(try again.output("xml \(name)") == fixture.output("xml \(name)"))
    let upstream = fixture.session.document.ordered(upTo: name)
    #expect(Set(again.session.document.nodes.map(ScriptText.statement)) == Set(upstream.map(ScriptText.statement)))
  }

  @Test("A saved session gives the same bits") func bits() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture(Self.scripts[1])
    try fixture.run("save \"\(folder.path)/s.ccg\"\nrender c \"\(folder.path)/one.tif\" --float")
    let again = try SessionFixture("open \"\(folder.path)/s.ccg\"\nrender c \"\(folder.path)/two.tif\" --float")
    #expect(try Command(["cmp", "\(folder.path)/one.tif", "\(folder.path)/two.tif"]).status == 0)
    try again.run("undo")
    #expect(again.session.document.names.isEmpty)
  }

  @Test("Who saves an operation that throws dice is told") func dice() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    var notes: [String] = []
    fixture.session.environment.note = { notes.append($0) }
    try fixture.run("save \"\(folder.path)/s.ccg\"\nc = gegl:c2g a\nsave \"\(folder.path)/s.ccg\"")
    #expect(notes == ["'c' will be another one each time: 'gegl:c2g' throws dice"])
  }

  @Test("GEGL's own tool makes the same picture of a printed chain") func gegl() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture(Self.scripts[1])
    let chain = try fixture.output("chain c")
    _ = try Command(["sh", "-c", "gegl -o \"$0/gegl.png\" -- \(chain)", folder.path])
    try fixture.run("g = load \"\(folder.path)/gegl.png\"\nassert largest-difference(c, g) < 0.5")
  }

  @Test(
    "XML that declares something, or is broken, is refused",
    arguments: [
      (
        "<!DOCTYPE gegl [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><gegl><node operation='gegl:text' string='&x;'/></gegl>",
        "refused"
      ),
      ("<gegl><node operation='gegl:text' string='&x;'/></gegl>", "refused"),
      ("<gegl><node operation='gegl:nop'>", "ends too early"),
      ("<gegl></gegl>", "no node"), ("<svg/>", "no graph of GEGL's"),
      ("<gegl><node operation='gegl:nonsense'/></gegl>", "no operation"),
      ("<gegl><node operation='gegl:gaussian-blur' std-dev-x='abc'/></gegl>", "takes a number"),
      ("<gegl>\n<node/></gegl>", "line 2: a 'node' has no 'operation'"),
      (
        "<gegl>\n<node operation='gegl:gaussian-blur'>\n<params>\n<param name='std-dev-x'>abc</param></params></node></gegl>",
        "line 4: 'std-dev-x' takes a number"
      ),
      ("<gegl>\n\n<node operation='gegl:nonsense'/></gegl>", "line 3: there is no"),
    ]) func refused(_ xml: String, _ words: String) throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Array(xml.utf8), "x.xml")
    let fixture = try SessionFixture.pictures()
    let before = fixture.script
    let error = fixture.error("open \"\(folder.path)/x.xml\"")
    #expect(error.contains(words), "\(error)")
    #expect(fixture.script == before)
  }

  @Test("Chains as people write them") func chains() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run(
      "c = chain gegl:checkerboard x=4 gegl:crop width=16 height=8 gegl:over aux=[ gegl:color value=red opi=0:0 gegl:crop width=4 height=4 ]"
    )
    #expect(fixture.session.document["c~aux"]?.operation == "gegl:crop")
    #expect(fixture.session.document["c~1"]?.setting("width") == .double(16))
    #expect(fixture.error("d = chain \"gegl:crop width=x\"").hasPrefix("test:1:28: 'width' takes a number"))
    #expect(fixture.error("d = chain \"gegl:over aux=[ ref=zzz ]\"").contains("zzz"))
    #expect(fixture.error("d = chain \"gegl:invert-linear aux=[ gegl:nop ]\"").contains("has no pad 'aux'"))
    #expect(fixture.error("d = chain \"gegl:over aux=[ gegl:nop\"").contains("'[' is not closed"))
  }
}
