import ColorScience
import Glibc
import JSONValue
import Photo
import Simulation
import TestSupport
import Testing

/// Simulated products before a white sheet, a profile of their camera with a flat field, and a table of them.
private struct ProductFixture {
  let folder: TemporaryFolder
  let set: SimulationSet
  let profile, plain, table: String

  init() throws {
    folder = try TemporaryFolder()
    let simulated = try Command.constantColor([
      "simulate", "--output", folder.path + "/set", "--products", "--extras", "--lux", "30", "--cct", "3000,6500",
      "--tint", "planckian", "--size", "480x360", "--seed", "1000021", "--quiet",
    ])
    #expect(simulated.status == 0, "\(simulated.errors)")
    set = try SimulationSet(reading: folder.path + "/set")
    (plain, profile) = (folder.path + "/plain.json", folder.path + "/profile.json")
    let chart = try #require(set.calibration).pair
    let sheet = try #require(set.sheet)
    let calibrated = try Command.constantColor([
      "calibrate", "--flash", set.input(chart.flash), "--ambient", set.input(chart.ambient), "--output", plain,
    ])
    #expect(calibrated.status == 0, "\(calibrated.errors)")
    let flat = try Command.constantColor([
      "calibrate", "--profile", plain, "--flat-field", set.input(sheet.flash), set.input(sheet.ambient), "--output",
      profile,
    ])
    #expect(flat.status == 0 && flat.output.contains("flat field"), "\(flat.errors)")
    table = folder.path + "/table.csv"
    let rows = set.pairs.map { "\($0.id),\(set.input($0.flash)),\(set.input($0.ambient))\n" }
    try folder.write(Array(("name,flash,ambient\n" + rows.joined()).utf8), "table.csv")
  }

  func path(_ name: String) -> String { folder.path + "/" + name }
  func json(_ path: String) throws -> JSON { try JSON(parsing: Array(TextFile.read(path).utf8)) }

  /// A patch as options name places.
  func box(_ name: String, half: Int = 14) throws -> String {
    let patch = try #require(set.truth(of: set.pairs[0]).patches.first { $0.name == name })
    return "\(Int(patch.centre.x) - half),\(Int(patch.centre.y) - half),\(2 * half),\(2 * half)"
  }

  func grey() throws -> [String] {
    let patch = try #require(set.truth(of: set.pairs[0]).patches.first { $0.name == "grey card" })
    return ["--grey", "\(try box("grey card"))=\(patch.xyz.y)"]
  }

  func swatch(_ name: String, off: Double = 0) throws -> [String] {
    let patch = try #require(set.truth(of: set.pairs[0]).patches.first { $0.name == name })
    let lab = Lab(patch.xyz)
    return ["--swatch", "\(name)=\(try box(name))=\(lab.lightness),\(lab.a + off),\(lab.b)"]
  }

  /// The series.
  func products(_ output: String, _ more: [String]) throws -> Command {
    try Command.constantColor(
      ["product", "--manifest", table, "--output", path(output), "--profile", profile, "--space", "srgb"] + more)
  }

  /// One product of it.
  func product(_ output: String, _ more: [String], profile: String? = nil) throws -> Command {
    try Command.constantColor(
      [
        "product", "--flash", set.input(set.pairs[0].flash), "--ambient", set.input(set.pairs[0].ambient), "--output",
        path(output), "--profile", profile ?? self.profile,
      ] + more)
  }
}

@Suite(.serialized) struct ProductCommandTests {
  nonisolated(unsafe) private static let shared = Result { try ProductFixture() }

