import TestSupport
import Testing

/// Scripts/package with what the tests are built from. (Whether the package works on a fresh machine is seen by
/// `Scripts/package --check`.)
@Suite struct DebianPackageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func package(_ words: [String]) throws -> Command {
    try Command([Built.root + "/Scripts/package"] + words, environment: ["CONSTANT_COLOR_BIN": Built.folder])
  }

  @Test func containsCommandPluginManualAndCompletions() throws {
    let made = try package([folder.path])
    try #require(made.status == 0, "\(made.errors)")
    let file = try #require(made.lines.last.map { String($0) })
    let paths = try Command(["dpkg-deb", "--contents", file]).lines.compactMap { $0.split(separator: " ").last }
    let libraries = try Built.systemPlugins()
    for path in [
      "/usr/bin/constant-color", libraries + "/constant-color.so", "/usr/share/man/man1/constant-color.1.gz",
      "/usr/share/bash-completion/completions/constant-color", "/usr/share/zsh/vendor-completions/_constant-color",
      "/usr/share/fish/vendor_completions.d/constant-color.fish", "/usr/share/doc/constant-color/copyright",
      "/usr/share/doc/constant-color/changelog.gz",
    ] { #expect(paths.contains { $0 == "." + path }, "\(path)") }

    let version = try Command.constantColor(["--version"]).output.split(separator: " ").last.map { $0.dropLast() }
    #expect(try field("Version", of: file).hasPrefix(String(version ?? "none")))
    let depends = try field("Depends", of: file)
    for library in ["libgegl-0.4-0", "libc6", "libgexiv2-2", "libsqlite3-0"] { #expect(depends.contains(library)) }
    // Those that are opened when they are needed.
    let recommends = try field("Recommends", of: file)
    #expect(recommends.contains("libraw") && recommends.contains("libheif1"))

    // No Swift is needed, and no folder of the machine that built is searched for libraries.
    _ = try Command(["dpkg-deb", "--extract", file, folder.path])
    for path in ["/usr/bin/constant-color", libraries + "/constant-color.so"] {
      let dynamic = try Command(["readelf", "--wide", "--dynamic", folder.path + path])
      #expect(dynamic.status == 0)
      #expect(!dynamic.output.lowercased().contains("swift") && !dynamic.output.contains("PATH)"))
    }
    #expect(try Command([folder.path + "/usr/bin/constant-color", "--version"]).status == 0)
  }

  @Test func refusesWhatItDoesNotKnow() throws {
    let wrong = try package(["--chekc"])
    #expect(wrong.status == 2 && wrong.errors.contains("--chekc"))
  }

  private func field(_ name: String, of file: String) throws -> String {
    try Command(["dpkg-deb", "--field", file, name]).output
  }
}
