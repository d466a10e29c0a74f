/// A shot whose name tells what it is.
struct NamedShot {
  var shot: Shot
  var match: RoleNames.Match
}

extension PairFinder {
  /// Pairs shots by what their names have in common.
  func pair(_ named: [NamedShot], _ result: inout Result) {
    let groups = Dictionary(grouping: named) { "\($0.shot.folder)/\($0.match.base)".lowercased() }
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      let flashes = group.filter { $0.match.role == .flash }
      let ambients = group.filter { $0.match.role == .ambient }
      guard let first = group.first else { continue }
      let name = Self.name(folder: first.shot.folder, base: first.match.base)
      if flashes.isEmpty || ambients.isEmpty {
        let missing = flashes.isEmpty ? "flash" : "ambient"
        for one in group {
          result.leave(
            one.shot, .incomplete,
            "there is no frame \(flashes.isEmpty ? "with" : "without") flash that its name goes with; "
              + "name it \(first.match.base.isEmpty ? "" : first.match.base + "_")\(missing)")
        }
      } else if flashes.count == 1, let flash = flashes.first, flash.match.number == nil {
        result.add(name, flash.shot, Self.ordered(ambients), .names)
      } else {
        pairByNumber(name, flashes, ambients, &result)
      }
    }
  }

  /// Several frames with flash: those pair that have the same number.
  private func pairByNumber(_ name: String, _ flashes: [NamedShot], _ ambients: [NamedShot], _ result: inout Result) {
    let numbers = flashes.map(\.match.number)
    guard Set(numbers).count == numbers.count,
      !ambients.contains(where: { $0.match.number == nil }) || flashes.count == 1
    else {
      for one in flashes + ambients {
        result.leave(
          one.shot, .ambiguous,
          "\(flashes.count) frames with flash and \(ambients.count) without share the name \(name); number them, or list them in a "
            + "manifest")
      }
      return
    }
    for flash in flashes {
      let own = ambients.filter { $0.match.number == flash.match.number }
      guard own.isEmpty else {
        result.add("\(name)_\(flash.match.digits ?? "0")", flash.shot, own.map(\.shot), .names)
        continue
      }
      result.leave(flash.shot, .incomplete, "there is no frame without flash of its number; name it, or use a manifest")
    }
    for ambient in ambients where !numbers.contains(ambient.match.number) {
      result.leave(ambient.shot, .incomplete, "there is no frame with flash of its number; name it, or use a manifest")
    }
  }

  /// In the order of their numbers.
  private static func ordered(_ ambients: [NamedShot]) -> [Shot] {
    ambients.sorted { ($0.match.number ?? -1, $0.shot.name) < ($1.match.number ?? -1, $1.shot.name) }.map(\.shot)
  }

  private static func name(folder: String, base: String) -> String {
    if base.isEmpty { return folder.isEmpty ? "pair" : folder }
    return folder.isEmpty ? base : "\(folder)/\(base)"
  }
}
