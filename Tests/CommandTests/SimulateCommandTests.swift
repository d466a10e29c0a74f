import GEGL
import JSONValue
import Photo
import TestSupport
import Testing

/// A set of one tiny pair, as `simulate` writes it.
struct TinySet {
  static let pair = "E0200_T4500_planckian"
  static let options = ["--size", "160x120", "--lux", "200", "--cct", "4500", "--tint", "planckian"]
  let folder: TemporaryFolder
  var path: String { folder.path + "/set" }

  init(_ options: [String] = []) throws {
    folder = try TemporaryFolder()
    let run = try Command.constantColor(["simulate", "--output", folder.path + "/set"] + Self.options + options)
    try #require(run.status == 0, "\(run.errors)")
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// `simulate`: what it writes, and what it says to wrong usage.
@Suite struct SimulateCommandTests {
  private func json(_ path: String) throws -> JSON { try JSON(parsing: Array(TextFile.read(path).utf8)) }

  private func simulate(_ words: [String]) throws -> Command { try Command.constantColor(["simulate"] + words) }

  private func refuses(_ words: [String], _ text: String, status: Int32 = 2) throws {
    let command = try simulate(words)
    #expect(command.status == status, "\(words)")
    #expect(command.output.isEmpty, "\(words)")
    #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
    #expect(command.errors.contains(text), "\(command.errors)")
  }

  @Test func wrongUsage() throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/out"
    try refuses([], "'--output' is missing")
    try refuses(["--output", ""], "'--output' is missing")
    try refuses(["--output", output, "stray"], "'stray' is not expected")
    for (option, value, text) in [
      ("--lux", "10,10", "different values"), ("--lux", "nan", "numbers from 0.01"), ("--lux", "", "different values"),
      ("--cct", "999", "1000 to 25000"), ("--tint", "red", "planckian, green and magenta"),
      ("--size", "63x48", "64x48 to 8192x8192"), ("--size", "100xx100", "a width and a height"),
      ("--seed", "1.5", "a whole number from 0 to 9000000000000000"), ("--bits", "8.5", "a whole number from 8 to 16"),
      ("--orientation", "9", "a whole number from 1 to 8"), ("--format", "png", "dng, tiff and jpeg"),
      ("--flash", "500", "a temperature from 1000 to 25000 K"), ("--camera", "x6", "did you mean 'x5'?"),
      ("--camera", "none.csv", "there is no such file"), ("--pattern", "rgb", "rggb"),
      ("--only", "zzz", "no pair is left"),
    ] {
      try refuses(["--output", output, option, value], text)
    }
    // Nothing is made for what is refused.
    #expect(!exists(output))
    PairFixture.write("x", to: output)
    try refuses(["--output", output], "is no folder")
    try refuses(["--output", folder.path + "/no/such"], "create that first")
  }

  /// Values that are no numbers, and beyond all light; 16 bits, of which many are nearly between two shades of ink.
  @Test func anyPictureIsAPageAndAlwaysTheSame() throws {
    Library.start()
    let folder = try TemporaryFolder()
    let numbers: [Float] = [.nan, .infinity, -.infinity, -1, 0.4, 1e30]
    let strange = folder.file("strange.tif")
    let layout = PictureLayout(width: 16, height: 12, channels: 3, sample: .float32)
    try PictureDestination(strange).write(layout) { rows, bytes in
      for index in 0..<(rows.count * 48) {
        bytes.storeBytes(of: numbers[index % 48 / 3 % numbers.count], toByteOffset: 4 * index, as: Float.self)
      }
    }
    let many = folder.file("many.png")
    try PairFixture.write(many, 900, 600, light: [0.9, 0.7, 0.8])
    for page in [strange, many] {
      let truths = try (0..<2).map { number in
        let output = folder.file("set\(number)")
        let run = try simulate(["--page", page, "--output", output] + TinySet.options)
        #expect(run.status == 0, "\(run.errors)")
        return try bytes(of: output + "/truth/scene_page.png")
      }
      #expect(truths[0] == truths[1])
    }
  }

  @Test func aSetIsWhole() throws {
    Library.start()
    let set = try TinySet(["--format", "dng,tiff,jpeg"])
    let inputs = try json(set.file("inputs/set.json"))
    #expect(inputs["pairs"].elements?.compactMap { $0["id"].string } == [TinySet.pair])
    #expect(inputs["calibration"]["id"].string == "calibration")
    for name in [TinySet.pair, "calibration"] {
      for frame in ["flash", "ambient"] {
        for ending in ["dng", "tif", "jpg"] {
          let path = set.file("inputs/\(name)_\(frame).\(ending)")
          let picture = try PictureLoader.load(path)
          #expect(picture.width == 160 && picture.height == 120, "\(path)")
        }
      }
      #expect(try json(set.file("truth/\(name).json"))["id"].string == name)
      #expect(exists(set.file("truth/\(name)_mask.png")))
    }
    for name in ["scene_standard.npz", "scene_standard.png", "scene_calibration.npz", "set.json"] {
      #expect(exists(set.file("truth/" + name)), "\(name)")
    }
  }

  @Test func aSeedGivesTheSameBytesWhateverTheThreads() throws {
    let one = try TinySet()
    let again = try TinySet(["--threads", "1"])
    let other = try TinySet(["--seed", "2"])
    #expect(try Command(["diff", "-r", one.path, again.path]).status == 0)
    let frame = "inputs/\(TinySet.pair)_flash.dng"
    #expect(try Command(["cmp", "-s", one.file(frame), other.file(frame)]).status == 1)
  }

  @Test func differentLightsHaveDifferentNames() throws {
    let folder = try TemporaryFolder()
    let command = try simulate([
      "--output", folder.path, "--size", "64x48", "--lux", "10,10.2", "--cct", "4500", "--tint", "planckian",
    ])
    #expect(command.status == 0)
    #expect(command.output.contains("2 pairs"))
    let pairs = try json(folder.path + "/inputs/set.json")["pairs"].elements?.compactMap { $0["id"].string }
    #expect(pairs == ["E0010_T4500_planckian", "E0010.2_T4500_planckian"])
  }

  @Test func aSetThatIsNotFinishedIsNoSet() throws {
    let set = try TinySet()
    #expect(exists(set.file("inputs/set.json")))
    // A file cannot be made where a folder is in its way.
    let frame = set.file("inputs/\(TinySet.pair)_flash.dng")
    #expect(try Command(["rm", frame]).status == 0)
    #expect(try Command(["mkdir", frame]).status == 0)
    let command = try simulate(["--output", set.path, "--seed", "2"] + TinySet.options)
    #expect(command.status == 1, "\(command.errors)")
    #expect(command.errors.split(separator: "\n").count == 1)
    // The old one does not name frames of the new one.
    #expect(!exists(set.file("inputs/set.json")))
  }

  /// Rows of a camera with bells for sensitivities.
  private func camera(_ row: (Double) -> [Double]) -> String {
    stride(from: 380.0, through: 780, by: 20).map { wavelength in
      ([wavelength] + row(wavelength)).map { "\($0)" }.joined(separator: ",")
    }.joined(separator: "\r\n")
  }

  private func bell(_ wavelength: Double, at centre: Double) -> Double {
    max(0, 1 - abs(wavelength - centre) / 90)
  }

  @Test func camerasComeFromTables() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/camera.csv"
    func run(_ table: String) throws -> Command {
      PairFixture.write(table, to: path)
      return try simulate(
        ["--output", folder.path + "/out", "--camera", path, "--size", "64x48"] + TinySet.options.dropFirst(2))
    }
    let good = camera { [bell($0, at: 600), bell($0, at: 540), bell($0, at: 460)] }
    #expect(try run("\u{FEFF}wavelength,red,green,blue\r\n# nm\r\n" + good).status == 0)
    // The first row counts also behind a byte order mark.
    let late = good.split(whereSeparator: \.isNewline).filter { !"380,400".contains($0.prefix(3)) }
    #expect(try run("\u{FEFF}" + late.joined(separator: "\n")).status == 0)
    for (table, text) in [
      (camera { _ in [0, 0, 0] }, "do not tell colours apart"), (camera { _ in [-1, -1, -1] }, "do not tell colours"),
      (camera { _ in [1e308, 1e308, 1e308] }, "do not tell colours apart"),
      (camera { [0, bell($0, at: 540), bell($0, at: 460)] }, "do not tell colours apart"),
      (good + "\nnan,1,1,1", "'nan,1,1,1' is not a wavelength"), (camera { _ in [1] }, "3 numbers"),
      (String(good.map { $0 == "," ? ";" : $0 }), "with commas between them"),
      ("500,1,1,1", "needs rising wavelengths"),
      ("", "the file is empty"),
    ] {
      let command = try run(table)
      #expect(command.status == 2, "\(text)")
      #expect(command.errors.split(separator: "\n").count == 1 && command.errors.contains(text), "\(command.errors)")
    }
  }
}
