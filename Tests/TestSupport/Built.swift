import Glibc

/// What the build made, and where.
public enum Built {
  /// The folder of executables and libraries: the one that the tests run from.
  public static let folder: String = {
    if let given = getenv("CONSTANT_COLOR_BIN") { return String(cString: given) }
    guard let path = realpath("/proc/self/exe", nil) else { return "." }
    defer { free(path) }
    let executable = String(cString: path)
    return String(executable[..<(executable.lastIndex(of: "/") ?? executable.endIndex)])
  }()

  /// The plug-in, under the name that the build gives it.
  public static let plugin = folder + "/libconstant-color-plugin.so"

  /// The repository.
  public static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

  /// Where GEGL's own plug-ins are.
  public static func systemPlugins() throws -> String {
    let libraries = try Command(["pkg-config", "--variable=libdir", "gegl-0.4"])
    return libraries.output.split(separator: "\n").joined() + "/gegl-0.4"
  }

  /// Copies the plug-in, as a user would.
  public static func copyPlugin(to folder: String) throws {
    _ = try Command(["cp", plugin, folder + "/constant-color.so"])
  }
}

extension Command {
  /// Runs this project's command.
  public static func constantColor(_ words: [String]) throws -> Command {
    try Command([Built.folder + "/constant-color"] + words)
  }
}
