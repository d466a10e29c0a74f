import JSONValue
import TestSupport
import Testing

private let hasSnakemake = (try? Command(["snakemake", "--version"]))?.status == 0

/// Scripts/scale-out with Snakemake's local executor, and with its executor for clusters, where what submits is a shell.
@Suite struct ScaleOutTests {
  /// A folder without blanks in its name, which Snakemake does not bear.
  private final class Folder {
    let path: String

    init() throws {
      path = String(try Command(["mktemp", "-d", "/tmp/scale-out.XXXXXX"]).lines.first ?? "/nowhere")
    }

    deinit { _ = try? Command(["rm", "-rf", path]) }
  }

  private let folder: Folder

  /// Seven pairs, the last of which is none.
  init() throws {
    folder = try Folder()
    var table = "flash,ambient,name,options\n"
    for index in 0..<6 {
      try PairFixture.write(folder.path + "/\(index)F.png", 60, 40, light: [0.7, 0.6, 0.5 - 0.02 * Double(index)])
      try PairFixture.write(folder.path + "/\(index)A.png", 60, 40, light: [0.35, 0.2, 0.08])
      table += "\(index)F.png,\(index)A.png,pair \(index),--exposure-ratio 1\n"
    }
    PairFixture.write("no picture", to: folder.path + "/broken.png")
    PairFixture.write(table + "broken.png,0A.png,broken,\n", to: folder.path + "/pairs.csv")
  }

  private func run(_ words: [String], in path: String? = nil) throws -> Command {
    let script = [Built.root + "/Scripts/scale-out", "pairs.csv", "--output", "out", "--shard", "3", "--threads", "1"]
    return try Command(
      ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", path ?? folder.path] + script + words,
      environment: ["CONSTANT_COLOR_BIN": Built.folder, "XDG_CACHE_HOME": folder.path + "/cache"])
  }

  private func report(_ key: String) throws -> Double? {
    try JSON(parsing: Array(contents(folder.path + "/out/report.json").utf8))["summary"][key].double
  }

  @Test(.enabled(if: hasSnakemake, "snakemake is not installed")) func partsGiveWhatOneBatchGives() throws {
    let whole = try Command.constantColor(
      ["batch", "--manifest", folder.path + "/pairs.csv", "--output", folder.path + "/whole", "--exposure", "fixed"])
    let parts = try run(["--exposure", "fixed"])
    // The broken one has failed, in both.
    #expect(parts.status == 1 && whole.status == 1, "\(parts.errors)")
    #expect(parts.errors.contains("broken.png"))
    #expect(try report("pairs") == 7 && report("done") == 6 && report("failed") == 1)
    for index in 0..<6 {
      let name = "pair \(index).png"
      #expect(try samples("\(folder.path)/out/\(name)") == samples("\(folder.path)/whole/\(name)"))
    }
    let rows = try contents(folder.path + "/out/report.csv").split(separator: "\n")
    #expect(rows.count == 8 && rows[0].hasPrefix("name,status,") && rows[7].hasPrefix("broken,failed,"))

    // What is done is not done again: neither by parts, nor by one batch over the same folder, which adds the contact sheet.
    let before = try Command(["stat", "-c", "%y", folder.path + "/out/pair 4.png"]).output
    #expect(try run(["--exposure", "fixed"]).status == 1)
    let one = try Command.constantColor(
      ["batch", "--manifest", folder.path + "/pairs.csv", "--output", folder.path + "/out", "--exposure", "fixed"])
    #expect(one.status == 1 && exists(folder.path + "/out/index.html"))
    #expect(try Command(["stat", "-c", "%y", folder.path + "/out/pair 4.png"]).output == before)
  }

  @Test(.enabled(if: hasSnakemake, "snakemake is not installed")) func partsRunAsJobsOfACluster() throws {
    // As a cluster's program for submissions: it prints a number, and the job runs elsewhere.
    PairFixture.write(
      "#!/bin/sh\nenv -i PATH=/usr/bin:/bin sh \"$1\" >/dev/null 2>&1 &\necho $$\n", to: folder.path + "/submit")
    _ = try Command(["chmod", "+x", folder.path + "/submit"])
    let parts = try run(["--threshold", "0.99", "--", "--cluster", "./submit", "--jobs", "2"])
    #expect(parts.status == 1, "\(parts.errors)")
    #expect(try report("retake") == 6 && report("failed") == 1)
  }

  @Test func refusesWhatItDoesNotKnow() throws {
    for (words, text) in [([], "takes a table"), (["none.csv"], "no such file"), (["--shard"], "needs a value")] {
      let refused = try Command([Built.root + "/Scripts/scale-out"] + words)
      #expect(refused.status == 2 && refused.errors.contains(text), "\(refused.errors)")
    }
    #expect(try run(["--threads", "none"]).status == 2)
    let blank = try TemporaryFolder()
    PairFixture.write("flash,ambient\n", to: blank.path + "/pairs.csv")
    #expect(try run([], in: blank.path).errors.contains("blanks"))
    PairFixture.write("a,b\n1,2\n", to: folder.path + "/pairs.csv")
    let table = try run([])
    #expect(table.status == 2 && table.errors.contains("flash and ambient"), "\(table.errors)")
  }
}
