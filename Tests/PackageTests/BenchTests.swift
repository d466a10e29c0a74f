import JSONValue
import TestSupport
import Testing

/// Scripts/bench, without the programs that it compares with: those are installed by whoever runs it.
@Suite struct BenchTests {
  private static let script = Built.root + "/Scripts/bench"
  private static let folder = Built.root + "/Scripts/lib/bench"
  private static let hasNumPy = (try? Command([python, "-c", "import numpy"]).status) == 0
  private static let python = "/usr/bin/python3"

  @Test func saysWhatItTakes() throws {
    let help = try Command([Self.script, "--help"])
    #expect(help.status == 0)
    for name in ["align", "--sizes", "--steps", "--times", "--quick", "--history", "--page", "kernels"] {
      #expect(help.output.contains(name))
    }
    let options = try Command([Self.script, "align", "--help"])
    #expect(options.status == 0)
    for name in ["--pairs", "--set", "--trials", "--seed", "--border", "--methods", "--large", "--json"] {
      #expect(options.output.contains(name))
    }
  }

  @Test(arguments: [
    (["denoise"], "no benchmark 'denoise'"), (["align", "--trials", "0"], "--trials"),
    (["align", "--methods", "ours,magic"], "'magic'"), (["align", "--sharpen"], "--sharpen"),
    (["--sizes", "2,1000"], "megapixels"), (["--steps", "develop,denoise"], "'denoise'"),
    (["--times", "0"], "--times"),
  ])
  func refusesWhatItDoesNotKnow(words: [String], complaint: String) throws {
    let refused = try Command([Self.script] + words)
    #expect(refused.status == 2)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.contains(complaint))
  }

  @Test(.enabled(if: hasNumPy, "python3-numpy is not installed"), arguments: ["selftest.py", "selftest_speed.py"])
  func measuresRight(program: String) throws {
    let checked = try Command([Self.python, "-B", Self.folder + "/" + program])
    #expect(checked.status == 0, "\(checked.errors)")
    // Without OpenCV it says so behind.
    #expect(checked.output.contains("checks passed"))
  }

  @Test func theProgramThatTimesKernelsSaysLinesOfJSON() throws {
    let program = Built.folder + "/Benchmark"
    for words in [["kernels", "64", "48", "1"], ["operations", "64", "48", "1", "1"]] {
      let timed = try Command([program] + words)
      #expect(timed.status == 0, "\(timed.errors)")
      let lines = try timed.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
      #expect(lines.count >= 7)
      #expect(lines.allSatisfy { ($0["seconds"].double ?? 0) > 0 && $0["pixels"].double == 64 * 48 })
    }
    for words in [[], ["kernels"], ["kernels", "0", "48", "1"], ["colours", "64", "48", "1"]] {
      let refused = try Command([program] + words)
      #expect(refused.status == 2 && refused.output.isEmpty && refused.errors.hasPrefix("Benchmark: "))
    }
  }
}
