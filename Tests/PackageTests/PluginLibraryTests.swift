import TestSupport
import Testing

/// The plug-in as a file: what it needs and what it shows.
@Suite struct PluginLibraryTests {
  @Test func isNeverUnloaded() throws {
    let dynamic = try Command(["readelf", "--wide", "--dynamic", Built.plugin])
    #expect(dynamic.status == 0)
    #expect(dynamic.lines.contains { $0.contains("(FLAGS_1)") && $0.contains("NODELETE") })
  }

  @Test func needsNoSwiftInstallation() throws {
    let needed = try Self.needed()
    #expect(needed.contains { $0.hasPrefix("libgegl-0.4") })
    for library in needed {
      let name = library.lowercased()
      for foreign in ["swift", "foundation", "dispatch", "icu", "blocksruntime"] { #expect(!name.contains(foreign)) }
    }
    let dynamic = try Command(["readelf", "--wide", "--dynamic", Built.plugin])
    for line in dynamic.lines where line.contains("(RUNPATH)") || line.contains("(RPATH)") {
      // A path of the machine that built would be searched on every other.
      #expect(line.hasSuffix("[$ORIGIN]"))
    }
  }

  @Test func exportsTheTwoFunctionsOfGEGL() throws {
    let names = try Self.symbols(["--defined-only"], of: Built.plugin).map(\.name)
    #expect(names.sorted() == ["gegl_module_query", "gegl_module_register"])
  }

  @Test func findsWhatItUsesInTheLibrariesItNames() throws {
    let paths = try Self.paths()
    var offered: Set<String> = []
    for library in try Self.needed() {
      let path = try #require(paths[library])
      offered.formUnion(try Self.symbols(["--defined-only"], of: path).map(\.name))
    }
    let used = try Self.symbols(["--undefined-only"], of: Built.plugin).filter { $0.kind == "U" }
    #expect(used.count > 100)
    #expect(used.filter { !offered.contains($0.name) }.map(\.name) == [])
  }

  private static func needed() throws -> [String] {
    let dynamic = try Command(["readelf", "--wide", "--dynamic", Built.plugin])
    return dynamic.lines.filter { $0.contains("(NEEDED)") }.compactMap { line in
      line.split(separator: "[").last.map { String($0.dropLast()) }
    }
  }

  /// Dynamic symbols, without their versions.
  private static func symbols(_ options: [String], of path: String) throws -> [(kind: Substring, name: String)] {
    let table = try Command(["nm", "-D"] + options + [path])
    #expect(table.status == 0)
    return table.lines.compactMap { line in
      let words = line.split(separator: " ").suffix(2)
      guard let kind = words.first, let name = words.last?.split(separator: "@").first else { return nil }
      return (kind, String(name))
    }
  }

  /// Where the loader finds each library that the plug-in pulls in.
  private static func paths() throws -> [String: String] {
    var paths: [String: String] = [:]
    for line in try Command(["ldd", Built.plugin]).lines {
      // "name => path (address)", and for the loader itself "path (address)".
      guard let path = line.split(separator: " ").first(where: { $0.contains("/") }) else { continue }
      let full = path.drop { $0 == "\t" }
      paths[String(full[full.index(after: full.lastIndex(of: "/") ?? full.startIndex)...])] = String(full)
      if let name = line.split(separator: " ").first { paths[String(name.drop { $0 == "\t" })] = String(full) }
    }
    return paths
  }
}
