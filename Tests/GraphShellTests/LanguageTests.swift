import GraphShell
import TestSupport
import Testing

@Suite(.serialized) struct LanguageTests {
  @Test(
    "An error names its place, what was expected, and what was probably meant",
    arguments: [
      (
        "x = gegl:gausian-blur a",
        "test:1:5: there is no operation 'gegl:gausian-blur'; did you mean 'gegl:gaussian-blur'?"
      ),
      ("x = gegl:gaussian-blur a std-dev-x=abc", "test:1:36: 'std-dev-x' takes a number from 0 to 1500, not 'abc'"),
      ("x = gegl:gaussian-blur a std-dev-x=-1", "test:1:36: 'std-dev-x' takes a number from 0 to 1500, not '-1'"),
      (
        "x = gegl:gaussian-blur a std-dev=1",
        "test:1:26: 'gegl:gaussian-blur' has no property 'std-dev'; did you mean 'std-dev-x'?"
      ),
      (
        "x = gegl:gaussian-blur a filter=irr",
        "test:1:33: 'filter' takes one of auto, fir, iir, not 'irr'; did you mean 'iir'?"
      ),
      ("x = gegl:checkerboard x=1.5", "test:1:25: 'x' takes a whole number from 1 to 2147483647, not '1.5'"),
      ("x = gegl:gaussian-blur a clip-extent=maybe", "test:1:38: 'clip-extent' takes true or false, not 'maybe'"),
      ("x = gegl:gaussian-blur c", "test:1:24: there is no node 'c'; did you mean 'a'?"),
      ("x = gegl:gaussian-blur aux=a", "test:1:24: 'gegl:gaussian-blur' has no property 'aux'"),
      (
        "x = gegl:color value=reddish",
        "test:1:22: 'value' takes a colour, such as red, #ff8000 or rgb(1, 0.5, 0), not 'reddish'"
      ),
      ("x = gegl:gaussian-blur a std-dev-x=", "'std-dev-x' is missing"),
      ("x = gegl:gaussian-blur a std-dev-x=1 std-dev-x=2", "'std-dev-x' is given twice"),
      ("probe a 1", "Y is missing: probe NODE X Y [RADIUS]"),
      ("probe a 1 x", "test:1:11: Y is a whole number, not 'x'"),
      ("probe a 1 9999", "outside of 'a'"),
      ("probbe a 1 1", "test:1:1: there is no command or operation 'probbe'; did you mean 'probe'?"),
      ("exit", "test:1:1: there is no command, node or operation 'exit'; did you mean 'quit'?"),
      ("foo | gegl:nop", "there is no command, node or operation 'foo'"),
      ("x = foo", "there is no node or operation 'foo'"),
      ("x = a | foo", "there is no operation 'foo'"),
      ("x = gegl:gaussian-blur a clip-extent=yes", "'clip-extent' takes true or false, not 'yes'"),
      ("x = chain \"gegl:gaussian-blur std-dev-x=0.1rel\"", "write (height(NODE) * 0.1), or the number"),
      ("x = chain \"gegl:gaussian-blur std-dev-x={ 0=1 5=2 }\"", "test:1:41: '{' begins values over time"),
      ("$n2 * zz(1)", "test:1:7: there is no function 'zz'"),
      ("1 + a", "'a' is a node, not a value"),
      ("nothing?", "there is no operation 'nothing'"),
      ("show c", "test:1:6: there is no node 'c'"),
      ("stats = a | gegl:nop", "'stats' is a command"),
      ("x = \"open", "test:1:5: the text that begins here has no closing \""),
      ("x = a | gegl:over aux=[ b", "'[' is not closed"),
      ("x = a | gegl:checkerboard", "'gegl:checkerboard' takes no input"),
      ("x = load \"no such.png\"", "test:1:10: no such.png: there is no such file"),
      ("x = gegl:over a b a b", "no pad left"),
      ("b.std-dev-x = $n", "there is no variable '$n'"),
      ("1x = a | gegl:nop", "is no name"),
      ("b.input = b", "a circle"),
      ("a~1.color1 = $", "test:1:14: 'color1' takes a colour"),
      ("set output xml", "'output' takes one of text, json, csv, not 'xml'"),
      ("x = gegl:cast-format a output-format=\"R'G'B' u9\"", "takes a pixel format"),
      ("a b", "'a' is a node, not an operation"), ("x = b | a", "'a' is a node, not an operation"),
      ("x =", "test:1:4: an operation, a node or a value after '=' is missing"),
    ]) func errors(statement: String, expected: String) throws
  {
    let fixture = try SessionFixture.pictures()
    try fixture.run("n2 = 1")
    let before = fixture.script
    let error = fixture.error(statement)
    #expect(error.contains(expected), "\(statement): \(error)")
    #expect(error.hasPrefix("test:1:") && !error.contains("\n"))
    #expect(fixture.script == before)
  }

