import JSONValue
import Photo
import TestSupport
import Testing

/// `validate` on what people photograph themselves, and what it says to wrong usage.
@Suite struct ValidateCommandTests {
  private func json(_ path: String) throws -> JSON { try JSON(parsing: Array(TextFile.read(path).utf8)) }

  private func validate(_ words: [String]) throws -> Command {
    try Command.constantColor(["validate"] + words)
  }

  private func copy(_ from: String, _ to: String) throws {
    let run = try Command(["cp", from, to])
    try #require(run.status == 0)
  }

  @Test func wrongUsage() throws {
    let folder = try TemporaryFolder()
    for (words, text) in [
      (["stray"], "'stray' is not expected"), (["--set", "a", "--captures", "b"], "exclude each other"),
      (["--set", ""], "'--set' is missing"), (["--set", folder.path + "/none"], "no such file"),
      (["--set", "a", "--corners", "1"], "goes with '--captures'"), (["--set", "a", "--keep"], "needs '--output'"),
      (["--exposure-ratio", "1"], "goes with '--captures'"),
      (["--captures", "a", "--samples", "b"], "the truth of every pixel"), (["--samples", ""], "name a file"),
      (["--set", "a", "--lux", "5"], "for pairs that are rendered"),
      (["--set", "a", "--tolerance", "0"], "--tolerance"), (["--set", "a", "--exposure", "dark"], "auto, fixed"),
      (["--captures", folder.path + "/none"], "is no folder"), (["--captures", folder.path], "holds no pairs"),
      (["--captures", folder.path, "--corners", "1,2"], "eight numbers"),
      (["--captures", folder.path, "--chart", "colorcheker"], "did you mean 'colorchecker'?"),
      (["--captures", folder.path, "--output", folder.path + "/no/such"], "create that first"),
    ] {
      let command = try validate(words)
      #expect(command.status == 2, "\(words)")
      #expect(command.output.isEmpty, "\(words)")
      #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
      #expect(command.errors.contains(text), "\(command.errors)")
    }
  }

  @Test func aSetThatIsNoneIsRefusedInOneLine() throws {
    let folder = try TemporaryFolder()
    #expect(try Command(["mkdir", folder.path + "/inputs"]).status == 0)
    PairFixture.write(
      #"{"pairs": [{"id": "../x", "flash": "a", "ambient": "b"}], "size": [64, 48]}"#,
      to: folder.path + "/inputs/set.json")
    let command = try validate(["--set", folder.path])
    #expect(command.status == 2)
    #expect(command.errors.split(separator: "\n").count == 1 && command.errors.contains("'id'"), "\(command.errors)")
  }

