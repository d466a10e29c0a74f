import Glibc
import Photo
import TestSupport
import Testing

/// Ctrl-C and a request to end at any time: nothing partial, nothing in between left over, and an exit status that tells.
@Suite(.serialized) struct InterruptionTests {
  /// How many moments are tried: a few, unless `CONSTANT_COLOR_STRESS` asks for all that there is.
  private static let moments = getenv("CONSTANT_COLOR_STRESS") == nil ? 2 : 24

  /// Commands that write into the folder `o`; `@` is the folder around it.
  static let lines: [[String]] = [
    [
      "develop", "--flash", "@/flash.png", "--ambient", "@/ambient.png", "--output", "@/o/r.png", "--confidence",
      "@/o/c.tif", "--fallback", "@/o/f.exr", "--preview", "@/o/p.jpg", "--report", "@/o/r.json",
    ],
    ["compare", "@/flash.png", "@/ambient.png", "--map", "@/o/m.png", "--report", "@/o/m.json"],
    ["simulate", "--output", "@/o/set", "--size", "64x48", "--lux", "50", "--cct", "3000", "--tint", "planckian"],
    ["document", "--flash", "@/flash.png", "--ambient", "@/ambient.png", "--output", "@/o/page.pdf"],
    [
      "record", "add", "--database", "@/o/skin.db", "--subject", "P1", "--site", "arm", "--flash", "@/flash.png",
      "--ambient", "@/ambient.png",
    ],
    ["calibrate", "--flash", "@/chart/flash.dng", "--ambient", "@/chart/ambient.dng", "--output", "@/o/p.json"],
    ["validate", "--set", "@/set", "--output", "@/o/v"],
    ["product", "@/set/inputs", "--output", "@/o/shop"],
    ["batch", "@/set/inputs", "--output", "@/o/b"],
    ["run", "-e", "a = load \"@/flash.png\" | gegl:gaussian-blur", "-e", "render a \"@/o/a.tif\"", "-e", "stats a"],
  ]

  /// What the commands read.
  private func fixture(for line: [String]) throws -> PairFixture {
    let pair = try PairFixture(width: 300, height: 200)
    if line.contains(where: { $0.hasPrefix("@/chart") }) {
      let chart = try ChartPair()
      _ = try Command(["cp", "-r", chart.folder.path, pair.path("chart")])
    }
    if line.contains(where: { $0.hasPrefix("@/set") }) {
      let simulated = try Command.constantColor([
        "simulate", "--output", pair.path("set"), "--size", "64x48", "--lux", "50", "--cct", "3000,6500", "--tint",
        "planckian",
      ])
      #expect(simulated.status == 0, "\(simulated.errors)")
    }
    return pair
  }

  /// The files below a folder, with their sizes; of those that are no pictures, -1.
  private func files(_ folder: String) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for line in try Command(["find", folder, "-type", "f", "-printf", "%s %P\\n"]).lines {
      let parts = line.split(separator: " ", maxSplits: 1)
      let isFixed = ["png", "tif", "exr", "jpg", "dng"].contains(fileExtension(String(parts[1])))
      files[String(parts[1])] = isFixed ? Int(parts[0]) : -1
    }
    return files
  }

  @Test(arguments: lines) func atAnyTime(_ line: [String]) throws {
    let pair = try fixture(for: line)
    let words = line.map {
      $0.split(separator: "@", omittingEmptySubsequences: false).joined(separator: pair.folder.path)
    }
    let (output, temporary) = (pair.folder.folder("o"), pair.folder.folder("tmp"))
    let whole = ["env", "TMPDIR=\(temporary)", Built.folder + "/constant-color"] + words
    let start = ContinuousClock.now
    let undisturbed = try Command(whole)
    let duration = ContinuousClock.now - start
    #expect([0, 3].contains(undisturbed.status), "\(undisturbed.errors)")
    let expected = try files(output)
    #expect(!expected.isEmpty)
    for moment in 1...Self.moments {
      _ = try Command(["sh", "-c", "rm -rf \"$0\" && mkdir \"$0\"", output])
      let running = try RunningCommand(whole)
      let pause = (duration / (Self.moments + 1) * moment).components
      usleep(UInt32(clamping: pause.seconds * 1_000_000 + pause.attoseconds / 1_000_000_000_000))
      let signal = moment % 2 == 0 ? SIGTERM : SIGINT
      running.send(signal)
      let status = running.wait()
      #expect(status == 128 + signal || status == undisturbed.status, "\(line[0]), moment \(moment)")
      let left = try files(output)
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
