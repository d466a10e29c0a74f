import GEGL
import Glibc
import Photo
import TestSupport
import Testing

/// Bad input is normal: one line, exit status 2, and no file.
@Suite struct InputTests {
  private func expectRefusal(_ flash: String, _ ambient: String, _ folder: TemporaryFolder, naming path: String) throws
  {
    let output = folder.path + "/result.png"
    let command = try Command.constantColor(["develop", "--flash", flash, "--ambient", ambient, "--output", output])
    #expect(command.status == 2, "\(command.errors)")
    #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
    #expect(command.errors.hasPrefix("constant-color: \(path): "), "\(command.errors)")
    #expect(!exists(output))
  }

  @Test func filesThatAreNoPictures() throws {
    let pair = try PairFixture()
    let bad = pair.path("bad.png")
    try expectRefusal(pair.path("missing.png"), pair.ambient, pair.folder, naming: pair.path("missing.png"))
    try expectRefusal(pair.flash, pair.path("missing.png"), pair.folder, naming: pair.path("missing.png"))
    for text in ["", "not a picture\n", "\u{89}PNG\r\n", "II*\0"] {
      PairFixture.write(text, to: bad)
      try expectRefusal(bad, pair.ambient, pair.folder, naming: bad)
      try expectRefusal(pair.flash, bad, pair.folder, naming: bad)
    }
    try expectRefusal(pair.folder.path, pair.ambient, pair.folder, naming: pair.folder.path)
  }

  @Test(arguments: ["png", "jpg", "tif"]) func truncatedFiles(_ format: String) throws {
    let pair = try PairFixture(named: format)
    let bytes = try Command(["stat", "-c", "%s", pair.flash]).output
    let size = Int(bytes.split(separator: "\n").first ?? "") ?? 0
    let cut = pair.path("cut.\(format)")
    for length in [1, 20, size / 2, size - 20] where length < size {
      _ = try Command(["head", "-c", "\(length)", pair.flash]).output
      _ = try Command(["sh", "-c", "head -c \(length) '\(pair.flash)' > '\(cut)'"])
      try expectRefusal(cut, pair.ambient, pair.folder, naming: cut)
    }
  }

  @Test func unreadableAndUnwritablePlaces() throws {
    let pair = try PairFixture()
    let most = ["develop"] + pair.inputs + ["--output"]
    for output in [pair.path("no/such/folder.png"), pair.folder.path, "/proc/result.png", pair.path("result")] {
      let command = try Command.constantColor(most + [output])
      // Some places show only when they are written to that nothing can be.
      #expect(command.status == 2 || (command.status == 1 && output.hasPrefix("/proc")), "\(output): \(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
      #expect(command.errors.hasPrefix("constant-color: \(output): "), "\(command.errors)")
    }
  }

  @Test func anOlderResultSurvivesAFailure() throws {
    let pair = try PairFixture()
    let output = pair.path("result.png")
    PairFixture.write("precious", to: output)
    let command = try Command.constantColor([
      "develop", "--flash", pair.flash, "--ambient", pair.path("missing.png"), "--output", output,
    ])
    #expect(command.status == 2)
    #expect(try contents(output) == "precious")
  }

  @Test(arguments: [(1, 1), (1, 50), (50, 1), (2, 3), (20000, 20)]) func oddSizes(_ width: Int, _ height: Int) throws {
    let pair = try PairFixture(width: width, height: height)
    let output = pair.path("result.png")
    let command = try Command.constantColor(
      ["develop"] + pair.inputs + [
        "--output", output, "--confidence", pair.path("c.png"), "--report", pair.path("r.json"),
      ])
    #expect(command.status == 0, "\(command.errors)")
    #expect(try samples(output).count == width * height * 3)
  }

  @Test func framesOfDifferentSize() throws {
    let pair = try PairFixture()
    let other = try PairFixture(width: 80, height: 70)
    let output = pair.path("result.tif")
    let command = try Command.constantColor([
      "develop", "--flash", pair.flash, "--ambient", other.ambient, "--output", output,
    ])
    #expect(command.status == 0, "\(command.errors)")
    #expect(try samples(output).count == 96 * 64 * 3)
  }
}
