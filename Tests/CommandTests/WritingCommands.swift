import Photo
import TestSupport
import Testing

/// What writes files: tests of what may go wrong meanwhile go through all of it.
enum WritingCommands {
  /// Commands that write into the folder `o`; `@` is the folder around it.
  static let lines: [[String]] = [
    [
      "develop", "--flash", "@/flash.png", "--ambient", "@/ambient.png", "--output", "@/o/r.png", "--confidence",
      "@/o/c.tif", "--fallback", "@/o/f.exr", "--preview", "@/o/p.jpg", "--report", "@/o/r.json",
    ],
    ["compare", "@/flash.png", "@/ambient.png", "--map", "@/o/m.png", "--report", "@/o/m.json"],
    ["simulate", "--output", "@/o/set", "--size", "64x48", "--lux", "50", "--cct", "3000", "--tint", "planckian"],
    ["document", "--flash", "@/flash.png", "--ambient", "@/ambient.png", "--output", "@/o/page.pdf"],
    [
      "record", "add", "--database", "@/o/skin.db", "--subject", "P1", "--site", "arm", "--flash", "@/flash.png",
      "--ambient", "@/ambient.png",
    ],
    ["calibrate", "--flash", "@/chart/flash.dng", "--ambient", "@/chart/ambient.dng", "--output", "@/o/p.json"],
    ["validate", "--set", "@/set", "--output", "@/o/v"],
    ["product", "@/set/inputs", "--output", "@/o/shop"],
    ["batch", "@/set/inputs", "--output", "@/o/b"],
    ["run", "-e", "a = load \"@/flash.png\" | gegl:gaussian-blur", "-e", "render a \"@/o/a.tif\"", "-e", "stats a"],
  ]

  /// A folder with what a line reads.
  static func fixture(for line: [String]) throws -> PairFixture {
    let pair = try PairFixture(width: 300, height: 200)
    if line.contains(where: { $0.hasPrefix("@/chart") }) {
      let chart = try ChartPair()
      _ = try Command(["cp", "-r", chart.folder.path, pair.path("chart")])
    }
    if line.contains(where: { $0.hasPrefix("@/set") }) {
      let simulated = try Command.constantColor([
        "simulate", "--output", pair.path("set"), "--size", "64x48", "--lux", "50", "--cct", "3000,6500", "--tint",
        "planckian",
      ])
      #expect(simulated.status == 0, "\(simulated.errors)")
    }
    return pair
  }

  /// The files below a folder, with their sizes; of those that are no pictures, -1.
  static func files(_ folder: String) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for line in try Command(["find", folder, "-type", "f", "-printf", "%s %P\\n"]).lines {
      let parts = line.split(separator: " ", maxSplits: 1)
      let isFixed = ["png", "tif", "exr", "jpg", "dng"].contains(fileExtension(String(parts[1])))
      files[String(parts[1])] = isFixed ? Int(parts[0]) : -1
    }
    return files
  }

  /// A line's words in that folder.
  static func words(_ line: [String], in pair: PairFixture) -> [String] {
    line.map { $0.split(separator: "@", omittingEmptySubsequences: false).joined(separator: pair.folder.path) }
  }
}
