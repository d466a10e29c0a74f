import ColorScience
import Glibc
import JSONValue
import Simulation
import TestSupport
import Testing

/// Simulated captures of one subject: their colours scatter inside what is stated, and lie as near to the truth.
/// `Scripts/skin-figures` is the long version.
@Suite struct RecordRepeatabilityTests {
  @Test func coloursAreAsGoodAsTheySay() throws {
    let folder = try TemporaryFolder()
    let simulated = try Command.constantColor([
      "simulate", "--output", folder.path + "/set", "--lux", "100", "--cct", "4500,4500.01,4500.02,4500.03", "--tint",
      "planckian", "--size", "640x480", "--seed", "1000001", "--quiet",
    ])
    #expect(simulated.status == 0, "\(simulated.errors)")
    let set = try SimulationSet(reading: folder.path + "/set")
    let chart = try #require(set.calibration).pair
    let profile = folder.path + "/profile.json"
    let calibrated = try Command.constantColor([
      "calibrate", "--flash", set.input(chart.flash), "--ambient", set.input(chart.ambient), "--output", profile,
    ])
    #expect(calibrated.status == 0, "\(calibrated.errors)")

    let truth = try set.truth(of: set.pairs[0])
    let skin = truth.patches.filter { $0.kind == .skin }.prefix(6)
    func box(_ patch: PairTruth.Patch) -> String {
      "\(Int(patch.centre.x) - 10),\(Int(patch.centre.y) - 10),20,20"
    }
    let grey = try #require(truth.patches.first { $0.name == "neutral 5" })
    var words = [
      "record", "add", "--database", folder.path + "/skin.db", "--subject", "S", "--site", "chart", "--profile",
      profile,
      "--grey", "\(box(grey))=\(grey.xyz.y)", "--keep", "--quiet",
    ]
    for patch in skin { words += ["--region", "\(patch.name)=\(box(patch))"] }
    for pair in set.pairs {
      let run = try Command.constantColor(
        words + ["--flash", set.input(pair.flash), "--ambient", set.input(pair.ambient)])
      #expect([0, 3].contains(run.status), "\(run.errors)")
    }
    let list = try Command.constantColor([
      "record", "list", "--database", folder.path + "/skin.db", "--format", "json",
    ])
    let records = try JSON(parsing: Array(list.output.utf8)).elements ?? []
    #expect(records.count == set.pairs.count)

    var (count, repeated, right) = (0, 0, 0)
    for patch in skin {
      let lab = Lab(patch.xyz)
      let ita = atan2(lab.lightness - 50, lab.b) * 180 / .pi
      let known = [("lightness", lab.lightness), ("a", lab.a), ("b", lab.b), ("hue", lab.hue), ("ita", ita)]
      for (name, expected) in known {
        let found = records.compactMap { record in
          record["regions"].elements?.first { $0["name"].string == patch.name }?[name]
        }
        let values = found.compactMap { $0["value"].double }
        guard !values.isEmpty else { continue }
        let mean = values.reduce(0, +) / Double(values.count)
        for measurement in found {
          guard let value = measurement["value"].double, let capture = measurement["captureUncertainty"].double,
            let margin = measurement["margin95"].double
          else { continue }
          count += 1
          repeated += abs(value - mean) <= 1.96 * capture ? 1 : 0
          right += abs(value - expected) <= margin ? 1 : 0
        }
      }
    }
    #expect(count >= 60)
    // With so few captures chance may take some of the 95 of 100.
    #expect(Double(repeated) >= 0.9 * Double(count), "\(repeated) of \(count)")
    #expect(Double(right) >= 0.95 * Double(count), "\(right) of \(count)")
  }
}
