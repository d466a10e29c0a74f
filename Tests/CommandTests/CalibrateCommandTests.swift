import Calibration
import ColorScience
import GEGL
import JSONValue
import Photo
import Raster
import TestSupport
import Testing

/// A RAW pair of a chart, lit by an LED and by a warm lamp: what the camera sees of each surface is known.
struct ChartPair {
  static let width = 480, height = 360
  let folder: TemporaryFolder
  let flash, ambient, secondAmbient: String
  private let isTurned: Bool

  /// - Parameter isTurned: whether the chart stands on its head.
  init(isTurned: Bool = false) throws {
    folder = try TemporaryFolder()
    flash = folder.path + "/flash.dng"
    ambient = folder.path + "/ambient.dng"
    secondAmbient = folder.path + "/ambient-2.dng"
    self.isTurned = isTurned
    let lamp = SIMD3(0.16, 0.11, 0.03)
    try write("flash.dng", seed: 1) { rgb, reflectance in rgb + lamp * reflectance }
    try write("ambient.dng", seed: 2) { _, reflectance in lamp * reflectance }
    try write("ambient-2.dng", seed: 3) { _, reflectance in lamp * reflectance }
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  var inputs: [String] { ["--flash", flash, "--ambient", ambient] }

  /// The centre of a patch, in pixels.
  func place(_ index: Int) -> (x: Double, y: Double) {
    let (x, y) = (65 + 70 * Double(index % 6), 75 + 70 * Double(index / 6))
    return isTurned ? (Double(Self.width - 1) - x, Double(Self.height - 1) - y) : (x, y)
  }

  var corners: String {
    [0, 5, 23, 18].map { "\(place($0).x),\(place($0).y)" }.joined(separator: ",")
  }

  private func write(
    _ name: String, seed: UInt64, light: (SIMD3<Double>, SIMD3<Double>) -> SIMD3<Double>
  ) throws {
    let camera = SimulatedCamera(level: 0.55)
    let reflectances = ChartReference.colorChecker.reflectances ?? []
    // A lamp that the camera sees as three bands is enough of a lamp.
    let colours = reflectances.map { reflectance in
      light(
        camera.rgb(reflectance),
        SIMD3(reflectance.value(at: 610), reflectance.value(at: 540), reflectance.value(at: 460)))
    }
    let frame = light(0.03 * camera.white, SIMD3(repeating: 0.03))
    var random = SplitMix(state: seed)
    var samples: [UInt16] = []
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let index = (0..<24).first { index in
          let place = place(index)
          return abs(Double(x) - place.x) < 30 && abs(Double(y) - place.y) < 30
        }
        let rgb = index.map { colours[$0] } ?? frame
        let value = rgb[x % 2 + y % 2]
        let noisy = value + (2e-5 * value + 1e-7).squareRoot() * random.normal()
        samples.append(UInt16(min(max(512 + noisy * 15000, 0), 65535)))
      }
    }
    var file = DNGFile(width: Self.width, height: Self.height, samples: samples)
    file.black = (1, 1, [512])
    file.white = [15512]
    try folder.write(file.file, name)
  }
}

@Suite struct CalibrateCommandTests {
  private func json(_ path: String) throws -> JSON { try JSON(parsing: Array(TextFile.read(path).utf8)) }

  @Test(arguments: [false, true]) func aChartGivesAProfileThatGivesItsColours(_ isTurned: Bool) throws {
    let pair = try ChartPair(isTurned: isTurned)
    let profile = pair.path("profile.json")
    let made = try Command.constantColor(["calibrate"] + pair.inputs + ["--output", profile])
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("from 24 patches"))
    let document = try json(profile)
    #expect(document["input"].string == "camera" && document["chart"]["cornersSource"].string == "found")
    #expect(document["quality"]["leaveOneOut"]["mean"].double.map { $0 < 1.5 } == true)
    let found = try #require(document["chart"]["corners"].doubles)
    for (index, patch) in [0, 5, 23, 18].enumerated() {
      #expect(abs(found[2 * index] - pair.place(patch).x) < 4 && abs(found[2 * index + 1] - pair.place(patch).y) < 4)
    }