  @Test func aSeriesIsBrightAndColouredAlikeBeforeWhite() throws {
    let fixture = try Self.shared.get()
    let run = try fixture.products("shop", try fixture.grey() + fixture.swatch("red") + fixture.swatch("blue"))
    // One of the products glows.
    #expect(run.status == 3, "\(run.errors)")
    let report = try fixture.json(fixture.path("shop/report.json"))
    let products = try #require(report["products"].elements)
    #expect(products.count == 3)
    for product in products {
      let name = try #require(product["name"].string)
      let isGlowing = name.hasPrefix("glowing")
      #expect(product["verdict"].string == (isGlowing ? "not-measurable" : "pass"), "\(name) \(product)")
      #expect(product["uniformity"]["before"].double.map { $0 > 0.25 } == true)
      #expect(product["uniformity"]["after"].double.map { $0 < 0.02 } == true, "\(product["uniformity"])")
      #expect(product["backgroundFraction"].double.map { $0 > 0.6 } == true)
      for swatch in product["swatches"].elements ?? [] {
        #expect(swatch["difference"].double.map { $0 < 1.5 } == true, "\(name) \(swatch)")
      }
      // The picture itself, with lightness: the product as it is, in front of white.
      let values = try samples(fixture.path("shop/\(name).png"))
      let width = fixture.set.width
      func mean(_ x: Int, _ y: Int) -> Lab {
        var sum = SIMD3<Double>.zero
        for row in (y - 5)...(y + 5) {
          for column in (x - 5)...(x + 5) {
            let place = 3 * (row * width + column)
            sum += SIMD3(
              TransferFunction.sRGB.decode(Double(values[place]) / 65535),
              TransferFunction.sRGB.decode(Double(values[place + 1]) / 65535),
              TransferFunction.sRGB.decode(Double(values[place + 2]) / 65535))
          }
        }
        return Lab(XYZ(RGBSpace.sRGB.toXYZ * (sum / 121)))
      }
      for (x, y) in [(8, 8), (width - 9, 8), (8, fixture.set.height - 9), (200, 40)] {
        #expect(mean(x, y).lightness > 99.8, "\(name) \(x) \(y)")
      }
      guard !isGlowing else { continue }
      let pair = try #require(fixture.set.pairs.first { $0.id == name })
      let patch = try #require(fixture.set.truth(of: pair).patches.first { $0.name == "product" })
      let difference = mean(Int(patch.centre.x), Int(patch.centre.y)).ciede2000(to: Lab(patch.xyz))
      #expect(difference < 3, "\(name) \(difference)")
    }
    for swatch in report["swatches"].elements ?? [] {
      #expect(swatch["pictures"].double == 3 && swatch["spread"].double.map { $0 < 0.5 } == true, "\(swatch)")
    }
    #expect(try TextFile.read(fixture.path("shop/report.csv")).split(separator: "\r\n").count == 4)
    let pair = try fixture.json(fixture.path("shop/\(fixture.set.pairs[0].id)_report.json"))
    #expect(pair["flatField"]["uniformity"]["of"].string == "background")
    // What glows has no confidence.
    let map = try samples(fixture.path("shop/glowing_E0050_confidence.png"), "Y u16")
    let glowing = try #require(fixture.set.pairs.first { $0.id.hasPrefix("glowing") })
    let place = try #require(fixture.set.truth(of: glowing).patches.first { $0.name == "product" }).centre
    #expect(map[Int(place.y) * fixture.set.width + Int(place.x)] == 0)
  }

  @Test func withoutTheFlatFieldEdgesAreDarker() throws {
    let fixture = try Self.shared.get()
    let words = try fixture.grey() + fixture.swatch("green") + ["--background", "keep", "--difference", "50"]
    func differences(_ output: String, _ run: Command) throws -> [Double] {
      #expect([0, 3].contains(run.status), "\(run.errors)")
      let report = try fixture.json(fixture.path(output + "/report.json"))
      return (report["swatches"].elements ?? []).compactMap { $0["difference"].double }
    }
    let flat = try differences("flat", fixture.product("flat", words))
    let bare = try differences("bare", fixture.product("bare", words, profile: fixture.plain))
    let off = try differences("off", fixture.product("off", words + ["--no-flat-field"]))
    #expect(flat.count == 1 && bare == off)
    #expect(try #require(bare.first) > flat[0] + 1, "\(flat) \(bare)")
    let pair = fixture.set.pairs[0].id + "_report.json"
    #expect(try fixture.json(fixture.path("off/" + pair))["flatField"] == .null)
  }

