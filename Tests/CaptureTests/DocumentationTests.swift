import Glibc
import Photo
import TestSupport
import Testing

/// What docs/capture.md says is true: its program is the one that runs, and all its code compiles.
@Suite struct DocumentationTests {
  private func text(_ path: String) throws -> String { try contents(Built.root + "/" + path) }

  /// The pieces of Swift in a document.
  private func code(_ document: String) -> [String] {
    var pieces: [String] = []
    var isCode = false
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if isCode, line == "```" {
        isCode = false
      } else if isCode {
        pieces[pieces.count - 1] += line + "\n"
      } else if line == "```swift" {
        isCode = true
        pieces.append("")
      }
    }
    return pieces
  }

  @Test func theProgramIsTheExample() throws {
    let pieces = code(try text("docs/capture.md"))
    #expect(pieces.first == (try text("Examples/Capture/RetakeList.swift")))
    #expect(pieces.count >= 5)
  }

  @Test(.enabled(if: exists(Built.folder + "/Modules/Capture.swiftmodule")))
  func theCodeCompiles() throws {
    let pieces = code(try text("docs/capture.md"))
    let folder = try ScratchFolder()
    var files: [String] = []
    for (index, piece) in pieces.enumerated() {
      let file = try AtomicFile(folder.file("piece\(index).swift"))
      // The programs of the document import it once.
      try file.write(Array((piece.contains("import Capture\n") ? piece : "import Capture\n\n" + piece).utf8))
      try file.commit()
      files.append(folder.file("piece\(index).swift"))
    }
    let libraries = [
      "gegl-0.4", "gexiv2", "json-glib-1.0", "libpng", "libtiff-4", "libjpeg", "OpenEXR", "zlib",
    ]
    let flags = try Command(["pkg-config", "--cflags"] + libraries).output.split { $0 == " " || $0.isNewline }
    var words = ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors"]
    words += ["-I", Built.folder + "/Modules"] + flags.filter { $0.hasPrefix("-I") }.flatMap { ["-Xcc", String($0)] }
    // Modules of C have their maps beside their headers, or where the build has made them.
    for name in try Command(["ls", Built.root + "/Sources"]).lines where name.hasPrefix("C") {
      for map in ["\(Built.root)/Sources/\(name)", "\(Built.folder)/\(name).build"].map({ $0 + "/module.modulemap" })
      where exists(map) { words += ["-Xcc", "-fmodule-map-file=\(map)"] }
    }
    let result = try Command(words + files)
    #expect(result.status == 0, "\(result.errors)")
  }
}
