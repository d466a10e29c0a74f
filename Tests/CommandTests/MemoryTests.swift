import Glibc
import TestSupport
import Testing

/// Whether the programs that the tests need are there; a suite cannot ask itself.
private let hasValgrind = (try? Command(["valgrind", "--version"]))?.status == 0

/// What valgrind says of memory.
@Suite struct MemoryTests {
  /// Each operation is made, connected and removed, once and many times: as much is lost, which is what the libraries lose
  /// once.
  @Test(.enabled(if: hasValgrind, "valgrind is not installed")) func operationsLeaveNothingBehind() throws {
    let pair = try PairFixture(width: 24, height: 16)
    // Valgrind reads symbols, but not all of the debugger's information that Swift writes.
    let program = pair.path("constant-color")
    #expect(try Command(["strip", "--strip-debug", "-o", program, Built.folder + "/constant-color"]).status == 0)
    // The parts of GEGL that are needed: its other plug-ins cost time, and their libraries lose memory of their own.
    let plugins = pair.folder.folder("plug-ins")
    for name in ["gegl-core.so", "gegl-common.so"] {
      symlink(try Built.systemPlugins() + "/" + name, plugins + "/" + name)
    }

    let operations = try Command.constantColor(["ops"]).lines.compactMap { $0.split(separator: " ").first }
      .filter { $0.hasPrefix("constant-color:") && $0 != "constant-color:load-raw" }
      .map { name in
        let hasAux = try Command.constantColor(["ops", String(name)]).lines.contains { $0.contains("aux") }
        return "n = \(name) flash\(hasAux ? " aux=ambient" : "")\nremove n\n"
      }
    #expect(operations.count > 10)
    func lost(_ count: Int) throws -> [Int] {
      var script = "flash = load \"\(pair.flash)\"\nambient = load \"\(pair.ambient)\"\n"
      for _ in 0..<count { script += operations.joined() }
      PairFixture.write(script, to: pair.path("script.ccg"))
      let log = pair.path("log")
      let run = try Command(
        ["valgrind", "--leak-check=summary", "--log-file=\(log)", program, "run", pair.path("script.ccg")],
        environment: ["GEGL_PATH": plugins])
      #expect(run.status == 0, "\(run.errors)")
      let lines = try contents(log).split(separator: "\n")
      return ["definitely lost:", "indirectly lost:"].compactMap { words in
        lines.first { $0.contains(words) }.flatMap { line in
          Int(line.split(separator: ":").last?.split(separator: " ").first?.filter { $0 != "," } ?? "")
        }
      }
    }
    let few = try lost(1)
    #expect(few.count == 2)
    #expect(try lost(10) == few)
  }
}
