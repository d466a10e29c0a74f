import TestSupport
import Testing

/// Scripts/install-plugins in a home of its own.
@Suite struct InstallationTests {
  @Test func installsTwoFilesAndTakesThemAway() throws {
    let home = try TemporaryFolder()
    let first = try run([], home, data: nil)
    #expect(first.status == 0)
    let plugin = home.path + "/.local/share/gegl-0.4/plug-ins/constant-color.so"
    let program = home.path + "/.config/GIMP/2.10/plug-ins/constant-color/constant-color"
    for path in [plugin, program] {
      #expect(first.output.contains("Installed " + path))
      let sections = try Command(["readelf", "--wide", "--sections", path])
      #expect(!sections.output.contains(".symtab") && !sections.output.contains(".debug_"))
    }
    #expect(try files(home) == [program, plugin])
    #expect(try !Command(["readelf", "--dynamic", program]).output.contains("libswift"))

    // Again, over the files that are there.
    #expect(try run([], home, data: nil).status == 0)
    #expect(try files(home) == [program, plugin])

    #expect(try run(["--uninstall"], home, data: nil).output == "Removed \(plugin)\nRemoved \(program)\n")
    #expect(try files(home) == [])
    #expect(!exists(home.path + "/.config/GIMP/2.10/plug-ins/constant-color"))
    let nothing = try run(["--uninstall"], home, data: nil)
    #expect(nothing.status == 0)
    #expect(nothing.output == "There is no \(plugin)\nThere is no \(program)\n")
  }

  @Test func followsGIMPsFolder() throws {
    let home = try TemporaryFolder()
    for (given, folder) in [("my gimp", home.path + "/my gimp"), (home.path + "/other", home.path + "/other")] {
      _ = home.folder(folder.split(separator: "/").last.map(String.init) ?? "")
      #expect(try run([], home, data: nil, gimp: given).status == 0)
      #expect(exists(folder + "/plug-ins/constant-color/constant-color"))
    }
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

  private func run(
    _ options: [String], _ home: TemporaryFolder, data: String?, path: String? = nil, gimp: String? = nil
  ) throws -> Command {
    // Where the folder is there, GIMP need not be started to furnish it.
    for name in [".config", ".config/GIMP", ".config/GIMP/2.10"] { _ = home.folder(name) }
    return try Command(
      [Built.root + "/Scripts/install-plugins"] + options,
      environment: [
        "HOME": home.path, "XDG_DATA_HOME": data, "XDG_CONFIG_HOME": nil, "XDG_CACHE_HOME": home.path + "/cache",
        "GEGL_PATH": path, "GIMP2_DIRECTORY": gimp, "CONSTANT_COLOR_BIN": Built.folder,
      ])
  }

  /// The files in a folder, except what GEGL itself caches.
  private func files(_ home: TemporaryFolder) throws -> [String] {
    try Command(["find", home.path, "-type", "f", "-not", "-path", home.path + "/cache/*"]).lines.map { String($0) }
      .sorted()
  }
}
