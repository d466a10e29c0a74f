import Glibc
import JSONValue
import Photo
import TestSupport

/// A database of skin records, and a small pair to put into it.
struct RecordFixture {
  let pair: PairFixture
  var database: String { pair.path("records/skin.db") }

  init() throws {
    pair = try PairFixture()
    mkdir(pair.path("records"), 0o755)
  }

  /// The pair again, as another capture: the files differ in a byte that no reader looks at.
  func capture(_ number: Int) throws -> [String] {
    try ["flash", "ambient"].flatMap { name in
      let path = pair.path("\(name)-\(number).png")
      let bytes = try ByteFile.read(name == "flash" ? pair.flash : pair.ambient, as: "a picture", atMost: 1 << 24)
      try ByteFile.write(bytes + [UInt8(truncatingIfNeeded: number)], to: path)
      return ["--\(name)", path]
    }
  }

  static let site = ["--subject", "P-1", "--site", "left arm"]

  /// Adds a capture; the threshold is one that this pair reaches.
  func words(_ number: Int, _ more: [String] = ["--threshold", "0.05"]) throws -> [String] {
    try ["record", "add", "--database", database] + Self.site + capture(number) + more
  }

  func add(_ number: Int, _ more: [String] = ["--threshold", "0.05"]) throws -> Command {
    try Command.constantColor(words(number, more))
  }

  func record(_ words: [String]) throws -> Command {
    try Command.constantColor(["record"] + words + ["--database", database])
  }

  /// Everything in the database but the pictures.
  func records() throws -> [JSON] {
    let list = try record(["list", "--format", "json"])
    return try JSON(parsing: Array(list.output.utf8)).elements ?? []
  }
}
