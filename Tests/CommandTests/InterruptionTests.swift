import Glibc
import TestSupport
import Testing

/// Ctrl-C and a request to end at any time: nothing partial, nothing in between left over, and an exit status that tells.
@Suite(.serialized) struct InterruptionTests {
  /// How many moments are tried: a few, unless `CONSTANT_COLOR_STRESS` asks for all that there is.
  private static let moments = getenv("CONSTANT_COLOR_STRESS") == nil ? 2 : 24

  @Test(arguments: WritingCommands.lines) func atAnyTime(_ line: [String]) throws {
    let pair = try WritingCommands.fixture(for: line)
    let words = WritingCommands.words(line, in: pair)
    let (output, temporary) = (pair.folder.folder("o"), pair.folder.folder("tmp"))
    let whole = ["env", "TMPDIR=\(temporary)", Built.folder + "/constant-color"] + words
    let start = ContinuousClock.now
    let undisturbed = try Command(whole)
    let duration = ContinuousClock.now - start
    #expect([0, 3].contains(undisturbed.status), "\(undisturbed.errors)")
    let expected = try WritingCommands.files(output)
    #expect(!expected.isEmpty)
    for moment in 1...Self.moments {
      _ = try Command(["sh", "-c", "rm -rf \"$0\" && mkdir \"$0\"", output])
      let running = try RunningCommand(whole)
      let pause = (duration / (Self.moments + 1) * moment).components
      usleep(UInt32(clamping: pause.seconds * 1_000_000 + pause.attoseconds / 1_000_000_000_000))
      let signal = moment % 2 == 0 ? SIGTERM : SIGINT
      running.send(signal)
      let status = running.wait()
      #expect(status == 128 + signal || status == undisturbed.status, "\(line[0]), moment \(moment): \(status)")
      let left = try WritingCommands.files(output)
      for (name, size) in left { #expect(expected[name] == size, "\(line[0]), moment \(moment): \(name)") }
      if status == undisturbed.status { #expect(left == expected) }
      #expect(try Command(["ls", "-A", temporary]).output.isEmpty, "\(line[0]), moment \(moment)")
      if exists(output + "/skin.db") {
        #expect(try Command.constantColor(["record", "check", "--database", output + "/skin.db"]).status == 0)
      }
    }
  }

  /// Photographs that disappear, are cut or replaced while they are read: a picture, or an error in one line.
  @Test(arguments: ["rm -f", "truncate -s 1000", "cp flash.png", "cp /etc/hostname", "truncate -s 0"])
  func framesThatChangeMeanwhile(_ change: String) throws {
    let pair = try PairFixture(width: 600, height: 400)
    let line = """
      cd "$0" && cp ambient.png x.png; "$1" develop --quiet --flash flash.png --ambient x.png --output r.png 2> errors &
      sleep $2; \(change) x.png; wait $!; echo $?
      """
    for delay in ["0.02", "0.1", "0.2"] {
      let result = try Command(["sh", "-c", line, pair.folder.path, Built.folder + "/constant-color", delay])
      let status = result.output.split(separator: "\n").last.flatMap { Int($0) } ?? -1
      #expect([0, 1, 2].contains(status), "\(change) after \(delay) s: \(status)")
      #expect(try contents(pair.path("errors")).split(separator: "\n").count == (status == 0 ? 0 : 1))
      #expect(exists(pair.path("r.png")) == (status == 0))
      _ = try Command(["rm", "-f", pair.path("r.png"), pair.path("x.png")])
    }
  }
}
