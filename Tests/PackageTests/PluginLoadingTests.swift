import TestSupport
import Testing

/// The plug-in in GEGL's own tool, by each of the ways that GEGL finds plug-ins.
@Suite struct PluginLoadingTests {
  @Test func loadsThroughGEGLPath() throws {
    let folder = try TemporaryFolder()
    try Built.copyPlugin(to: folder.path)
    try check(folder, ["GEGL_PATH": folder.path + ":" + Built.systemPlugins()])
  }

  @Test func loadsFromTheUsersFolder() throws {
    let folder = try TemporaryFolder()
    let data = folder.folder("data")
    try Built.copyPlugin(to: ["gegl-0.4", "gegl-0.4/plug-ins"].map { folder.folder("data/" + $0) }[1])
    try check(folder, ["GEGL_PATH": nil, "XDG_DATA_HOME": data])
  }

  @Test func loadsTwice() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "other"] { try Built.copyPlugin(to: folder.folder(name)) }
    try check(folder, ["GEGL_PATH": folder.path + ":" + Built.systemPlugins()])
  }

  /// babl ends the process of whoever asks it for a format before it was started: loading the plug-in must ask for nothing.
  @Test func loadingAsksNothingOfLibrariesThatHaveNotStarted() throws {
    let program = "import ctypes, sys; print(bool(ctypes.CDLL(sys.argv[1]).gegl_module_query(None)))"
    let loaded = try Command(["/usr/bin/python3", "-c", program, Built.plugin])
    #expect(loaded.status == 0)
    #expect(loaded.output == "True\n" && loaded.errors.isEmpty, "\(loaded.errors)")
  }

  /// All operations exist, one of them computes, and nobody complains about us.
  private func check(_ folder: TemporaryFolder, _ environment: [String: String?]) throws {
    let names = [
      "align", "match-exposure", "subtract-ambient", "estimate-flash-only", "adapt-to-d65", "confidence",
      "white-balance-ambient", "render-output", "develop",
    ]
    let exist = try Command(["gegl", "--exists"] + names.map { "constant-color:" + $0 }, environment: environment)
    #expect(exist.status == 0)
    expectSilence(exist)

    let picture = folder.path + "/picture.txt"
    let size = ["width=2", "height=1"]
    let run = try Command(
      ["gegl", "-o", picture, "--", "gegl:color", "value=rgb(0.6,0.5,0.4)", "gegl:crop"] + size
        + ["constant-color:subtract-ambient", "exposure-ratio=0.5", "aux=[", "gegl:color", "value=rgb(0.2,0.2,0.1)"]
        + ["gegl:crop"] + size + ["]", "gegl:ppm-save", "path=\(picture)", "rawformat=false", "bitdepth=8"],
      environment: environment)
    expectSilence(run)
    // 0.5, 0.4 and 0.35 with the curve of sRGB.
    let words = try contents(picture).split { $0 == " " || $0 == "\n" }
    #expect(words == ["P3", "2", "1", "255", "188", "170", "160", "188", "170", "160"])
  }

  private func expectSilence(_ command: Command) {
    let text = command.output + command.errors
    for word in ["CRITICAL", "WARNING", "constant-color", "ConstantColor"] { #expect(!text.contains(word)) }
  }
}