    let result = pair.path("result.png")
    let developed = try Command.constantColor(
      ["develop"] + pair.inputs
        + [
          "--output", result, "--profile", profile, "--exposure", "fixed", "--align", "none", "--report",
          pair.path("r.json"),
        ])
    #expect(developed.status == 0, "\(developed.errors)")
    #expect(try json(pair.path("r.json"))["colour"]["source"].string == "profile")
    let pixels = try samples(result, "RGB u16").map { Double($0) / 65535 }
    let errors = ChartReference.colorChecker.xyz.indices.map { index -> Double in
      let (x, y) = (Int(pair.place(index).x), Int(pair.place(index).y))
      var sum = SIMD3<Double>.zero
      for row in (y - 15)...(y + 15) {
        for column in (x - 15)...(x + 15) {
          let place = 3 * (row * ChartPair.width + column)
          sum += SIMD3(pixels[place], pixels[place + 1], pixels[place + 2])
        }
      }
      // With lightness: fixed exposure makes the chart's white as bright as it is.
      return Lab(XYZ(RGBSpace.displayP3.toXYZ * (sum / 961))).ciede2000(to: Lab(ChartReference.colorChecker.xyz[index]))
    }
    #expect(errors.reduce(0, +) / 24 < 1.2, "\(errors)")
  }

  @Test func severalAmbientFramesMakeTheChartSurer() throws {
    let pair = try ChartPair()
    func error(_ ambients: [String]) throws -> Double {
      let made = try Command.constantColor(
        ["calibrate", "--flash", pair.flash] + ambients.flatMap { ["--ambient", $0] }
          + ["--output", pair.path("p.json"), "--align", "none", "--corners", pair.corners])
      #expect(made.status == 0, "\(made.errors)")
      let document = try json(pair.path("p.json"))
      #expect(document["pair"]["ambientFrames"].double == Double(ambients.count))
      return (document["chart"]["patches"].elements ?? []).reduce(0) {
        $0 + ($1["standardError"].doubles ?? []).reduce(0, +)
      }
    }
    let (one, two) = (try error([pair.ambient]), try error([pair.ambient, pair.secondAmbient]))
    #expect(two < 0.95 * one && two > 0.6 * one, "\(one) \(two)")
  }

  @Test func cornersMayBeGiven() throws {
    let pair = try ChartPair()
    let profile = pair.path("profile.json")
    let words = ["calibrate"] + pair.inputs + ["--output", profile, "--quiet", "--corners"]
    let made = try Command.constantColor(words + [pair.corners])
    #expect(made.status == 0 && made.output.isEmpty && made.errors.isEmpty, "\(made.errors)")
    #expect(try json(profile)["chart"]["cornersSource"].string == "given")
    // Half a turn: the wrong patches.
    let numbers = pair.corners.split(separator: ",")
    let turned = (numbers[4...] + numbers[..<4]).joined(separator: ",")
    let wrong = try Command.constantColor(
      ["calibrate"] + pair.inputs + ["--output", pair.path("w.json"), "--corners", turned])
    #expect(wrong.status == 2 && wrong.errors.split(separator: "\n").count == 1, "\(wrong.errors)")
    #expect(!exists(pair.path("w.json")))
  }

  @Test func aProfileIsForItsOwnKindOfPictures() throws {
    let pair = try ChartPair()
    let profile = pair.path("profile.json")
    #expect(try Command.constantColor(["calibrate"] + pair.inputs + ["--output", profile]).status == 0)
    let developed = try PairFixture()
    let command = try Command.constantColor(
      ["develop"] + developed.inputs + ["--output", developed.path("o.png"), "--profile", profile])
    #expect(command.status == 2 && command.errors.contains("RAW"), "\(command.errors)")
    #expect(!exists(developed.path("o.png")))
  }

  @Test func withoutAChartThereIsNoProfile() throws {
    let pair = try PairFixture(width: 300, height: 200)
    let command = try Command.constantColor(["calibrate"] + pair.inputs + ["--output", pair.path("p.json")])
    #expect(command.status == 2 && command.errors.contains("chart"), "\(command.errors)")
    #expect(command.errors.split(separator: "\n").count == 1 && !exists(pair.path("p.json")))
  }

  @Test func wrongUsage() throws {
    let pair = try PairFixture()
    PairFixture.write("X,Y,Z\n1,2,3\n", to: pair.path("bad.csv"))
    let output = ["--output", pair.path("p.json")]
    let cases: [([String], String)] = [
      (["--output", pair.path("p.png")], ".json"), (output + ["--chart", "colorcheker"], "did you mean"),
      (output + ["--chart", pair.path("bad.csv")], "24"),
      (output + ["--chart", pair.path("none.csv")], "no such file"),
      (output + ["--corners", "1,2,3"], "eight numbers"), (output + ["--corners", "0,0,1,0,1,1,0,1"], "corners"),
      (output + ["--flash-duration", "long"], "strobe"), (output + ["--align", "mesh"], "homography"),
    ]
    for (words, text) in cases {
      let command = try Command.constantColor(["calibrate"] + pair.inputs + words)
      #expect(command.status == 2 && command.errors.contains(text), "\(words): \(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1)
    }
    #expect(!exists(pair.path("p.json")))
  }
}
