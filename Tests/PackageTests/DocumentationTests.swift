import TestSupport
import Testing

/// Pages name folders and files that are there.
@Suite struct DocumentationTests {
  private static let pages = [
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/capture.md", "docs/design.md", "docs/documents.md",
    "docs/product.md",
    "docs/skin.md", "docs/validation.md", "Plugins/GEGL/README.md",
  ]
  private static let folders = ["Sources/", "Plugins/", "Scripts/", "Tests/", "Fuzzing/", "Examples/", "docs/"]
  /// What somebody is to make.
  private static let examples: Set = [
    "Plugins/GEGL/ScaleLight.swift", "Tests/OperationTests/ScaleLightTests.swift", "Fuzzing/Findings/TARGET",
    "docs/performance.md", "docs/performance.jsonl",
  ]

  /// What stands between single backticks.
  private func code(_ text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
      String($0.element)
    }
  }

  private func lines(_ page: String) throws -> [Substring] {
    try contents("\(Built.root)/\(page)").split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(arguments: pages) func pathsAreThere(_ page: String) throws {
    for path in try lines(page).filter({ !$0.hasPrefix("```") }).flatMap(code) {
      guard Self.folders.contains(where: path.hasPrefix), !path.contains(where: { "…*<>".contains($0) }) else {
        continue
      }
      let file = String(path.split(separator: " ")[0])
      #expect(exists("\(Built.root)/\(file)") || Self.examples.contains(file), "\(page): \(path)")
    }
  }

  /// The table of steps: a folder of arithmetic, one of tests, and operations.
  @Test func stepsHaveTheirFolders() throws {
    let rows = try lines("docs/design.md").drop { !$0.hasPrefix("| step |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    #expect(rows.count > 10)
    for row in rows {
      let cells = row.split(separator: "|")
      try #require(cells.count == 3)
      if let folder = code(cells[1]).first {
        #expect(exists("\(Built.root)/Sources/ConstantColor/\(folder)"), "\(row)")
        #expect(exists("\(Built.root)/Tests/ConstantColorTests/\(folder)"), "\(row)")
        for file in code(cells[1]).dropFirst() where !file.contains("/") {
          #expect(exists("\(Built.root)/Sources/ConstantColor/\(folder)/\(file).swift"), "\(row)")
        }
      }
      for file in code(cells[2]) { #expect(exists("\(Built.root)/Plugins/GEGL/\(file).swift"), "\(row)") }
    }
  }
}
