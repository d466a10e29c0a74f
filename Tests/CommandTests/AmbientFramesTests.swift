import GEGL
import Glibc
import JSONValue
import Photo
import TestSupport
import Testing

/// `develop` with several ambient frames.
@Suite struct AmbientFramesTests {
  /// A pair with further ambient frames, their noise their own.
  private struct Burst {
    let pair: PairFixture
    let ambients: [String]

    init(_ count: Int = 3, width: Int = 320, height: Int = 240) throws {
      pair = try PairFixture(width: width, height: height)
      let pair = pair
      try Self.write(pair.flash, width, height, seed: 99, light: [0.7, 0.6, 0.5])
      ambients = try (0..<count).map { index in
        let path = pair.path("ambient \(index).png")
        try Self.write(path, width, height, seed: UInt64(index), light: [0.35, 0.2, 0.08])
        return path
      }
    }

    /// A textured scene with noise; `shift` moves it.
    static func write(
      _ path: String, _ width: Int, _ height: Int, seed: UInt64, light: [Double], cell: Int = 16, shift: Int = 0
    ) throws {
      var random = SplitMix(state: seed)
      let destination = try PictureDestination(path)
      try destination.write(PictureLayout(width: width, height: height, channels: 3, sample: .uint16)) { rows, bytes in
        for row in 0..<rows.count {
          for index in 0..<(width * 3) {
            let (x, y, channel) = (index / 3 + shift, rows.lowerBound + row, index % 3)
            var surface = SplitMix(state: UInt64(x / cell &* 7919 &+ y / cell &* 104_729 &+ cell))
            let value = (0.1 + 0.8 * surface.uniform()) * light[channel] + 0.004 * random.normal()
            let encoded = max(0, pow(max(0, min(value, 1)), 1 / 2.4) * 1.055 - 0.055)
            let place = (row * width * 3 + index) * 2
            bytes.storeBytes(of: UInt16(encoded * 65535), toByteOffset: place, as: UInt16.self)
          }
        }
      }
    }

    func develop(_ ambients: [String], _ words: [String] = []) throws -> (command: Command, report: JSON) {
      let report = pair.path("report.json")
      let command = try Command.constantColor(
        ["develop", "--flash", pair.flash] + ambients.flatMap { ["--ambient", $0] } + words
          + ["--output", pair.path("out.png"), "--report", report, "--exposure", "fixed", "--exposure-ratio", "1"])
      return (command, command.status == 0 ? try JSON(parsing: Array(contents(report).utf8)) : .null)
    }
  }

  @Test func severalFramesAreAveragedAndReported() throws {
    let burst = try Burst()
    let (command, report) = try burst.develop(burst.ambients, ["--align", "none"])
    #expect(command.status == 0 && command.errors.isEmpty, "\(command.errors)")
    #expect(report["ambientFrames"].double == 3)
    #expect(report["ambient"]["path"].string == burst.ambients[0])
    let details = report["ambientFrameDetails"].elements ?? []
    #expect(details.compactMap { $0["path"].string } == burst.ambients)
    for detail in details {
      #expect(detail["used"] == .bool(true))
      #expect((detail["gain"].elements ?? []).allSatisfy { abs(($0.double ?? 0) - 1) < 0.01 })
      #expect((detail["rejectedFraction"].double ?? 1) < 0.01)
      #expect(detail["alignment"]["model"].string == "none")
    }
    let single = try burst.develop([burst.ambients[0]], ["--align", "none"]).report
    #expect(single["ambientFrames"].double == 1 && single["ambientFrameDetails"] == .null)
    // Without a profile the camera's colours are the greater doubt: less noise must not lower the confidence.
    #expect(1 - (report["meanConfidence"].double ?? 0) < 1.03 * (1 - (single["meanConfidence"].double ?? 1)))
  }

  @Test func aFrameOfAnotherSceneIsLeftOutWithANote() throws {
    let burst = try Burst(2)
    let other = burst.pair.path("other.png")
    try Burst.write(other, 320, 240, seed: 5, light: [0.35, 0.2, 0.08], cell: 11)
    for (ambients, first) in [([burst.ambients[0], other, burst.ambients[1]], 0), ([other] + burst.ambients, 1)] {
      let (command, report) = try burst.develop(ambients)
      let notes = command.errors.split(separator: "\n")
      #expect(
        notes.count == 1 && notes[0].hasPrefix("constant-color: note: \(other): does not show the same"),
        "\(command.errors)")
      #expect(report["ambientFrames"].double == 2)
      #expect(report["ambient"]["path"].string == ambients[0])
      let details = report["ambientFrameDetails"].elements ?? []
      #expect(details.map { $0["used"] == .bool(true) } == ambients.map { $0 != other })
      #expect(report["alignment"] == details[first]["alignment"])
    }
  }

  @Test func usageErrors() throws {
    let burst = try Burst(2, width: 40, height: 30)
    func expectError(_ ambients: [String], _ words: [String] = [], saying text: String) throws {
      let command = try burst.develop(ambients, words).command
      #expect(command.status == 2 && command.errors.split(separator: "\n").count == 1, "\(command.errors)")
      #expect(command.errors.contains(text), "\(command.errors)")
      #expect(!exists(burst.pair.path("out.png")))
    }
    let folder = burst.pair.folder.path
    try expectError([burst.ambients[0], burst.ambients[0]], saying: "is named for two ambient frames")
    try expectError([burst.ambients[0], folder + "/./ambient 0.png"], saying: "is named for two ambient frames")
    try expectError(burst.ambients, ["--swap"], saying: "'--swap' exchanges two files")
    try expectError([burst.ambients[0], burst.pair.path("none.png")], saying: "none.png")
    try expectError((0..<17).map { burst.pair.path("\($0).png") }, saying: "at most 16")
    try expectError([burst.ambients[0], ""], saying: "'--ambient' is missing")
  }
}
