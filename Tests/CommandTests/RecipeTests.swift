import TestSupport
import Testing

/// Scripts/recipes run, and hold what they assert.
@Suite(.serialized) struct RecipeTests {
  private func run(_ name: String, _ words: [String]) throws -> Command {
    try Command.constantColor(["run", "\(Built.root)/Scripts/recipes/\(name).ccg"] + words)
  }

  @Test func thoseOfAPair() throws {
    let folder = try TemporaryFolder()
    #expect(try Command([Built.folder + "/DemoPair", folder.path]).status == 0)
    let pair = ["flash=\(folder.path)/flash.png", "ambient=\(folder.path)/ambient.png"]
    let recipes: [(String, [String])] = [
      ("develop-step-by-step", ["output=\(folder.path)/steps.png"]), ("exposure-ratio", []),
      ("plain-gegl", ["truth=\(folder.path)/truth.png"]), ("document", ["output=\(folder.path)/page.png"]),
      ("product-shot", ["x=300", "y=150", "width=400", "height=400", "output=\(folder.path)/shop.jpg"]),
    ]
    for (name, words) in recipes {
      let command = try run(name, pair + words)
      #expect(command.status == 0, "\(name): \(command.errors)")
    }
    for file in ["steps.png", "page.png", "shop.jpg"] { #expect(exists(folder.path + "/" + file)) }
  }

  @Test func aCalibrationIsJudged() throws {
    let pair = try ChartPair()
    let (profile, truth) = (pair.path("profile.json"), pair.path("truth.exr"))
    #expect(try Command.constantColor(["calibrate"] + pair.inputs + ["--output", profile]).status == 0)
    let developed = try Command.constantColor(
      ["develop"] + pair.inputs + ["--output", truth, "--profile", profile, "--exposure", "fixed"])
    #expect(developed.status == 0, "\(developed.errors)")
    let command = try run(
      "judge-calibration",
      ["flash=\(pair.flash)", "ambient=\(pair.ambient)", "profile=\(profile)", "truth=\(truth)", "kind=camera"])
    #expect(command.status == 0, "\(command.errors)")
    #expect(command.output.contains("ΔE00"))
  }
}
