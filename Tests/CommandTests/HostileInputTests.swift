import Glibc
import JSONValue
import TestSupport
import Testing

/// Files that somebody made to do harm: an error in one line, in no time, and nothing elsewhere.
@Suite struct HostileInputTests {
  /// What moves a cursor, or turns the reading direction.
  private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || scalar == "\t"
        || (scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl)
    }
  }

  private func expectRefusal(_ words: [String], status: Int32 = 2, saying text: String, _ place: String) throws {
    let command = try Command(["timeout", "60", Built.folder + "/constant-color"] + words)
    #expect(command.status == status, "\(place): \(command.errors)")
    #expect(command.errors.split(separator: "\n").count == 1, "\(place): \(command.errors)")
    #expect(command.errors.contains(text), "\(place): \(command.errors)")
    #expect(isPlain(command.errors))
  }

  @Test func namesReachNoTerminalRaw() throws {
    let evil = "e\u{1B}]0;owned\u{7}\u{1B}[2J\r\u{9B}31m\u{202E}"
    let series = try SeriesFixture([evil, "plain"])
    try series.add(evil + "alone_flash.png", flash: true)
    _ = try Command(["cp", "/etc/hostname", series.input + "/" + evil + "\nbad.png"])
    let batch = try series.batch(["--verbose"])
    #expect(isPlain(batch.output) && isPlain(batch.errors), "\(batch.errors)")
    #expect(batch.errors.contains("owned"))
    #expect(try !contents(series.output + "/index.html").contains("\u{1B}"))
    // Of a statement, a line's end would be the end.
    let path = series.input + "/s\u{1B}[2J\u{9B}31m\u{202E}owned.png"
    _ = try Command(["cp", series.input + "/plain_flash.png", path])
    let shell = try Command.constantColor(
      ["run", "-e", "a = load \"\(path)\"", "-e", "show a", "-e", "nodes", "-e", "set output csv", "-e", "show a"])
    #expect(shell.status == 0 && shell.output.contains("owned"), "\(shell.errors)")
    #expect(isPlain(shell.output))
    try expectRefusal(["compare", path, path + "\u{1B}[1m"], saying: "no such file", "compare")
  }

  @Test func whatIsNoFileIsNotWaitedFor() throws {
    let pair = try PairFixture()
    let pipe = pair.path("pipe")
    mkfifo(pipe, 0o600)
    let out = ["--output", pair.path("result.png")]
    for special in [pipe, "/dev/zero", "/dev/random"] {
      let never = "regular file"
      try expectRefusal(["develop", "--flash", special, "--ambient", pair.ambient] + out, saying: never, special)
      try expectRefusal(["develop"] + pair.inputs + out + ["--profile", special], saying: special, special)
      try expectRefusal(
        ["calibrate"] + pair.inputs + ["--output", pair.path("p.json"), "--chart", special], saying: special, special)
      try expectRefusal(["batch", "--manifest", special, "--output", pair.path("out")], saying: never, special)
      try expectRefusal(["compare", pair.flash, special], saying: never, special)
      try expectRefusal(["simulate", "--output", pair.path("set"), "--camera", special], saying: special, special)
    }
    #expect(!exists(pair.path("result.png")))
  }

  @Test func tablesLeadNowhereElse() throws {
    let series = try SeriesFixture(["a"])
    let table = series.folder.path + "/in/pairs.csv"
    for name in ["../x", "/tmp/x", "b/../../x", ".x", "b/.x", "x\u{1B}[1m", String(repeating: "n/", count: 99) + "x"] {
      PairFixture.write("flash,ambient,name\na_flash.png,a_ambient.png,\(name)\n", to: table)
      try expectRefusal(
        ["batch", "--manifest", table, "--output", series.output], saying: "cannot name files", name)
    }
    for options in ["--output /tmp/x", "--report /tmp/x", "--confidence /tmp/x", "--threads 4", "x"] {
      PairFixture.write("flash,ambient,name,options\na_flash.png,a_ambient.png,c,\(options)\n", to: table)
      let batch = try Command.constantColor(["batch", "--manifest", table, "--output", series.output])
      #expect(batch.status != 0 && !exists(series.output + "/c.png"), "\(options): \(batch.errors)")
    }
    // A link in the place of a result is replaced by what it names, as everywhere; one in that of a folder is followed no further
    // than the folder that was named.
    #expect(!exists(series.folder.path + "/x.png"))
  }

  @Test func profilesBeyondReason() throws {
    let pair = try PairFixture()
    let profile = pair.path("p.json")
    let words = ["develop"] + pair.inputs + ["--output", pair.path("result.png"), "--profile", profile]
    let deep = String(repeating: "[", count: 100_000)
    let texts = [
      deep, "{\"format\":\"" + String(repeating: "]", count: 100_000) + "\",\"a\":" + deep,
      "{\"format\":\"constant-color profile\",\"formatVersion\":1e999}",
      "{\"format\":\"constant-color profile\",\"formatVersion\":" + String(repeating: "9", count: 5000) + "}",
      "{\"format\":\"\u{1B}[2J\"}", "/* \" */" + deep, "",
    ]
    for text in texts {
      PairFixture.write(text, to: profile)
      try expectRefusal(words, saying: profile, String(text.prefix(60)))
    }
  }

  @Test func graphsThatDeclareEntities() throws {
    let folder = try TemporaryFolder()
    let laughs = (0..<9).map { "<!ENTITY l\($0 + 1) \"&l\($0);&l\($0);&l\($0);&l\($0);&l\($0);&l\($0);\">" }.joined()
    let documents = [
      "<!DOCTYPE g [<!ENTITY l0 \"ha\">\(laughs)]><gegl>&l9;</gegl>",
      "<!DOCTYPE g SYSTEM \"/dev/zero\"><gegl/>",
      "<!DOCTYPE g [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><gegl><node operation='&f;'/></gegl>",
      "<gegl><node operation='&f;'/></gegl>",
      String(repeating: "<gegl>", count: 100_000),
      String(repeating: "<gegl><node operation='gegl:nop'>", count: 1)
        + String(repeating: "<node operation='gegl:nop'>", count: 5000),
    ]
    for document in documents {
      try folder.write(Array(document.utf8), "g.xml")
      try expectRefusal(
        ["run", "-e", "open \"\(folder.path)/g.xml\""], status: 1, saying: "g.xml", String(document.prefix(60)))
    }
  }
}
