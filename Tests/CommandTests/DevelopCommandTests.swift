import GEGL
import Glibc
import Photo
import Raster
import TestSupport
import Testing

/// `constant-color develop` from files to files.
@Suite struct DevelopCommandTests {
  private func develop(_ pair: PairFixture, _ words: [String]) throws -> Command {
    let command = try Command.constantColor(["develop"] + pair.inputs + words)
    #expect(command.status == 0 || command.status == 3, "\(command.errors)")
    return command
  }

  @Test func ambientLightIsGone() throws {
    let pair = try PairFixture()
    let output = pair.path("result.png")
    _ = try develop(
      pair, ["--output", output, "--exposure", "fixed", "--exposure-ratio", "1", "--space", "srgb", "--align", "none"])
    let truth = pair.path("truth.png")
    try PairFixture.write(truth, 96, 64, light: [0.35, 0.4, 0.42])
    let errors = zip(try samples(output), try samples(truth)).map { abs(Int($0) - Int($1)) }
    // The estimate takes the finest texture, which differs from pixel to pixel, for noise.
    #expect(errors.reduce(0, +) / errors.count < 1000)
    #expect(try samples(pair.flash) != samples(output))
  }

  @Test(arguments: ["png", "tif", "exr", "jpg"]) func formats(_ format: String) throws {
    let pair = try PairFixture()
    let output = pair.path("result.\(format)")
    _ = try develop(pair, ["--output", output])
    #expect(try samples(output).count == 96 * 64 * 3)
    let bits = try Command(["exiftool", "-s3", "-BitsPerSample", "-BitDepth", output]).output
    switch format {
    case "png": #expect(bits.contains("16"))
    case "tif": #expect(bits.contains("16 16 16"))
    case "jpg": #expect(bits.contains("8"))
    default: break
    }
  }