  @Test("Lines are put together while something is open, and counted") func lines() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run(
      "c = a \\\n  | gegl:invert-linear   # comment\nd = a | gegl:over aux=[ b\n  | gegl:opacity value=0.5\n]\n# c = [")
    #expect(fixture.session.document["c"]?.operation == "gegl:invert-linear")
    #expect(fixture.session.document["d~aux"]?.inputs.first?.source == "b")
    #expect(fixture.error("c = a |\nd = a").hasPrefix("test:1:"))
    #expect(fixture.error("c = a | \\\n   gegl:nonsense").hasPrefix("test:2:4:"))
  }

  @Test("Texts: quotes, escapes, colours with '#', variables inside") func texts() throws {
    let fixture = try SessionFixture("name = \"x y\"\nt = gegl:text string=\"a \\\"$name\\\" \\\\ \\$\" color=#ff8000")
    #expect(fixture.session.document["t"]?.setting("string") == .string("a \"x y\" \\ $"))
    #expect(fixture.session.document["t"]?.setting("color") == .string("#ff8000"))
    try fixture.run("t.string = '$name'")
    #expect(fixture.session.document["t"]?.setting("string") == .string("$name"))
    try fixture.run("t.string = ${name}z")
    #expect(fixture.session.document["t"]?.setting("string") == .string("x yz"))
  }

  @Test("Values: expressions, properties of other nodes read once, default") func values() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("r = 4\nb.std-dev-x = (2 * $r - 1 / 2)\nb.std-dev-y = b.std-dev-x\nb.std-dev-x = 1")
    #expect(fixture.session.document["b"]?.setting("std-dev-y") == .double(7.5))
    try fixture.run("b.std-dev-x = default")
    #expect(fixture.session.document["b"]?.setting("std-dev-x") == nil)
    #expect(try fixture.output("b.std-dev-x") == "1.5")
  }

  @Test(
    "Assertions hold, or tell both sides",
    arguments: [
      ("width(a) == 64 and height(a) == 48", ""), ("not (1 > 2) or 1 / 0 > 5", ""), ("\"x\" == 'x'", ""),
      ("abs(-2) + sqrt(9) * 2 == 8", ""), ("b.filter == \"auto\"", ""), ("holes(b) == 0", ""),
      ("difference(a, a) == 0", ""), ("maximum(1, minimum(3, 2)) == 2", ""), ("a.size == 1", "no property 'size'"),
      ("width(a) == 65", "test:1:8: does not hold: width(a) == 65 (64 and 65)"),
      ("width(a) == 64 and height(a) > 50", "(height(a) > 50: 48 and 50)"),
      ("width(a) = 64", "write '==' to compare"), ("a == 3", "'a' is a node, not a value"),
      ("width(a)", "neither true nor false"),
      ("width(b, 1) == 1", "'width' takes width(NODE)"), ("wdth(a) == 1", "did you mean 'width'"),
      ("1 +", "a value is missing"), ("(1", "')' is missing"), ("1 2", "operator"), ("\"x\" < 2", "cannot be compared"),
    ]) func assertions(expression: String, error: String) throws
  {
    let fixture = try SessionFixture.pictures()
    let found = fixture.error("assert \(expression)")
    #expect(error.isEmpty ? found == "no error" : found.contains(error), "\(expression): \(found)")
  }

  @Test(
    "An expression alone prints its value",
    arguments: [
      ("1+2", "3"), ("1 - 2", "-1"), ("-3", "-3"), ("(1 + 2) * 2", "6"), ("$r", "3"), ("$r*2", "6"),
      ("${r} / 2", "1.5"),
      ("$word", "x y"), ("b.std-dev-x * 2", "4"), ("b.std-dev-x*2", "4"), ("b.std-dev-x == 2", "true"),
      ("width(a) / 2", "32"), ("2 < 1 or 1 < 2", "true"), ("b.format", "RaGaBaA float"), ("a.bounds", "0 0 64 48"),
      ("a.operation", "gegl:crop"), ("b.height", "48"),
    ]) func values(statement: String, value: String) throws
  {
    let fixture = try SessionFixture.pictures()
    try fixture.run("r = 3\nword = \"x y\"")
    let before = fixture.script
    #expect(try fixture.output(statement) == value)
    #expect(fixture.script == before)
    let json = try fixture.output("set output json\n\(statement)")
    #expect(json.hasPrefix("{") && json.contains("\"value\":"), "\(json)")
  }

  @Test("A question tells about commands, nodes, properties, topics and operations") func questions() throws {
    let fixture = try SessionFixture.pictures()
    for (question, answer) in [
      ("probe?", "usage: probe"), ("probe ?", "usage: probe"), ("b?", "gegl:gaussian-blur"), ("units?", "stops"),
      ("b.std-dev-x?", "takes a number from 0 to 1500"), ("gegl:gaussian-blur?", "std-dev-x"), ("?", "Commands:"),
    ] {
      #expect(try fixture.output(question).contains(answer), "\(question)")
    }
  }

  @Test("Marks of byte orders before lines mean nothing") func marks() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("\u{FEFF}c = a | gegl:nop\n\u{FEFF}# comment\n\u{FEFF}assert width(c) == 64")
  }

  @Test("Files, folders and the system") func system() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture()
    try fixture.run("!true\n!test 1 = 1 # not ours")
    #expect(fixture.error("!exit 3").contains("test:1:2: the command ended with status 3"))
    #expect(fixture.error("cd \(folder.path)/x").contains("one word too many"))
    #expect(fixture.error("cd \"\(folder.path)/none\"").contains("no such file"))
  }
}
