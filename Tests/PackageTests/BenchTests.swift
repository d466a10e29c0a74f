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
    #expect(help.status == 0 && help.output.contains("align"))
    let options = try Command([Self.script, "align", "--help"])
    #expect(options.status == 0)
    for name in ["--pairs", "--set", "--trials", "--seed", "--border", "--methods", "--large", "--json"] {
      #expect(options.output.contains(name))
    }
  }

  @Test(arguments: [
    (["denoise"], "no benchmark 'denoise'"), (["align", "--trials", "0"], "--trials"),
    (["align", "--methods", "ours,magic"], "'magic'"), (["align", "--sharpen"], "--sharpen"),
  ])
  func refusesWhatItDoesNotKnow(words: [String], complaint: String) throws {
    let refused = try Command([Self.script] + words)
    #expect(refused.status == 2)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.contains(complaint))
  }

  @Test(.enabled(if: hasNumPy, "python3-numpy is not installed"))
  func measuresRight() throws {
    let checked = try Command([Self.python, "-B", Self.folder + "/selftest.py"])
    #expect(checked.status == 0, "\(checked.errors)")
    // Without OpenCV it says so behind.
    #expect(checked.output.contains("checks passed"))
  }
}
