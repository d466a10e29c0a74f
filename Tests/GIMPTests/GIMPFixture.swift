import GEGL
import Glibc
import Photo
import Raster
import TestSupport

/// GIMP with a home of its own, in which both plug-ins are installed, and a pair of photographs.
final class GIMPFixture: @unchecked Sendable {
  static let isInstalled = (try? Command(["gimp", "--version"]).status) == 0
  static let isDisplayInstalled =
    isInstalled && ["Xvfb", "xdotool"].allSatisfy { (try? Command(["which", $0]).status) == 0 }

  let folder: TemporaryFolder
  let flash, ambient: String
  let environment: [String: String?]

  /// Made once: GIMP asks all its plug-ins when it starts in a new home.
  static let shared = Result { try GIMPFixture() }

  private init() throws {
    Library.start()
    folder = try TemporaryFolder()
    let home = folder.path
    (flash, ambient) = (home + "/flash.png", home + "/ambient.png")
    environment = [
      "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_CONFIG_HOME": home + "/config",
      "XDG_CACHE_HOME": home + "/cache", "GIMP2_DIRECTORY": nil, "GEGL_PATH": nil, "CONSTANT_COLOR_BIN": Built.folder,
      "NO_AT_BRIDGE": "1",
    ]
    _ = try Command([Built.folder + "/DemoPair", home])
    _ = try Command([Built.root + "/Scripts/install-plugins"], environment: environment)
  }

  func write(_ text: String, _ name: String) throws { try folder.write(Array(text.utf8), name) }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Runs scripts in GIMP without a display, one after the other, whatever becomes of them.
  func run(_ scripts: String...) throws -> Command { try run(scripts) }

  func run(_ scripts: [String]) throws -> Command {
    try Command(
      ["gimp", "--no-interface", "--no-data", "--no-fonts"]
        + (scripts + ["(gimp-quit 1)"]).flatMap { ["--batch", $0] }, environment: environment)
  }

  /// Copies of the pair without metadata and profile: what layers are.
  func plainPair() throws -> (flash: String, ambient: String) {
    let pair = (flash: path("plain-flash.png"), ambient: path("plain-ambient.png"))
    for (from, to) in [(flash, pair.flash), (ambient, pair.ambient)] where !exists(to) {
      _ = try Command(["exiftool", "-q", "-all=", "-o", to, from])
    }
    return pair
  }

  /// What the command makes of a pair, as floats: the result, its fallback and its confidence.
  func develop(
    _ flash: String, _ ambient: String, _ options: [String]
  ) throws -> (result: [Float], fallback: [Float], confidence: [Float]) {
    let outputs = ["result", "fallback", "confidence"].map { path("command-\($0).tif") }
    let command = try Command.constantColor(
      ["develop", "--flash", flash, "--ambient", ambient, "--output", outputs[0], "--fallback", outputs[1]]
        + ["--confidence", outputs[2], "--float"] + options)
    guard command.status == 0 else { throw Failure(text: command.errors) }
    let pictures = try outputs.map { path -> [Float] in
      let buffer = try PictureLoader.load(path).buffer
      guard let format = buffer.format else { throw Failure(text: path) }
      return try buffer.read(buffer.extent, format: format, as: Float.self)
    }
    return (pictures[0], pictures[1], pictures[2])
  }

  struct Failure: Error { let text: String }
}

extension Command {
  /// Whether nobody complains about the plug-ins.
  var isSilent: Bool {
    let words = ["CRITICAL", "constant-color", "ConstantColor", "rror", "WARNING"]
    return errors.split(separator: "\n").allSatisfy { line in !words.contains { line.contains($0) } }
  }
}
