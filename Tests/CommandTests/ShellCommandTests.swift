import TestSupport
import Testing

/// The shell off a terminal: scripts, standard input, lines on the command line.
@Suite(.serialized) struct ShellCommandTests {
  /// Runs the command with a text as its standard input.
  private func shell(_ words: [String], input: String, in folder: TemporaryFolder) throws -> Command {
    try folder.write(Array(input.utf8), "input")
    return try Command(
      ["sh", "-c", "cd \"$0\" && exec \"$@\" < input", folder.path, Built.folder + "/constant-color"] + words,
      environment: ["XDG_CONFIG_HOME": folder.path + "/config", "XDG_STATE_HOME": folder.path + "/state"])
  }

  private static let script = """
    a = gegl:color value=red | gegl:crop width=$size height=4
    width-is-right = 1
    assert width(a) == $size
    """

  @Test func scriptsRunWithVariables() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(Self.script.utf8), "s.ccg")
    let good = try Command.constantColor(["run", folder.path + "/s.ccg", "size=12"])
    #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty, "\(good.errors)")
    let bad = try Command.constantColor(["run", folder.path + "/s.ccg"])
    #expect(bad.status == 1)
    #expect(bad.errors.hasPrefix("\(folder.path)/s.ccg:1:44: there is no variable '$size'"), "\(bad.errors)")
  }

  @Test func itStopsAtTheFirstErrorUnlessToldToGoOn() throws {
    let folder = try TemporaryFolder()
    let input = "a = gegl:color\nshow c\nnodes\nprobe a x"
    let stopped = try shell(["repl"], input: input, in: folder)
    #expect(stopped.status == 1 && stopped.output.isEmpty)
    #expect(stopped.errors == "stdin:2:6: there is no node 'c'; did you mean 'a'?\n")
    let going = try shell(["repl", "--keep-going"], input: input, in: folder)
    #expect(going.status == 1 && going.output.contains("gegl:color"))
    #expect(going.errors.contains("stdin:4:9: X is a whole number, not 'x'"))
    // No prompt, no echo, no history.
    #expect(!going.output.contains("cc>") && !exists(folder.path + "/state/constant-color/history"))
  }

  @Test func linesComeFromTheCommandLineInTheirOrder() throws {
    let folder = try TemporaryFolder()
    let command = try shell(
      [
        "repl", "-e", "a = gegl:color value=$c | gegl:crop width=3 height=3", "-e", "a.width", "-e",
        "assert red(a, 0, 0) == 1", "c=red",
      ],
      input: "nonsense", in: folder)
    #expect(command.status == 0 && command.output == "3.0\n", "\(command.errors)")
    let bad = try shell(["repl", "-e", "a = gegl:color", "-e", "a.valu"], input: "", in: folder)
    #expect(
      bad.status == 1 && bad.errors.hasPrefix("-e:2:3: 'gegl:color' has no property 'valu'; did you mean 'value'?"))
  }

  @Test func scriptsComeThroughPipes() throws {
    let folder = try TemporaryFolder()
    let program = Built.folder + "/constant-color"
    let substituted = try Command(["bash", "-c", "\"$0\" run <(echo '$x * 2') x=21 -e '1 + 1' -X", program])
    #expect(substituted.status == 0 && substituted.output == "42\n2\n", "\(substituted.errors)")
    let piped = try Command(["bash", "-c", "printf '\\xef\\xbb\\xbf1 + 1' | \"$0\" run /dev/stdin", program])
    #expect(piped.status == 0 && piped.output == "2\n", "\(piped.errors)")
    #expect(try shell(["run", "-", "-e", "2 + 2"], input: "1 + 1\n", in: folder).output == "2\n4\n")
    #expect(try shell(["run", "-e", "2 + 2"], input: "1 + 1\n", in: folder).output == "4\n")
  }

  @Test func whatLibrariesSayOfFilesIsNotShown() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0], "x.png")
    let command = try shell(["repl", "-e", "x = gegl:ff-load path=x.png"], input: "", in: folder)
    #expect(command.status == 1 && command.errors.split(separator: "\n").count == 1, "\(command.errors)")
  }

  @Test func exitStatuses() throws {
    let folder = try TemporaryFolder()
    #expect(try shell(["repl"], input: "quit 7\nnonsense", in: folder).status == 7)
    #expect(try shell(["run", "-"], input: "# nothing", in: folder).status == 0)
    #expect(try shell(["run", "none.ccg"], input: "", in: folder).status == 2)
    #expect(try shell(["run"], input: "", in: folder).status == 2)
    #expect(try shell(["repl", "--nonsense"], input: "", in: folder).status == 2)
    #expect(try shell(["run", "-", "1x=3"], input: "", in: folder).status == 2)
    let stopped = try Command([
      "sh", "-c", "(echo 'a = gegl:color'; sleep 5) | \"$0\" repl & sleep 1; pkill -INT -P $$ constant-color; wait $!",
      Built.folder + "/constant-color",
    ])
    #expect(stopped.status == 130 || stopped.status == 0)
  }

  @Test func theStartFileRunsFirstUnlessLeftOut() throws {
    let folder = try TemporaryFolder()
    _ = folder.folder("config")
    _ = folder.folder("config/constant-color")
    try folder.write(Array("set output json\nradius = 3".utf8), "config/constant-color/rc")
    let with = try shell(["repl"], input: "b = gegl:box-blur radius=$radius\nb.radius", in: folder)
    #expect(with.output == "{\"node\":\"b\",\"property\":\"radius\",\"value\":3}\n", "\(with.errors)")
    let without = try shell(["repl", "-X"], input: "b = gegl:box-blur radius=$radius", in: folder)
    #expect(without.status == 1)
  }

  @Test func theGraphOfDevelopGivesThePictureOfDevelop() throws {
    let pair = try PairFixture(width: 300, height: 200)
    let developed = try Command.constantColor(
      ["develop"] + pair.inputs
        + [
          "--output", pair.path("one.png"), "--exposure-ratio", "1", "--exposure", "fixed", "--space", "srgb",
          "--flash-white", "0.3127,0.3290",
        ])
    #expect(developed.status == 0, "\(developed.errors)")
    let script = """
      out = load flash.png | develop aux=[ load ambient.png ] exposure-ratio=1 exposure=fixed space=srgb
      render out two.png
      """
    let made = try shell(["run", "-"], input: script, in: pair.folder)
    #expect(made.status == 0, "\(made.errors)")
    let worst = zip(try samples(pair.path("one.png")), try samples(pair.path("two.png"))).map { abs(Int($0) - Int($1)) }
    #expect(worst.max().map { $0 <= 1 } == true)
  }
}