  @Test func theShellDoesItLineByLine() throws {
    let fixture = try Self.shared.get()
    let pair = fixture.set.pairs[0]
    let ratio = try fixture.set.truth(of: pair).exposureRatio
    let run = try Command.constantColor([
      "run", "\(Built.root)/Scripts/pipelines/product.ccg", "flash=\(fixture.set.input(pair.flash))",
      "ambient=\(fixture.set.input(pair.ambient))", "profile=\(fixture.profile)", "ratio=\(ratio)",
      "output=\(fixture.path("shell.png"))",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let values = try samples(fixture.path("shell.png"))
    // The upper border is white.
    let border = values.prefix(3 * fixture.set.width)
    let mean = border.reduce(0) { $0 + Double($1) / 65535 } / Double(border.count)
    #expect(mean > 0.99, "\(mean)")
  }

  @Test func pagesAndSkinTellHowEvenTheyBecame() throws {
    let fixture = try Self.shared.get()
    let pair = fixture.set.pairs[0]
    let inputs = [
      "--flash", fixture.set.input(pair.flash), "--ambient", fixture.set.input(pair.ambient), "--profile",
      fixture.profile, "--quiet",
    ]
    let page = try Command.constantColor(
      ["document", "--output", fixture.path("page.png"), "--plain", "--report", fixture.path("page.json")] + inputs)
    #expect([0, 3].contains(page.status), "\(page.errors)")
    let skin = try Command.constantColor(
      [
        "record", "add", "--database", fixture.path("skin.db"), "--subject", "P-1", "--site", "arm", "--keep",
        "--region", "150,20,250,60", "--report", fixture.path("skin.json"),
      ] + inputs)
    #expect([0, 3].contains(skin.status), "\(skin.errors)")
    let paper = try fixture.json(fixture.path("page.json"))["flatField"]["uniformity"]
    #expect(paper["of"].string == "paper" && paper["before"].double.map { $0 > 0.25 } == true, "\(paper)")
    #expect(paper["after"].double.map { $0 < 0.02 } == true, "\(paper)")
    let even = try fixture.json(fixture.path("skin.json"))["report"]["flatField"]["uniformity"]
    #expect(even["of"].string == "skin", "\(even)")
    let (before, after) = (even["before"].double ?? 0, even["after"].double ?? 1)
    #expect(after < 0.3 * before, "\(even)")
  }

  @Test func verdictsSayWhy() throws {
    let fixture = try Self.shared.get()
    func verdict(_ output: String, _ more: [String]) throws -> (Int32, JSON, String) {
      let run = try fixture.product(output, more)
      let report = try fixture.json(fixture.path(output + "/report.json"))
      return (run.status, report["products"].elements?.first ?? .null, run.errors)
    }
    let (off, product, errors) = try verdict("off-swatch", fixture.grey() + fixture.swatch("red", off: 15))
    #expect(off == 3 && product["verdict"].string == "out-of-tolerance" && errors.contains("swatch red"), "\(errors)")
    let (low, again, _) = try verdict("low", try fixture.grey() + ["--threshold", "0.99"])
    #expect(low == 3 && again["verdict"].string == "retake")
    // Without a card the exposure is the profile's.
    let (good, passed, _) = try verdict("fixed", [])
    #expect(good == 0 && passed["verdict"].string == "pass" && passed["lightUncertainty"] == .null)
  }

  @Test func brokenPairsStopNobody() throws {
    let fixture = try Self.shared.get()
    let pair = fixture.set.pairs[0]
    let rows = [
      "name,flash,ambient", "broken,\(fixture.table),\(fixture.plain)",
      "good,\(fixture.set.input(pair.flash)),\(fixture.set.input(pair.ambient))",
    ]
    try fixture.folder.write(Array((rows.joined(separator: "\n") + "\n").utf8), "broken.csv")
    let run = try Command.constantColor([
      "product", "--manifest", fixture.path("broken.csv"), "--output", fixture.path("mixed"), "--profile",
      fixture.profile,
    ])
    #expect(run.status == 1 && run.errors.contains("broken: failed"), "\(run.errors)")
    let report = try fixture.json(fixture.path("mixed/report.json"))
    #expect(report["summary"]["failed"].double == 1 && report["products"].elements?.count == 2)
    #expect(exists(fixture.path("mixed/good.png")) && !exists(fixture.path("mixed/broken.png")))
  }

  @Test func wrongUsage() throws {
    let fixture = try Self.shared.get()
    let series = ["product", "--manifest", fixture.table, "--output", fixture.path("x")]
    let cases: [([String], String)] = [
      (["product", "--output", fixture.path("x")], "folder"), (["product", "--manifest", fixture.table], "--output"),
      (series + ["--grey", "1,2,3"], "--grey"), (series + ["--swatch", "1,2,3,4"], "--swatch"),
      (series + ["--background", "blue"], "--background"), (series + ["--difference", "2"], "--swatch"),
      (series + ["--grey", "1,2,3,4", "--exposure", "auto"], "--exposure"),
      (series + ["--format", "gif"], "--format"), (["product", "/tmp", "--flash", "f", "--output", "o"], "name one"),
      (["calibrate", "--profile", fixture.plain, "--output", fixture.path("y.json")], "--flat-field"),
      (["calibrate", "--flat-field", "only"], "2 values"),
    ]
    for (words, text) in cases {
      let command = try Command.constantColor(words)
      #expect(command.status == 2 && command.errors.contains(text), "\(words): \(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func whatIsNoSheetMakesNoFlatField() throws {
    let fixture = try Self.shared.get()
    let chart = try #require(fixture.set.calibration).pair
    let output = fixture.path("no-sheet.json")
    let run = try Command.constantColor([
      "calibrate", "--profile", fixture.plain, "--flat-field", fixture.set.input(chart.flash),
      fixture.set.input(chart.ambient), "--output", output,
    ])
    #expect(run.status == 2 && run.errors.contains("sheet"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1 && !exists(output))
  }
}
