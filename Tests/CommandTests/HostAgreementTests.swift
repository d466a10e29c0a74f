import TestSupport
import Testing

/// The same operations give the same picture in the command and in GEGL's own tool, whatever the host's settings.
@Suite struct HostAgreementTests {
  private func gegl(
    _ pair: PairFixture, _ output: String, _ properties: [String], _ settings: [String: String] = [:]
  ) throws -> Command {
    let folder = pair.folder.folder("plug-in")
    try Built.copyPlugin(to: folder)
    var environment: [String: String?] = ["GEGL_PATH": folder + ":" + (try Built.systemPlugins())]
    for (name, value) in settings { environment[name] = value }
    return try Command(
      ["gegl", pair.flash, "-o", output, "--", "constant-color:develop"] + properties
        + ["aux=[", "gegl:load", "path=\(pair.ambient)", "]"], environment: environment)
  }

  @Test(arguments: ["png", "jpg", "tif"]) func commandAndToolAgree(_ format: String) throws {
    let pair = try PairFixture(width: 300, height: 200, named: format)
    let (tool, ours) = (pair.path("tool.png"), pair.path("ours.png"))
    _ = try gegl(pair, tool, ["exposure-ratio=1", "exposure=fixed", "space=srgb"])
    let command = try Command.constantColor(
      ["develop"] + pair.inputs + ["--output", ours, "--exposure-ratio", "1", "--exposure", "fixed", "--space", "srgb"])
    #expect(command.status == 0, "\(command.errors)")
    let worst = zip(try samples(tool), try samples(ours)).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst ?? 99999 <= 1, "\(format)")
  }

  @Test func theRoomsLightIsTheSameInBoth() throws {
    let pair = try PairFixture(width: 300, height: 200)
    let (tool, ours) = (pair.path("tool.png"), pair.path("ours.png"))
    _ = try gegl(pair, tool, ["exposure-ratio=1", "exposure=fixed", "space=srgb", "look=ambient"])
    let command = try Command.constantColor(
      ["develop"] + pair.inputs
        + ["--output", ours, "--exposure-ratio", "1", "--exposure", "fixed", "--space", "srgb", "--look", "ambient"])
    #expect(command.status == 0, "\(command.errors)")
    let worst = zip(try samples(tool), try samples(ours)).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst ?? 99999 <= 400)
  }

  @Test func settingsOfTheHostDoNotMatter() throws {
    let pair = try PairFixture(width: 500, height: 400)
    for words in [["show=result"], ["show=confidence"], ["show=fallback"], ["look=ambient"], ["show=overlay"]] {
      var seen: [String: [String]] = [:]
      for settings in [
        ["GEGL_THREADS": "1"], ["GEGL_THREADS": "2"], ["GEGL_THREADS": "8"], ["GEGL_TILE_SIZE": "8x8"],
        ["GEGL_TILE_SIZE": "128x64"], ["GEGL_USE_OPENCL": "yes"], ["GEGL_MIPMAP_RENDERING": "true"],
      ] {
        let output = pair.path("host.png")
        let command = try gegl(pair, output, words + ["space=srgb"], settings)
        #expect(command.status == 0)
        for word in ["CRITICAL", "constant-color"] { #expect(!command.errors.contains(word), "\(command.errors)") }
        seen[try Command(["sh", "-c", "md5sum < '\(output)'"]).output, default: []].append("\(settings)")
      }
      #expect(seen.count == 1, "\(words) \(seen)")
    }
  }
}
