import Glibc
import TestSupport
import Testing

/// What goes wrong around a command: results appear whole or not at all, and the exit status tells.
@Suite(.serialized) struct FaultTests {
  private static let command = Built.folder + "/constant-color"

  /// Runs a line of the system's shell, in which "$cc" is the command.
  private func run(_ line: String, in folder: TemporaryFolder) throws -> Command {
    try Command(["sh", "-c", "cd \"$0\" && cc=\"$1\" && \(line)", folder.path, Self.command])
  }

  @Test func whatCannotBePrintedIsAFailure() throws {
    let folder = try TemporaryFolder()
    let full = try run("\"$cc\" ops > /dev/full", in: folder)
    #expect(full.status == 1 && full.errors.contains("standard output"), "\(full.errors)")
    #expect(try run("\"$cc\" ops >&-", in: folder).status == 1)
    #expect(try run("\"$cc\" --version > /dev/null 2>&-", in: folder).status == 0)
    let pair = try PairFixture()
    for redirection in ["> /dev/full", ">&-"] {
      let report = try run(
        "\"$cc\" develop --flash flash.png --ambient ambient.png --output r.png --report - \(redirection)",
        in: pair.folder)
      #expect(report.status == 1, "\(redirection): \(report.errors)")
      // The picture is whole, and nothing was printed into it.
      #expect(try samples(pair.path("r.png")).count == 96 * 64 * 3)
    }
  }

  /// A reader that has seen enough.
  @Test func brokenPipes() throws {
    let pair = try PairFixture()
    let first = try run("{ sleep 0.3; \"$cc\" ops; echo $? > status; } | true", in: pair.folder)
    #expect(first.errors.isEmpty, "\(first.errors)")
    #expect(try contents(pair.path("status")) == "1\n")
    // The picture does not depend on who listens.
    let words = "develop --flash flash.png --ambient ambient.png --output r.png --report - --verbose"
    _ = try run("{ \"$cc\" \(words) 2>&1; echo $? > status; } | true", in: pair.folder)
    #expect(try samples(pair.path("r.png")).count == 96 * 64 * 3)
    // A script ends soon after, and not in the middle of a picture.
    try pair.folder.write(
      Array("a = load \"flash.png\"\n".utf8) + Array(repeating: "stats a\n", count: 5000).joined().utf8, "s.ccg")
    let script = try run("{ \"$cc\" run s.ccg; echo $? > status; } | head -n 1", in: pair.folder)
    #expect(script.errors.isEmpty)
    #expect(try contents(pair.path("status")) == "1\n")
  }

  @Test func filesThatMayNotGrow() throws {
    let pair = try PairFixture(width: 200, height: 150)
    for ending in ["png", "tif", "exr", "jpg"] {
      let result = try run(
        "ulimit -f 4 && \"$cc\" develop --flash flash.png --ambient ambient.png --output r.\(ending)", in: pair.folder)
      #expect(result.status == 1, "\(ending): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      #expect(result.errors.contains("r.\(ending): "), "\(result.errors)")
    }
    #expect(try Command(["ls", "-A", pair.folder.path]).lines == ["ambient.png", "flash.png"])
  }

  /// A disk that is full after the first 1 KB of each file: what is there is whole, and the status tells.
  @Test(arguments: WritingCommands.lines) func aFullDisk(_ line: [String]) throws {
    let pair = try WritingCommands.fixture(for: line)
    let (output, temporary) = (pair.folder.folder("o"), pair.folder.folder("tmp"))
    let words = ["env", "TMPDIR=\(temporary)", Self.command] + WritingCommands.words(line, in: pair)
    let whole = try Command(words)
    #expect([0, 3].contains(whole.status), "\(whole.errors)")
    let expected = try WritingCommands.files(output)
    _ = try Command(["sh", "-c", "rm -rf \"$0\" && mkdir \"$0\"", output])
    let full = try Command(["sh", "-c", "ulimit -f 2 && exec \"$@\"", "sh"] + words)
    // To a database that cannot be made, 'record' says that it takes another.
    #expect(full.status == (line[0] == "record" ? 2 : 1), "\(line[0]): \(full.status), \(full.errors)")
    #expect(full.errors.contains(": "), "\(line[0]): \(full.errors)")
    for (name, size) in try WritingCommands.files(output) {
      #expect(expected[name] == size, "\(line[0]): \(name), \(full.errors)")
    }
    #expect(try Command(["ls", "-A", temporary]).output.isEmpty, "\(line[0])")
  }

  /// What is usual around a command, and is not there.
  @Test(arguments: [
    "env -i", "env HOME=/dev/null XDG_CACHE_HOME=/dev/null", "env -u HOME TZ=Nowhere/Bad LC_ALL=none LANG=none",
    "env GEGL_THREADS=none", "env GEGL_THREADS=0",
  ])
  func strangeSurroundings(_ surroundings: String) throws {
    let pair = try PairFixture()
    let words = "develop --flash flash.png --ambient ambient.png --output"
    #expect(try run("\"$cc\" \(words) usual.png", in: pair.folder).status == 0)
    let strange = try run("\(surroundings) \"$cc\" \(words) strange.png <&-", in: pair.folder)
    #expect(strange.status == 0 && strange.errors.isEmpty, "\(strange.errors)")
    #expect(try bytes(of: pair.path("strange.png")) == bytes(of: pair.path("usual.png")))
  }

  /// What does not fit into memory goes to GEGL's swap; where that is full, GEGL goes on with other pixels.
  @Test func aFullSwapIsNoPicture() throws {
    let pair = try PairFixture(width: 2000, height: 1500)
    _ = pair.folder.folder("swap")
    let result = try run(
      "ulimit -f 40000 && GEGL_SWAP=\"$PWD/swap\" \"$cc\" develop --memory 64M --quiet --align none --exposure-ratio 1 "
        + "--flash flash.png --ambient ambient.png --output r.png", in: pair.folder)
    #expect(result.status == 1, "\(result.errors)")
    #expect(result.errors.contains("pixels were lost") && result.errors.contains("/swap"), "\(result.errors)")
    #expect(!exists(pair.path("r.png")))
  }

  /// Less memory than libraries need to end in order: an error in one line before they are begun.
  @Test(arguments: [100, 300, 700]) func littleMemory(megabytes: Int) throws {
    let pair = try PairFixture(width: 600, height: 400)
    let result = try run(
      "ulimit -c 0; ulimit -v \(megabytes << 10) && timeout 60 \"$cc\" develop --flash flash.png --ambient ambient.png --output r.png",
      in: pair.folder)
    #expect(result.status == 1 && result.errors.split(separator: "\n").count == 1, "\(result.status): \(result.errors)")
    #expect(result.errors.contains("ulimit -v"), "\(result.errors)")
    #expect(try Command(["ls", "-A", pair.folder.path]).lines == ["ambient.png", "flash.png"])
  }
}
