import GEGL
import Glibc
import JSONValue
import Photo
import TestSupport

/// A folder of small pairs, and a folder for what becomes of them.
struct SeriesFixture {
  let folder: TemporaryFolder
  var input: String { folder.path + "/in" }
  var output: String { folder.path + "/out" }
  private let pair: PairFixture

  init(_ names: [String]) throws {
    folder = try TemporaryFolder()
    pair = try PairFixture(width: 24, height: 16)
    _ = folder.folder("in")
    for name in names { try add(name) }
  }

  func add(_ name: String) throws {
    try add(name + "_flash.png", pair.flash)
    try add(name + "_ambient.png", pair.ambient)
  }

  /// A copy of a frame under a name of its own, whole at once.
  func add(_ name: String, flash: Bool) throws { try add(name, flash ? pair.flash : pair.ambient) }

  private func add(_ name: String, _ source: String) throws {
    _ = try Command(["cp", source, input + "/" + name])
  }

  /// The bytes of a frame.
  func bytes(flash: Bool) throws -> [UInt8] {
    try ByteFile.read(flash ? pair.flash : pair.ambient, as: "a picture", atMost: 1 << 20)
  }

  func batch(_ words: [String] = []) throws -> Command {
    try Command.constantColor(["batch", input, "--output", output] + words)
  }

  /// The names of the results' folder, without what is hidden.
  func written() throws -> [String] { try Command(["ls", output]).lines.map(String.init) }

  /// Names and statuses of pairs, by the report.
  func statuses() throws -> [String: String] {
    let report = try json("report.json")
    var result: [String: String] = [:]
    for pair in report["pairs"].elements ?? [] { result[pair["name"].string ?? ""] = pair["status"].string }
    return result
  }

  func json(_ name: String) throws -> JSON { try JSON(parsing: Array(TextFile.read("\(output)/\(name)").utf8)) }

  /// The entries of the journal that are whole.
  func journal() -> [JSON] {
    guard let text = try? TextFile.read(output + "/.constant-color/journal", as: "a journal") else { return [] }
    return text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
  }
}
