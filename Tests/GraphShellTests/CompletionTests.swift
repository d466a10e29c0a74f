import GraphShell
import TestSupport
import Testing

@Suite(.serialized) struct CompletionTests {
  @Test(
    "Words are completed by what stands before them",
    arguments: [
      ("pro", ["probe"]), ("probe ", ["a", "a~1", "b"]), ("b.std-dev-", ["std-dev-x", "std-dev-y"]),
      ("c = gegl:gaussian-blur-", ["gegl:gaussian-blur-selective"]), ("c = gaussian-blur a fil", ["filter"]),
      ("c = gaussian-blur a filter=", ["auto", "fir", "iir"]), ("c = gaussian-blur a filter=f", ["fir"]),
      ("b.filter = i", ["iir"]), ("connect a b.", ["input"]), ("c = a | gegl:over au", ["aux"]),
      ("c = a | gegl:over aux=[ gegl:opac", ["gegl:opacity"]), ("c = gegl:over aux=a", ["a", "a~1"]),
      ("set ", ["output", "space", "terminal", "timing"]), ("set output j", ["json"]),
      ("help vari", ["variable-blur", "variables"]),
      ("b.std-dev-x = $ra", ["$radius"]), ("c = load", ["load", "load-raw"]),
      ("render a x.png --space rec", ["rec2020"]),
      ("assert larg", ["largest-difference"]), ("gaussian-blur-?", ["gaussian-blur-selective?"]), ("prob?", ["probe?"]),
      ("c = nonsense ", []), ("c = ", nil),
      ("c = chain \"gegl:gaussian-blur-", ["gegl:gaussian-blur-selective"]),
      ("c = chain \"gegl:nop gegl:gaussian-blur std-dev-", ["std-dev-x", "std-dev-y"]),
      ("c = chain \"gegl:gaussian-blur filter=", ["auto", "fir", "iir"]),
      ("c = chain \"gegl:over aux=[ gegl:opacity value=1 ] srg", ["srgb"]),
      ("c = chain gegl:over au", ["aux"]), ("assert width(", nil), ("assert b.std-dev-", ["std-dev-x", "std-dev-y"]),
      ("assert 1 < hei", ["height"]), ("assert width(a) == $ra", ["$radius"]), ("1 + larg", ["largest-difference"]),
      ("b.std-dev-x = (2 * $ra", ["$radius"]), ("b.std-dev-x * larg", ["largest-difference"]),
      ("d = gegl:cast-format a output-format=\"RaGaBaA h", ["\"RaGaBaA half\""]),
      ("d = gegl:cast-format a output-format=\"R'G'B'A u1", ["\"R'G'B'A u16\""]), ("b.form", ["format"]),
    ] as [(String, [String]?)]) func words(line: String, expected: [String]?) throws
  {
    let fixture = try SessionFixture.pictures()
    try fixture.run("radius = 3")
    let completion = fixture.session.complete(line)
    if let expected {
      #expect(completion.candidates.map(\.text).filter { !$0.hasPrefix("value-") } == expected, "\(line)")
    } else {
      #expect(completion.candidates.count > 20)
    }
  }

  @Test("On an empty line there are nodes and commands, no operations") func emptyLine() throws {
    let completion = try SessionFixture.pictures().session.complete("")
    #expect(completion.candidates.map(\.text).prefix(4) == ["a", "a~1", "b", "assert"])
    #expect(completion.candidates.count < 50 && completion.listing(width: 80)?.contains("operations") == true)
  }

  @Test("Meanings and ranges are shown beside the words") func notes() throws {
    let fixture = try SessionFixture.pictures()
    let filter = fixture.session.complete("b.")
    #expect(filter.candidates.first { $0.text == "std-dev-x" }?.note == "a number from 0 to 1500, default 1.5")
    #expect(
      fixture.session.complete("b.std-dev-x = ").listing(width: 80) == "std-dev-x: a number from 0 to 1500, default 1.5"
    )
  }

  @Test("Paths with blanks are put in quotes, and quotes that are open stay") func paths() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "one two.png")
    try folder.write([1], "other.png")
    _ = folder.folder("sub folder")
    let fixture = try SessionFixture.pictures()
    let path = folder.path
    func texts(_ line: String) -> [String] { fixture.session.complete(line).candidates.map(\.text) }
    #expect(texts("x = load \"\(path)/one") == ["\"\(path)/one two.png\""])
    #expect(texts("x = load '\(path)/ot") == ["'\(path)/other.png'"])
    #expect(texts("cd \"\(path)/s") == ["\"\(path)/sub folder/"])
    #expect(texts("render a \"\(path)/o").count == 2)
  }

  @Test("Any beginning of any line can be completed, fast") func anything() throws {
    let fixture = try SessionFixture.pictures()
    _ = fixture.session.complete("x = gegl:")
    let clock = ContinuousClock()
    for line in [
      "c = a | gegl:over aux=[ b | gegl:opacity value=0.5 ] \"", "set output json", "connect a b.input", "!ls 'x",
    ] {
      for end in line.indices {
        let time = clock.measure { _ = fixture.session.complete(String(line[..<end])) }
        #expect(time < .milliseconds(50))
      }
    }
  }
}
