import FuzzTargets
import Glibc
import TestSupport
import Testing

/// What fuzzers begin with, and what they once found: a target that comes back from all of it is whole.
@Suite(.serialized) struct ReplayTests {
  private static func files(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
  }

  @Test(arguments: FuzzTarget.allCases) func everyFileIsRead(_ target: FuzzTarget) throws {
    let seeds = Self.files("\(Built.root)/Fuzzing/Seeds/\(target.rawValue)")
    #expect(!seeds.isEmpty)
    for path in seeds + Self.files("\(Built.root)/Fuzzing/Findings/\(target.rawValue)") {
      let bytes = try bytes(of: path)
      target.run(bytes)
      // Cut off, and with a bit turned here and there, each as quickly.
      for part in 1..<8 { target.run(Array(bytes.prefix(bytes.count * part / 8))) }
      for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(place % 8)
        target.run(damaged)
      }
    }
  }
}
