import Development
import Glibc

/// What commands on pairs of photographs take.
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
    get throws {
      value("--exposure-ratio") == "auto"
        ? nil : try number("--exposure-ratio", in: DevelopmentSettings.exposureRatios)
    }
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

/// The path of a file or folder that is there, without links and dots; nil for another.
func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The one path of a file, whatever links and dots lead to it.
private func fileIdentity(_ path: String) -> String {
  if let resolved = realPath(path) { return resolved }
  // A file that is not there yet: its folder is.
  guard let slash = path.lastIndex(of: "/") else { return (realPath(".") ?? ".") + "/" + path }
  let folder = slash == path.startIndex ? "/" : String(path[..<slash])
  return (realPath(folder) ?? folder) + path[slash...]
}