  @Test func capturesOfAChartAreJudgedByItsColours() throws {
    let chart = try ChartPair()
    let folder = try TemporaryFolder()
    try copy(chart.flash, folder.path + "/one_flash.dng")
    try copy(chart.ambient, folder.path + "/one_ambient.dng")
    #expect(try Command(["mkdir", folder.path + "/two"]).status == 0)
    try copy(chart.flash, folder.path + "/two/flash.dng")
    try copy(chart.secondAmbient, folder.path + "/two/Ambient.dng")
    try copy(chart.flash, folder.path + "/alone-flash.dng")
    PairFixture.write("x", to: folder.path + "/one_flash.xmp")
    let output = folder.path + "/out"
    let command = try validate(["--captures", folder.path, "--output", output, "--keep"])
    // What has no partner is named, and the rest is judged.
    #expect(command.status == 1)
    #expect(command.errors.split(separator: "\n").count == 1)
    #expect(command.errors.contains("alone: has no ambient frame"), "\(command.errors)")
    #expect(command.output.contains("captures: 2 pairs"))
    let figures = try json(output + "/figures.json")
    let series = try #require(figures["series"].elements?.first)
    #expect(series["conditions"].elements?.compactMap { $0["id"].string } == ["one", "two"])
    // No truth is known of other pixels.
    #expect(series["confidence"]["of"].string == "patches" && command.output.contains("all patches"))
    let variance = try #require(series["methods"]["result"]["variance"].double)
    #expect(variance < 0.5, "\(variance)")
    for name in ["one.png", "one_conf.png", "one.json", "two.png"] { #expect(exists("\(output)/results/\(name)")) }
    for name in ["report.html", "conditions.csv", "patches.csv", "summary.md"] { #expect(exists("\(output)/\(name)")) }

    // The results are those of 'develop'.
    let alone = folder.path + "/alone.png"
    let developed = try Command.constantColor([
      "develop", "--flash", chart.flash, "--ambient", chart.ambient, "--output", alone, "--exposure", "fixed",
      "--quiet",
    ])
    #expect(developed.status == 0)
    #expect(try Command(["cmp", alone, output + "/results/one.png"]).status == 0)
  }

  @Test func ambiguousPairsAreNamedAndNotGuessed() throws {
    let chart = try ChartPair()
    let folder = try TemporaryFolder()
    for name in ["a_flash.dng", "a-flash.dng"] { try copy(chart.flash, "\(folder.path)/\(name)") }
    try copy(chart.ambient, folder.path + "/a_ambient.dng")
    let command = try validate(["--captures", folder.path])
    #expect(command.status == 2 && command.output.isEmpty)
    #expect(command.errors.contains("has 2 flash frames (a-flash.dng, a_flash.dng)"), "\(command.errors)")
  }

  @Test func aTinySetIsRenderedAndJudged() throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/out"
    let samples = folder.path + "/samples.npy"
    let command = try validate(["--output", output, "--shake", "none", "--samples", samples] + TinySet.options)
    #expect(command.status == 0 && command.errors.isEmpty, "\(command.errors)")
    let array = try ByteFile.read(samples, as: "samples", atMost: 1 << 24)
    #expect(array.count > 4000 && array.starts(with: [0x93] + Array("NUMPY".utf8)))
    #expect(command.output.contains("steady: 1 pair\n"))
    // One light tells nothing of a change of light: said in words, not in a table of nothing.
    #expect(command.output.contains("it takes two pairs or more"))
    #expect(!command.output.contains("Variance under"))
    let figures = try json(output + "/figures.json")
    let series = try #require(figures["series"].elements?.first)
    let error = try #require(series["methods"]["result"]["colorError"]["chart"]["mean"].double)
    #expect(error > 0 && error < 5, "\(error)")
    #expect(series["confidence"]["of"].string == "pixels")
    for name in ["report.html", "conditions.csv", "patches.csv", "summary.md"] { #expect(exists("\(output)/\(name)")) }
    let table = try TextFile.read(output + "/conditions.csv")
    let cell = try #require(table.split(whereSeparator: \.isNewline).last?.split(separator: ",")[6])
    #expect(abs((Double(cell) ?? -1) - error) < 1e-4)
    // Only what was asked for stays.
    #expect(!exists(output + "/steady"))
  }

  @Test func aDamagedPairIsNamedAndTheOthersAreJudged() throws {
    let folder = try TemporaryFolder()
    let set = folder.path + "/set"
    let options = ["--size", "160x120", "--lux", "50,200", "--cct", "4500", "--tint", "planckian", "--quiet"]
    #expect(try Command.constantColor(["simulate", "--output", set] + options).status == 0)
    let whole = try validate(["--set", set])
    #expect(whole.status == 0 && whole.output.contains("hand-held: 2 pairs"), "\(whole.errors)")
    let page = folder.path + "/page"
    #expect(try validate(["--set", set, "--output", page, "--quiet"]).status == 0)
    guard case .object(let settings) = try json(page + "/figures.json")["settings"] else {
      Issue.record("no settings")
      return
    }
    #expect(Set(settings.map(\.key)).count == settings.count)
    PairFixture.write("II*", to: set + "/inputs/E0050_T4500_planckian_flash.dng")
    let command = try validate(["--set", set])
    #expect(command.status == 1)
    #expect(command.errors.split(separator: "\n").count == 1)
    #expect(command.errors.contains("E0050_T4500_planckian_flash.dng"), "\(command.errors)")
    #expect(command.output.contains("hand-held: 1 pair\n"))
    // Without its calibration pair nothing is judged.
    PairFixture.write("{}", to: set + "/truth/calibration.json")
    let none = try validate(["--set", set])
    #expect(none.status == 2 && none.output.isEmpty)
    #expect(none.errors.contains("truth/calibration.json"), "\(none.errors)")
  }

  @Test func aWrongProfileIsToldOnce() throws {
    let folder = try TemporaryFolder()
    let set = folder.path + "/set"
    let options = ["--size", "64x48", "--lux", "50,200", "--cct", "4500", "--tint", "planckian", "--quiet"]
    #expect(try Command.constantColor(["simulate", "--output", set] + options).status == 0)
    let command = try validate(["--set", set, "--profile", folder.path + "/none.json"])
    #expect(command.status == 2 && command.output.isEmpty)
    #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
  }
}
