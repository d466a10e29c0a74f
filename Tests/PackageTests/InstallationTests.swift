import TestSupport
import Testing

/// Scripts/install-plugins in a home of its own.
@Suite struct InstallationTests {
  @Test func installsOneFileAndTakesItAway() throws {
    let home = try TemporaryFolder()
    let first = try run([], home, data: nil)
    #expect(first.status == 0)
    let plugin = home.path + "/.local/share/gegl-0.4/plug-ins/constant-color.so"
    #expect(first.output.contains("Installed " + plugin))
    #expect(try files(home) == [plugin])
    let sections = try Command(["readelf", "--wide", "--sections", plugin])
    #expect(!sections.output.contains(".symtab") && !sections.output.contains(".debug_"))

    // Again, over the file that is there.
    #expect(try run([], home, data: nil).status == 0)
    #expect(try files(home) == [plugin])

    #expect(try run(["--uninstall"], home, data: nil).output == "Removed \(plugin)\n")
    #expect(try files(home) == [])
    let nothing = try run(["--uninstall"], home, data: nil)
    #expect(nothing.status == 0)
    #expect(nothing.output == "There is no \(plugin)\n")
  }

  @Test func followsTheUsersDataFolderAndLeavesOtherFilesAlone() throws {
    let home = try TemporaryFolder()
    let data = home.folder("my data")
    #expect(try run([], home, data: data).status == 0)
    let folder = data + "/gegl-0.4/plug-ins"
    _ = try Command(["cp", "/bin/true", folder + "/other.so"])
    #expect(exists(folder + "/constant-color.so"))
    #expect(try run(["--uninstall"], home, data: data).status == 0)
    #expect(try files(home) == [folder + "/other.so"])
  }

  @Test func warnsWhereGEGLDoesNotLook() throws {
    let home = try TemporaryFolder()
    for name in [".var", ".var/app", ".var/app/org.gimp.GIMP"] { _ = home.folder(name) }
    let installed = try run([], home, data: nil, path: "/nowhere")
    #expect(installed.status == 0)
    #expect(installed.output.contains("GEGL_PATH is set (/nowhere)"))
    #expect(installed.output.contains("Flatpak"))
  }

  @Test func refusesWhatItDoesNotKnow() throws {
    let home = try TemporaryFolder()
    let wrong = try run(["--remove"], home, data: nil)
    #expect(wrong.status == 2)
    #expect(wrong.errors == "install-plugins: there is no option '--remove'; try --help\n")
    #expect(try run([], home, data: "relative").status == 2)
    #expect(try files(home) == [])
  }

  private func run(_ options: [String], _ home: TemporaryFolder, data: String?, path: String? = nil) throws -> Command {
    try Command(
      [Built.root + "/Scripts/install-plugins"] + options,
      environment: [
        "HOME": home.path, "XDG_DATA_HOME": data, "XDG_CACHE_HOME": home.path + "/cache", "GEGL_PATH": path,
        "CONSTANT_COLOR_BIN": Built.folder,
      ])
  }

  /// The files in a folder, except what GEGL itself caches.
  private func files(_ home: TemporaryFolder) throws -> [String] {
    try Command(["find", home.path, "-type", "f", "-not", "-path", home.path + "/cache/*"]).lines.map { String($0) }
      .sorted()
  }
}
