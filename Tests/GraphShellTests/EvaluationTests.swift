import GEGL
import GEGLOperation
import GraphShell
import JSONValue
import TestSupport
import Testing

@Suite(.serialized) struct EvaluationTests {
  @Test("Values are those of mathematics") func values() throws {
    let fixture = try SessionFixture(
      "c = gegl:color value=rgb(0.5,0.25,0.125) | gegl:crop width=20 height=10\nd = c | gegl:invert-linear")
    try fixture.run(
      """
      assert abs(red(d, 3, 3) - 0.5) < 1e-6 and abs(green(d, 3, 3) - 0.75) < 1e-6
      assert abs(luminance(c, 0, 0) - (0.2126 * 0.5 + 0.7152 * 0.25 + 0.0722 * 0.125)) < 1e-3
      assert lowest(c) == 0.125 and highest(d) == 0.875 and difference(c, d) > 20
      """)
    #expect(
      try fixture.output("set output json\nprobe c 4 4\nstats c 0 0 2 2\ncompare c d").split(separator: "\n").map(keys)
        == [
          ["x", "y", "radius", "linear", "srgb", "xyz", "xy", "lab", "cct", "duv"], ["channels"],
          ["mean", "median", "p95", "max", "within1", "within3", "within5", "pixels", "unknown", "gain"],
        ])
    #expect(try fixture.output("set output csv\nprobe c 4 4").hasPrefix("x,y,radius,linear_r"))
  }

  private func keys(_ line: Substring) -> [String] {
    guard case .object(let members)? = try? JSON(parsing: Array(line.utf8)) else { return [] }
    return members.map(\.key)
  }

  @Test("What cannot be computed is an error, never GEGL's") func refused() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run(
      "c = gegl:gaussian-blur\nd = c | gegl:over aux=a\ne = gegl:color\nf = gegl:png-save a\ng = gegl:gif-load")
    #expect(fixture.error("probe d 1 1").contains("'c' is not fed: connect its pad 'input'"))
    #expect(fixture.error("stats e").contains("'e' has no bounds"))
    #expect(fixture.error("probe f 1 1").contains("no output"))
    #expect(fixture.error("probe g 1 1").contains("has no file"))
    #expect(fixture.error("g.path = \"/no/such.gif\"").contains("no such file"))
    #expect(fixture.error("stats a 500 500 2 2").contains("outside of 'a'"))
    #expect(fixture.error("compare a b x").contains("one word too many"))
    #expect(fixture.error("time e").contains("no bounds"))
  }

  @Test("Before the adaptation colours are those of the values sent through it, and it is said") func adaptation()
    throws
  {
    let fixture = try SessionFixture(
      """
      f = gegl:color value=rgb(0.4,0.3,0.2) | gegl:crop width=20 height=10
      out = f | adapt-to-d65 flash-x=0.345 flash-y=0.3585
      """)
    let before = try fixture.output("probe f 3 3")
    #expect(before.contains("sent through 'out'"))
    // The same colour, since the adaptation is the next step.
    try fixture.run("set output json")
    let one = try fixture.output("probe f 3 3")
    let two = try fixture.output("probe out 3 3")
    #expect(one.split(separator: "\"lab\"").last == two.split(separator: "\"lab\"").last)
    #expect(one.split(separator: "\"srgb\"").first != two.split(separator: "\"srgb\"").first)
  }

  @Test("What is measured is the picture before it is brought into the output space") func unbounded() throws {
    let fixture = try SessionFixture(
      """
      day = gegl:color value=rgb(0.5,0.1,2) | gegl:crop width=20 height=10 | gegl:subtract value=0.2
      out = day | render-output exposure=fixed exposure-gain=1 space=srgb
      shown = out | gegl:nop
      assert abs(red(out, 3, 3) - 0.6) < 1e-5 and abs(green(out, 3, 3) + 0.2) < 1e-5 and abs(highest(out) - 3.6) < 1e-5
      assert highest(shown) <= 1 and lowest(shown) >= 0
      out.exposure-gain = 2
      assert abs(highest(out) - 7.2) < 1e-4
      """)
    #expect(try fixture.output("probe out 3 3").contains("before highlights roll off"))
  }

  @Test("Pictures are written as 'develop' does: one channel as plain numbers, the space named") func rendering() throws
  {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    try fixture.run(
      """
      m = a | gegl:component-extract component=rgb-r linear=true
      render m "\(folder.path)/m.png"
      render b "\(folder.path)/p3.png" --space p3
      render b "\(folder.path)/b.exr"
      x = load "\(folder.path)/p3.png"
      y = load "\(folder.path)/b.exr"
      assert largest-difference(b, x) < 0.05 and largest-difference(b, y) < 1e-3
      """)
    let told = try Command(["exiftool", "-s3", "-ColorType", "-ProfileDescription", "\(folder.path)/m.png"])
    #expect(told.output.contains("Grayscale"))
    let profile = try Command(["exiftool", "-s3", "-ProfileDescription", "\(folder.path)/p3.png"])
    #expect(profile.output.contains("P3"))
    #expect(fixture.error("render b x.gif").contains("cannot be written"))
    #expect(fixture.error("render b \"\(folder.path)/no/x.png\"").contains("does not exist"))
  }

  @Test("A changed file is seen, and watching ends after its count") func watching() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    try fixture.run(
      """
      render a "\(folder.path)/in.png"
      c = load "\(folder.path)/in.png" | gegl:invert-linear
      watch c "\(folder.path)/out.png" --count 1
      """)
    _ = try Command(["sh", "-c", "sleep 1; touch '\(folder.path)/later'"])
    let before = try fixture.output("probe c 3 3")
    try fixture.run("render b \"\(folder.path)/other.png\"")
    _ = try Command(["mv", "\(folder.path)/other.png", "\(folder.path)/in.png"])
    try fixture.run("watch c \"\(folder.path)/out.png\" --count 1")
    #expect(exists(folder.path + "/out.png"))
    // What is measured is the file as it is now.
    #expect(try fixture.output("probe c 3 3") != before)
    // What the graph reads is not written over.
    for line in ["render b \"\(folder.path)/in.png\"", "watch c \"\(folder.path)/in.png\" --count 1"] {
      #expect(fixture.error(line).contains("would be replaced"))
    }
  }

  @Test("Files are what GEGL's loaders take them for, or refused") func namedFiles() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    try fixture.run("render a \"\(folder.path)/a.png\"")
    _ = try Command(["cp", "\(folder.path)/a.png", "\(folder.path)/fake.jpg"])
    for line in [
      "x = gegl:load path=\"\(folder.path)/fake.jpg\"", "x = gegl:layer a src=\"\(folder.path)/fake.jpg\"",
      "x = gegl:jpg-load uri=\"file://\(folder.path)/a.png\"", "x = gegl:layer a src=\"\(folder.path)/none.png\"",
    ] {
      #expect(!fixture.error(line).isEmpty, "\(line)")
    }
    try fixture.run("x = load \"\(folder.path)/fake.jpg\"\nassert width(x) == width(a)")
  }

  @Test(
    "Files that a loader cannot read are one error that names them",
    arguments: [
      "icc-load", "ff-load", "rgbe-load", "gif-load", "pdf-load", "ppm-load", "svg-load", "raw-load", "png-load",
      "gegl-buffer-load", "load",
    ]) func unreadable(loader: String) throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Array("hello world, this is no picture".utf8), "x.dat")
    let fixture = try SessionFixture.pictures()
    let before = fixture.script
    guard Catalogue.names.contains("gegl:" + loader) else { return }
    let error = fixture.error("x = gegl:\(loader) path=\"\(folder.path)/x.dat\"")
    #expect(error.hasPrefix("test:1:1: \(folder.path)/x.dat: ") && !error.contains("\n"), "\(error)")
    #expect(fixture.script == before)
    #expect(fixture.error("x = gegl:cast-space a path=\"\(folder.path)/x.dat\"").contains("no ICC profile"))
  }

  @Test("Alpha is a channel of its own, and no part of means") func alpha() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("c = a | gegl:opacity value=0.5\nd = a | gegl:convert-format format=\"RGB float\"")
    #expect(try fixture.output("stats c").split(separator: "\n").last?.hasPrefix("A  0.5000") == true)
    #expect(try fixture.output("stats d").split(separator: "\n").count == 4)
    try fixture.run("assert abs(mean(c) - mean(a)) < 1e-4")
  }

  @Test("Every reply is one object") func objects() throws {
    let fixture = try SessionFixture.pictures()
    for line in ["nodes", "ops blur", "set", "history", "time b", "show b", "b.std-dev-x", "1 + 1", "help", "graph"] {
      let reply = try fixture.output("set output json\n\(line)")
      #expect(!keys(Substring(reply)).isEmpty && !reply.contains("\n"), "\(line): \(reply)")
    }
    #expect(try fixture.output("stats b\ntime b").contains("\"kept\":true"))
  }

  @Test("Without a space 'render' does as 'develop': Display P3, or what the graph renders for") func spaces() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    try fixture.run(
      """
      out = b | render-output exposure=fixed space=srgb
      render b "\(folder.path)/b.png"
      render out "\(folder.path)/out.png"
      render b "\(folder.path)/own.png" --space own
      """)
    for (file, name) in [("b", "P3"), ("out", "sRGB"), ("own", "sRGB")] {
      let told = try Command(["exiftool", "-s3", "-ProfileDescription", "\(folder.path)/\(file).png"])
      #expect(told.output.contains(name), "\(file): \(told.output)")
    }
  }

  @Test("Values that would grow without end, and numbers for which GEGL never ends, are refused") func limits() throws {
    let fixture = try SessionFixture.pictures()
    try fixture.run("v = \"\(String(repeating: "x", count: 40_000))\"")
    #expect(fixture.error("v = \"$v$v\"").contains("64 KB"))
    try fixture.run("n = gegl:pack a aux=b")
    #expect(fixture.error("n.gap = -6.27").contains("never ends"))
  }

  @Test("A stop is an error, and nothing is lost") func cancelling() throws {
    let fixture = try SessionFixture.pictures()
    let before = try fixture.output("probe b 7 7")
    Run.cancellation.cancel()
    #expect(fixture.error("stats b").contains("stopped"))
    #expect(try fixture.output("probe b 7 7") == before)
  }

  @Test("Time tells of each node, its own and all before it") func timing() throws {
    let fixture = try SessionFixture.pictures()
    let table = try fixture.output("time b").split(separator: "\n")
    #expect(table.count == 4 && table[1].hasPrefix("a~1") && table[3].hasPrefix("b"))
    let json = try fixture.output("set output json\ntime b")
    #expect(json.contains("\"cumulative\"") && json.contains("\"megapixelsPerSecond\""))
  }

  @Test("Drawings of the graph") func drawing() throws {
    let folder = try TemporaryFolder()
    let fixture = try SessionFixture.pictures()
    try fixture.run("graph --dot \"\(folder.path)/g.dot\"\ngraph b --svg \"\(folder.path)/g.svg\" --time")
    #expect(try contents(folder.path + "/g.dot").contains("gegl:gaussian-blur"))
    #expect(try contents(folder.path + "/g.svg").hasPrefix("<"))
    #expect(try fixture.output("graph").contains("b = gegl:gaussian-blur"))
  }
}
