import TestSupport
import Testing

/// GIMP starts with the plug-in, where GIMP is installed.
@Suite struct GIMPTests {
  private static let isInstalled = (try? Command(["gimp", "--version"]).status) == 0

  @Test(.enabled(if: isInstalled)) func startsAndEndsWithThePlugin() throws {
    let home = try TemporaryFolder()
    let data = home.folder("data")
    for name in ["gegl-0.4", "gegl-0.4/plug-ins"] { _ = home.folder("data/" + name) }
    try Built.copyPlugin(to: data + "/gegl-0.4/plug-ins")
    let gimp = try Command(
      ["gimp", "--no-interface", "--no-data", "--no-fonts", "--batch", "(gimp-quit 0)"],
      environment: [
        "HOME": home.path, "XDG_DATA_HOME": data, "XDG_CONFIG_HOME": home.folder("config"), "GEGL_PATH": nil,
      ])
    #expect(gimp.status == 0)
    for word in ["constant-color", "ConstantColor", "CRITICAL"] {
      #expect(!gimp.errors.contains(word), "\(gimp.errors)")
    }
  }
}
