import Glibc

/// The options that say how a command runs, which all have.
extension OptionSpecification {
  static let running = [
    OptionSpecification("--threads", "N", "Threads, 1 to 64; default all processors."),
    OptionSpecification("--memory", "SIZE", "Memory for pictures, such as 2G or 512M; default half of the machine's."),
    OptionSpecification("--quiet", nil, "Prints nothing but errors."),
    OptionSpecification("--verbose", nil, "Prints what was found."),
    OptionSpecification("--progress", nil, "Shows progress also where standard error is no terminal."),
  ]
}

extension Arguments {
  /// The option's value as the name of a file; throws where it is missing.
  func file(_ name: String) throws -> String {
    guard let value = value(name), !value.isEmpty else { throw UsageError("'\(name)' is missing; name a file") }
    return value
  }

  /// The photographs, exchanged where --swap asks for it; throws where one is missing, or an ambient frame counts twice.
  var frames: (flash: String, ambients: [String]) {
    get throws {
      let (flash, _) = (try file("--flash"), try file("--ambient"))
      let ambients = all("--ambient")
      guard !ambients.contains("") else { throw UsageError("'--ambient' is missing; name a file") }
      if has("--swap") {
        guard ambients.count == 1 else {
          throw UsageError(
            "'--swap' exchanges two files, and there are \(ambients.count) ambient frames; name the files anew")
        }
        return (ambients[0], [flash])
      }
      guard ambients.count <= Self.mostAmbients else {
        throw UsageError(
          "'--ambient' is given \(ambients.count) times; at most \(Self.mostAmbients) frames are averaged")
      }
      var seen = Set<String>()
      for ambient in ambients where !seen.insert(fileIdentity(ambient)).inserted {
        throw UsageError("\(ambient): is named for two ambient frames; a copy tells nothing new, name it once")
      }
      return (flash, ambients)
    }
  }

  private static let mostAmbients = 16

  /// The exposure ratio; nil for auto.
  var exposureRatio: Double? {
    get throws { value("--exposure-ratio") == "auto" ? nil : try number("--exposure-ratio", in: 1e-6...1e6) }
  }

  /// The threads to use; nil for all processors.
  var threads: Int? { get throws { try wholeNumber("--threads", in: 1...64) } }

  /// The memory for pictures, in bytes.
  var memory: UInt64 { get throws { try value("--memory").map(Self.size) ?? Self.halfOfMemory } }

  private static func size(_ text: String) throws -> UInt64 {
    let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]
    var digits = text.uppercased()[...]
    if digits.hasSuffix("B") { digits.removeLast() }
    if digits.hasSuffix("I") { digits.removeLast() }
    let unit = digits.last.flatMap { units[$0] }
    if unit != nil { digits.removeLast() }
    let bytes = (Double(digits) ?? .nan) * (unit ?? 1)
    guard bytes >= 64 * 1_048_576, bytes <= 1e15 else {
      throw UsageError("'--memory' takes a size of at least 64M, such as 2G, not '\(text)'")
    }
    return UInt64(bytes)
  }

  private static var halfOfMemory: UInt64 {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    return pages > 0 && size > 0 ? UInt64(pages) * UInt64(size) / 2 : 1 << 30
  }
}

/// Nothing may be written over an input, nor twice.
func checkDistinct(inputs: [String], outputs: [String]) throws {
  var seen = Set<String>()
  let read = Set(inputs.map(fileIdentity))
  for output in outputs where output != "-" {
    if read.contains(fileIdentity(output)) { throw UsageError("\(output): would replace an input; name another file") }
    if !seen.insert(fileIdentity(output)).inserted { throw UsageError("\(output): is named for two outputs") }
  }
}

/// The one path of a file, whatever links and dots lead to it.
private func fileIdentity(_ path: String) -> String {
  func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
  if let resolved = resolve(path) { return resolved }
  // A file that is not there yet: its folder is.
  guard let slash = path.lastIndex(of: "/") else { return (resolve(".") ?? ".") + "/" + path }
  let folder = slash == path.startIndex ? "/" : String(path[..<slash])
  return (resolve(folder) ?? folder) + path[slash...]
}
