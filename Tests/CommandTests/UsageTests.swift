import TestSupport
import Testing

/// What the program says to wrong usage: one line, the right exit status, nothing written.
@Suite struct UsageTests {
  private func expectError(_ words: [String], _ status: Int32 = 2, saying text: String) throws {
    let command = try Command.constantColor(words)
    #expect(command.status == status, "\(words)")
    #expect(command.output.isEmpty, "\(words)")
    #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
    #expect(command.errors.hasPrefix("constant-color: "), "\(command.errors)")
    #expect(command.errors.contains(text), "\(command.errors)")
  }

  @Test func helpAndVersion() throws {
    for words in [
      ["--help"], ["develop", "--help"], ["batch", "--help"], ["watch", "--help"], ["calibrate", "--help"],
      ["validate", "--help"], ["ops", "--help"],
    ] {
      let help = try Command.constantColor(words)
      #expect(help.status == 0)
      #expect(help.output.contains("usage: constant-color"))
      #expect(help.errors.isEmpty)
      for line in help.lines { #expect(line.count <= 120, "\(line)") }
    }
    for words in [["--version"], ["develop", "--version"], ["ops", "--version"]] {
      #expect(try Command.constantColor(words).output.hasPrefix("constant-color 0."))
    }
  }

  @Test func everyOptionOfTheContractHasHelp() throws {
    let help = try Command.constantColor(["develop", "--help"]).output
    for option in [
      "--flash", "--ambient", "--output", "--profile", "--confidence", "--fallback", "--report", "--space",
      "--threshold",
      "--exposure", "--align", "--exposure-ratio", "--look", "--tolerance", "--linear", "--threads", "--memory",
      "--quiet",
      "--verbose", "--progress", "--float",
    ] { #expect(help.contains("  \(option)"), "\(option)") }
  }

  @Test func wrongWords() throws {
    try expectError([], saying: "no command")
    try expectError(["devlop"], saying: "did you mean 'develop'?")
    try expectError(["develop", "--fash", "a.png"], saying: "did you mean '--flash'?")
    try expectError(["develop", "--flash"], saying: "needs a value")
    try expectError(["develop", "--flash", "a", "--flash", "b"], saying: "twice")
    try expectError(["develop", "--quiet=yes"], saying: "takes no value")
    try expectError(["develop", "stray"], saying: "'stray' is not expected")
    try expectError(["develop"], saying: "'--flash' is missing")
    try expectError(["ops", "constant-color:algin"], saying: "did you mean 'constant-color:align'?")
  }

  @Test func wrongValues() throws {
    let pair = try PairFixture()
    let most = ["develop"] + pair.inputs + ["--output", pair.path("out.png")]
    for (words, text) in [
      (["--space", "p4"], "did you mean 'p3'?"), (["--threshold", "2"], "from 0 to 1"),
      (["--exposure", "bright"], "auto, fixed"), (["--exposure-ratio", "-1"], "not '-1'"),
      (["--exposure-ratio", "nan"], "not 'nan'"), (["--align", "afine"], "none, translation, homography"),
      (["--align", "meshes"], "did you mean 'mesh'"), (["--look", "ambience"], "did you mean 'ambient'?"),
      (["--profile", "p.json"], "no such file"), (["--ambient", "other.png"], "other.png"),
      (["--tolerance", "0"], "--tolerance"), (["--threads", "0"], "--threads"), (["--memory", "tiny"], "--memory"),
      (["--flash-white", "1"], "--flash-white"), (["--matrix", "1,2,3"], "nine numbers"),
      (["--matrix", "1,0,0,1,0,0,1,0,0"], "singular"), (["--adaptation", "cat22"], "did you mean 'cat02'?"),
      (["--confidence", pair.path("c.xyz")], ".xyz"), (["--confidence", pair.path("out.png")], "two outputs"),
      (["--fallback", pair.flash], "replace an input"), (["--report", pair.path("no/such/report.json")], "no/such"),
    ] { try expectError(most + words, saying: text) }
    #expect(!exists(pair.path("out.png")))
  }

  @Test func operationsAreListedAndShown() throws {
    let list = try Command.constantColor(["ops"])
    #expect(list.status == 0)
    #expect(list.lines.count == 17)
    let one = try Command.constantColor(["ops", "align"])
    #expect(one.output.contains("constant-color:align"))
    #expect(one.output.contains("found-homography (result)"))
    #expect(one.output.contains("takes one of auto, none, translation, homography"))
    #expect(try Command.constantColor(["ops", "gaussian-blur"]).output.contains("std-dev-x"))
  }
}