  @Test(arguments: ["p3", "srgb", "rec2020", "prophoto", "linear-srgb"]) func spacesAgree(_ space: String) throws {
    let pair = try PairFixture()
    let words = ["--exposure", "fixed", "--exposure-ratio", "1", "--align", "none"]
    _ = try develop(pair, words + ["--output", pair.path("a.tif"), "--space", space])
    _ = try develop(pair, words + ["--output", pair.path("b.tif"), "--space", "srgb"])
    let profile = try Command(["exiftool", "-s3", "-icc_profile:ProfileDescription", pair.path("a.tif")]).output
    let names = [
      "p3": "Display P3", "srgb": "sRGB", "rec2020": "Rec. 2020", "prophoto": "ProPhoto", "linear-srgb": "Linear sRGB",
    ]
    #expect(profile.lowercased().contains((names[space] ?? "").lowercased().prefix(4)), "\(profile)")
    // Every file says the same colours, each through its own profile.
    func colours(_ path: String) throws -> [Float] {
      let picture = try PictureLoader.load(path)
      return try picture.buffer.read(picture.buffer.extent, format: PixelFormat("RGB float"), as: Float.self)
    }
    Library.start()
    let worst = zip(try colours(pair.path("a.tif")), try colours(pair.path("b.tif"))).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 5e-4, "\(worst)")
  }

  @Test func confidenceMapIsLinear() throws {
    let pair = try PairFixture()
    for map in ["c.png", "c.tif"] {
      _ = try develop(
        pair, ["--output", pair.path("r.png"), "--confidence", pair.path(map), "--report", pair.path("r.json")])
      let report = try contents(pair.path("r.json"))
      let mean = number("meanConfidence", in: report) ?? -1
      let values = try samples(pair.path(map), "Y' u16")
      #expect(values.count == 96 * 64)
      #expect(abs(Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count) / 65535 - mean) < 2e-4, "\(map)")
    }
  }

  private func number(_ key: String, in json: String) -> Double? {
    json.split(separator: "\n").first { $0.contains("\"\(key)\":") }.flatMap {
      Double($0.split(separator: ":")[1].filter { !" ,".contains($0) })
    }
  }

  @Test func reportHasEveryKey() throws {
    let pair = try PairFixture()
    let command = try develop(pair, ["--output", pair.path("r.png"), "--report", "-", "--exposure-ratio", "1.25"])
    for key in [
      "version", "flash", "path", "width", "height", "exposure", "iso", "exposureTime", "fNumber", "flashFired",
      "ambient",
      "exposureRatio", "exposureRatioSource", "alignment", "model", "matrix", "residual", "overlap", "ambientWhite",
      "flashWhite", "centerWeightedMeanConfidence", "meanConfidence", "clippedFraction", "colorTolerance",
      "belowThreshold",
      "exposureRatios", "ambientFrames", "timings", "load", "align", "total",
    ] { #expect(command.output.contains("\"\(key)\":"), "\(key)") }
    #expect(command.output.contains("\"exposureRatio\": 1.25"))
    #expect(command.output.contains("\"exposureRatioSource\": \"given\""))
    #expect(command.output.contains("\"iso\": null"))
    #expect(try Command(["python3", "-c", "import json,sys; json.loads(sys.argv[1])", command.output]).status == 0)
  }

  @Test func theRoomsLight() throws {
    // The fixture's surfaces are grey, its room is orange.
    let pair = try PairFixture()
    let words = ["--exposure-ratio", "1", "--align", "none", "--space", "srgb"]
    _ = try develop(
      pair,
      words + ["--output", pair.path("a.png"), "--look", "ambient", "--fallback", pair.path("f.png"), "--report", "-"])
    _ = try develop(pair, words + ["--output", pair.path("b.png")])
    let (ambient, flash) = (try samples(pair.path("a.png")), try samples(pair.path("b.png")))
    let fallback = try samples(pair.path("f.png"))
    func ratio(_ samples: [UInt16]) -> Double {
      let sums = (0..<3).map { channel in
        stride(from: channel, to: samples.count, by: 3).reduce(0.0) { $0 + Double(samples[$1]) }
      }
      return sums[0] / sums[2]
    }
    #expect(ambient != flash)
    #expect(abs(ratio(ambient) / ratio(flash) - 1) < 0.03)
    #expect(abs(ratio(fallback) / ratio(flash) - 1) < 0.03)
    #expect(ratio(try samples(pair.ambient)) / ratio(flash) > 1.3)
  }

  @Test func theReportTellsTheFallbacksMethod() throws {
    let pair = try PairFixture()
    let command = try develop(
      pair, ["--output", pair.path("r.png"), "--report", "-", "--exposure-ratio", "1", "--look", "ambient"])
    #expect(command.output.contains("\"fallbackMethod\": \"pair\""))
    #expect(command.output.contains("\"look\": \"ambient\""))
    // Nothing of the flash: the ambient frame alone must do.
    let dark = try Command.constantColor([
      "develop", "--flash", pair.ambient, "--ambient", pair.ambient, "--output", pair.path("d.png"), "--report", "-",
    ])
    #expect(!dark.output.contains("\"fallbackMethod\": \"pair\""))
    // A room without light looks black, and the user is told why.
    try PairFixture.write(pair.path("black.png"), 96, 64, light: [0, 0, 0])
    let black = try Command.constantColor([
      "develop", "--flash", pair.flash, "--ambient", pair.path("black.png"), "--output", pair.path("k.png"), "--look",
      "ambient",
    ])
    #expect(black.errors.contains("'--look flash' does"), "\(black.errors)")
  }

  @Test func thresholdMakesARetake() throws {
    let pair = try PairFixture()
    #expect(try develop(pair, ["--output", pair.path("r.png"), "--threshold", "0"]).status == 0)
    let command = try develop(
      pair, ["--output", pair.path("r2.png"), "--threshold", "1", "--report", pair.path("r.json")])
    #expect(command.status == 3)
    #expect(exists(pair.path("r2.png")))
    #expect(try contents(pair.path("r.json")).contains("\"belowThreshold\": true"))
  }

  @Test func quietIsQuiet() throws {
    let pair = try PairFixture()
    let command = try develop(pair, ["--output", pair.path("r.png"), "--quiet"])
    #expect(command.output.isEmpty && command.errors.isEmpty)
  }

  @Test func repeatedRunsAndThreadsGiveTheSameBytes() throws {
    let pair = try PairFixture(width: 700, height: 500)
    var seen: [String] = []
    for (index, threads) in ["1", "2", "8", "2"].enumerated() {
      let output = pair.path("r\(index).png")
      _ = try develop(pair, ["--output", output, "--threads", threads])
      seen.append(try Command(["sh", "-c", "md5sum < '\(output)'"]).output)
    }
    #expect(Set(seen).count == 1)
  }

  @Test func flashWhiteMovesTheColours() throws {
    let pair = try PairFixture()
    let words = ["--exposure", "fixed", "--exposure-ratio", "1", "--align", "none", "--space", "srgb"]
    _ = try develop(pair, words + ["--output", pair.path("a.png")])
    _ = try develop(pair, words + ["--output", pair.path("b.png"), "--flash-white", "0.3127,0.3290"])
    _ = try develop(pair, words + ["--output", pair.path("c.png"), "--flash-white", "8000"])
    let (a, b, c) = (try samples(pair.path("a.png")), try samples(pair.path("b.png")), try samples(pair.path("c.png")))
    #expect(a == b)
    func ratio(_ samples: [UInt16]) -> Double { Double(samples[0]) / Double(samples[2]) }
    // A bluish flash made white turns the picture warmer.
    #expect(ratio(c) > ratio(a) * 1.05)
  }
}
