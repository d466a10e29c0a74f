import Glibc
import TestSupport
import Testing

/// The programs that may be missing.
private enum Installed {
  static let python = "/usr/bin/python3"
  static let thumbnailer = "/usr/libexec/gnome-photos-thumbnailer"
  static let hasGEGLInPython =
    (try? Command([python, "-c", "import gi; gi.require_version('Gegl', '0.4'); from gi.repository import Gegl"]))?
    .status
    == 0
  static let hasPhotos = exists(thumbnailer) && (try? Command(["dbus-run-session", "--version"]))?.status == 0
}

/// The examples of the README for other programs that load GEGL's operations, each run in the program it is for; the
/// pictures are those of the `gegl` tool's chain, to the last bit.
@Suite struct OtherHostsTests {
  private let pair: PairFixture
  private let environment: [String: String?]

  init() throws {
    pair = try PairFixture(width: 240, height: 160)
    let plugins = pair.folder.folder("plug-in")
    try Built.copyPlugin(to: plugins)
    environment = ["GEGL_PATH": plugins + ":" + (try Built.systemPlugins()), "XDG_CACHE_HOME": pair.path("cache")]
    for (name, path) in [("FLASH", pair.flash), ("AMBIENT", pair.ambient), ("A1", pair.ambient), ("A2", pair.ambient)] {
      symlink(path, pair.path(name + ".png"))
    }
  }

  /// The indented blocks of the README, without the indentation.
  private static func examples() throws -> [String] {
    var blocks: [String] = []
    var isInside = false
    for line in try contents(Built.root + "/README.md").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    ") {
        if !isInside { blocks.append("") }
        isInside = true
        blocks[blocks.count - 1] += line.dropFirst(4) + "\n"
      } else if line.isEmpty, isInside {
        blocks[blocks.count - 1] += "\n"
      } else {
        isInside = false
      }
    }
    return blocks
  }

  /// The example that contains all of these words.
  private static func example(_ words: String...) throws -> String {
    try #require(examples().first { block in words.allSatisfy { block.contains($0) } }, "README.md has no such example")
  }

  private func run(_ words: [String]) throws {
    let command = try Command(
      ["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", pair.folder.path] + words, environment: environment)
    #expect(command.status == 0, "\(command.errors)")
    // What GEGL says of buffers that it forgets is not about us.
    for word in ["CRITICAL", "constant-color", "rror"] { #expect(!command.errors.contains(word), "\(command.errors)") }
  }

  private func chain() throws -> [UInt16] {
    try run(["sh", "-c", Self.example("gegl FLASH.png", "exposure=fixed")])
    return try samples(pair.path("OUT.png"))
  }

  @Test func chainsOfTheTool() throws {
    let one = try chain()
    #expect(Set(one).count > 100)
    try run(["sh", "-c", Self.example("gegl FLASH.png", "average-ambient")])
    #expect(try samples(pair.path("OUT.png")).count == one.count)
  }

  @Test func graphsInXML() throws {
    PairFixture.write(try Self.example("<gegl>", "constant-color:develop"), to: pair.path("graph.xml"))
    try run(["gegl", "graph.xml", "-o", "xml.png"])
    #expect(try samples(pair.path("xml.png")) == chain())
  }

  @Test(.enabled(if: Installed.hasGEGLInPython, "python3-gi and gir1.2-gegl-0.4 are not installed")) func python()
    throws
  {
    PairFixture.write(try Self.example("from gi.repository import Gegl"), to: pair.path("develop.py"))
    try run([Installed.python, "develop.py"])
    #expect(try samples(pair.path("OUT.png")) == chain())
  }

  /// GNOME Photos keeps what is done to a picture as a graph in XML; the process that makes its small pictures, as the program
  /// itself asks it to, renders such a graph.
  @Test(.enabled(if: Installed.hasPhotos && Installed.hasGEGLInPython, "gnome-photos is not installed"))
  func gnomePhotos() throws {
    let edits = try Self.example("<gegl>", "ambient-path").split(separator: "AMBIENT.png")
    PairFixture.write(edits.joined(separator: pair.ambient), to: pair.path("edits.xml"))
    PairFixture.write(Self.askThumbnailer, to: pair.path("ask.py"))
    let command = try Command(
      ["dbus-run-session", "--", Installed.python]
        + [
          pair.path("ask.py"), Installed.thumbnailer, pair.path("FLASH.png"), pair.path("edits.xml"),
          pair.path("small.png"),
        ],
      environment: environment)
    #expect(command.status == 0, "\(command.errors)")
    for word in ["CRITICAL", "constant-color"] { #expect(!command.errors.contains(word), "\(command.errors)") }
    let worst = zip(try samples(pair.path("small.png")), try chain()).map { abs(Int($0) - Int($1)) }.max()
    // Its pictures have 8 bit.
    #expect(worst ?? 99999 <= 2 * 257)
  }

  /// GNOME Photos' side of the conversation: it starts the process with the address of a bus, and asks for a picture as
  /// large as the photograph (so that nothing is scaled).
  private static let askThumbnailer = """
    import subprocess, sys
    from gi.repository import Gio, GLib

    program, picture, edits, result = sys.argv[1:]
    loop, status = GLib.MainLoop(), 1
    observer = Gio.DBusAuthObserver()
    observer.connect("authorize-authenticated-peer", lambda *_: True)
    server = Gio.DBusServer.new_sync("unix:tmpdir=/tmp", 0, Gio.dbus_generate_guid(), observer, None)

    def done(connection, answer):
        global status
        connection.call_finish(answer)
        status = 0
        loop.quit()

    def ask(connection):
        top = "http://tracker.api.gnome.org/ontology/v3/nfo#orientation-top"
        request = ("file://" + picture, "image/png", top, 160, 240, ["file://" + edits], result, 240)
        connection.call(
            None, "/org/gnome/Photos/Thumbnailer", "org.gnome.Photos.Thumbnailer", "GenerateThumbnail",
            GLib.Variant("(sssxxassi)", request), None, 0, 30000, None, done)

    def connected(_, connection):
        server.connection = connection
        # It offers its object after it has connected.
        GLib.timeout_add(500, ask, connection)
        return True

    server.connect("new-connection", connected)
    server.start()
    child = subprocess.Popen([program, "--address", server.get_client_address()])
    GLib.timeout_add_seconds(60, loop.quit)
    loop.run()
    child.terminate()
    sys.exit(status)
    """
}
