import Development
import Photo

/// The pairs in a folder, by the names of their files: NAME_flash.EXT and NAME_ambient.EXT (or -flash, -ambient), or
/// flash.EXT and ambient.EXT in a folder NAME.
struct CapturePairs {
  /// Two frames.
  struct Pair: Equatable {
    let name, flash, ambient: String
  }

  /// In the order of their names.
  let pairs: [Pair]
  /// Why other files are no pair, one line each.
  let problems: [String]

  private struct Frames {
    var flash: [String] = []
    var ambient: [String] = []
  }

  /// Looks into a folder. Throws ``InputError`` where it cannot be read or holds no such files.
  init(in folder: String) throws {
    guard let names = Folder.names(in: folder) else {
      throw InputError("\(folder): is no folder that can be read; name the folder with the pairs")
    }
    var found: [String: Frames] = [:]
    for name in names where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if let inner = Folder.names(in: path) {
        for file in inner { Self.sort(file, "\(path)/\(file)", inFolder: name, into: &found) }
      } else {
        Self.sort(name, path, inFolder: nil, into: &found)
      }
    }
    guard !found.isEmpty else {
      throw InputError("\(folder): holds no pairs; name their files NAME_flash.EXT and NAME_ambient.EXT")
    }
    var pairs: [Pair] = []
    var problems: [String] = []
    for (name, frames) in found.sorted(by: { $0.key < $1.key }) {
      if let problem = Self.problem(frames) {
        problems.append("\(folder)/\(name): \(problem)")
      } else if let flash = frames.flash.first, let ambient = frames.ambient.first {
        pairs.append(Pair(name: name, flash: flash, ambient: ambient))
      }
    }
    (self.pairs, self.problems) = (pairs, problems)
  }

  private static func problem(_ frames: Frames) -> String? {
    for (files, kind) in [(frames.flash, "flash"), (frames.ambient, "ambient")] {
      if files.isEmpty { return "has no \(kind) frame; name it NAME_\(kind).EXT" }
      if files.count > 1 {
        let names = files.map { String($0.split(separator: "/").last ?? "") }
        return "has \(files.count) \(kind) frames (\(names.joined(separator: ", "))); leave one of them in the folder"
      }
    }
    return nil
  }

  /// Files beside pictures that are none.
  private static let others: Set<String> = ["xmp", "json", "txt", "csv", "md", "pp3", "thm"]

  private static func sort(_ file: String, _ path: String, inFolder folder: String?, into found: inout [String: Frames])
  {
    let ending = fileExtension(file)
    guard !file.hasPrefix("."), !ending.isEmpty, !others.contains(ending) else { return }
    let stem = String(file.dropLast(ending.count + 1))
    for kind in ["flash", "ambient"] {
      let name: String
      if let folder {
        guard stem.lowercased() == kind else { continue }
        name = folder
      } else {
        guard ["_" + kind, "-" + kind].contains(where: stem.lowercased().hasSuffix), stem.count > kind.count + 1 else {
          continue
        }
        name = String(stem.dropLast(kind.count + 1))
      }
      if kind == "flash" {
        found[name, default: Frames()].flash.append(path)
      } else {
        found[name, default: Frames()].ambient.append(path)
      }
    }
  }
}
