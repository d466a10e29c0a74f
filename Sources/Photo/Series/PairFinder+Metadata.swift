import Glibc
import TextOutput

extension PairFinder {
  /// A shot of which everything is known that is needed to pair it.
  private struct TimedShot {
    var shot: Shot
    var isFlash: Bool
    var time: Double?

    /// How far the time may be off: cameras without sub-seconds cut them off.
    var uncertainty: Double { time.map { $0 == $0.rounded() ? 1 : 0 } ?? 0 }
  }

  /// Pairs shots by what the camera wrote: the flash fired or not, by one camera, in one burst or within seconds.
  func pairByMetadata(_ shots: [Shot], _ result: inout Result) {
    var timed: [TimedShot] = []
    for shot in shots {
      if let problem = shot.problem {
        result.unpaired.append(UnpairedFile(shot.first.path, .broken, problem))
      } else if let isFlash = shot.flashFired {
        if shot.time == nil, shot.burst == nil {
          result.leave(shot, .unrelated, "the file does not say when it was taken; \(Self.nameIt)")
        } else {
          timed.append(TimedShot(shot: shot, isFlash: isFlash, time: shot.time))
        }
      } else {
        result.leave(shot, .unrelated, "the file does not say whether the flash fired; \(Self.nameIt)")
      }
    }
    let groups = Dictionary(grouping: timed) { "\($0.shot.folder)|\($0.shot.camera)" }
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      let rest = pairBursts(group, &result)
      let sorted = rest.filter { $0.time != nil }.sorted {
        ($0.time ?? 0, $0.shot.name) < ($1.time ?? 0, $1.shot.name)
      }
      for one in rest where one.time == nil {
        result.leave(one.shot, .ambiguous, "its burst does not have exactly one frame with flash, and it has no time")
      }
      switch order {
      case .auto, .around: pairByDistance(sorted, &result)
      case .flashFirst: pairByOrder(sorted, &result)
      case .ambientFirst: pairByOrder(sorted.reversed(), &result)
      }
    }
  }

  private func name(_ flash: TimedShot) -> String {
    let shot = flash.shot
    return shot.folder.isEmpty ? shot.stem : "\(shot.folder)/\(shot.stem)"
  }

  /// Bursts with one frame with flash are pairs; returns the shots that are in none.
  private func pairBursts(_ shots: [TimedShot], _ result: inout Result) -> [TimedShot] {
    var rest = shots.filter { $0.shot.burst == nil }
    let bursts = Dictionary(grouping: shots.filter { $0.shot.burst != nil }) { $0.shot.burst ?? "" }
    for (_, burst) in bursts.sorted(by: { $0.key < $1.key }) {
      let flashes = burst.filter(\.isFlash)
      let ambients = burst.filter { !$0.isFlash }.sorted {
        ($0.time ?? 0, $0.shot.name) < ($1.time ?? 0, $1.shot.name)
      }
      guard flashes.count == 1, let flash = flashes.first, !ambients.isEmpty else {
        rest += burst
        continue
      }
      result.add(name(flash), flash.shot, ambients.map(\.shot), .metadata)
    }
    return rest
  }

  /// Each frame without flash belongs to the one with flash that is clearly nearest: less than half as far away as the next.
  /// Where that is open for one frame, nothing is said of the frames around it.
  private func pairByDistance(_ shots: [TimedShot], _ result: inout Result) {
    let flashes = shots.filter(\.isFlash)
    var members: [Int: [TimedShot]] = [:]
    var doubtful = Set<Int>()
    for ambient in shots where !ambient.isFlash {
      // Sorted by time, so that only the flashes around it matter: two on each side hold the two nearest.
      let after = flashes.firstIndex { ($0.time ?? 0) >= (ambient.time ?? 0) } ?? flashes.count
      let near = (max(0, after - 2)..<min(flashes.count, after + 2)).map { index in
        (index: index, distance: abs((flashes[index].time ?? 0) - (ambient.time ?? 0)))
      }.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
      guard let first = near.first, first.distance <= seconds else {
        result.leave(ambient.shot, .unrelated, "no frame with flash by this camera within \(short(seconds)) s")
        continue
      }
      let nearest = flashes[first.index]
      let doubt = max(ambient.uncertainty, nearest.uncertainty)
      if near.count > 1, first.distance + doubt >= 0.5 * (near[1].distance - doubt) {
        let other = flashes[near[1].index]
        doubtful.formUnion([first.index, near[1].index])
        result.leave(
          ambient.shot, .ambiguous,
          "may belong to \(nearest.shot.first.path) or to \(other.shot.first.path), which are nearly as close in time; give "
            + "--order, or a manifest")
      } else {
        members[first.index, default: []].append(ambient)
      }
    }
    for (index, flash) in flashes.enumerated() {
      let own = (members[index] ?? []).map(\.shot)
      if doubtful.contains(index) {
        // Then what is close to it may be another's, too.
        for shot in [flash.shot] + own {
          result.leave(
            shot, .ambiguous, "other frames are nearly as close in time; give --order, or list the pairs in a manifest")
        }
      } else if let doubt = doubt(flash, members[index] ?? []) {
        for shot in [flash.shot] + own { result.leave(shot, .ambiguous, doubt) }
      } else if !own.isEmpty {
        result.add(name(flash), flash.shot, own, .metadata)
      } else {
        result.leave(flash.shot, .unrelated, "no frame without flash by this camera within \(short(seconds)) s")
      }
    }
  }

  /// Why frames that are nearest to one with flash may not belong to it: they lie on both sides of it, or one comes much later
  /// than the others, as when the frame with flash that it was taken for is missing. Nil where nothing speaks against it.
  private func doubt(_ flash: TimedShot, _ ambients: [TimedShot]) -> String? {
    let times = ambients.compactMap { ambient in ambient.time.map { $0 - (flash.time ?? 0) } }
    if order == .auto, times.contains(where: { $0 < 0 }), times.contains(where: { $0 > 0 }) {
      return "frames without flash were taken before and after it; give --order around if they all belong to it"
    }
    let unsure = ([flash] + ambients).map(\.uncertainty).max() ?? 0
    for side in [times.filter { $0 > 0 }.sorted(), times.filter { $0 < 0 }.map { -$0 }.sorted()] {
      let gaps = zip(side, [0] + side).map { $0 - $1 }
      guard let first = gaps.first, let widest = gaps.max(), widest - unsure > 2.5 * (first + unsure) else { continue }
      return
        "one of the frames without flash came much later than the others; give --order, or list the pair in a manifest"
    }
    return nil
  }

  /// Each frame with flash has the frames without that follow it, until the next one or a pause.
  private func pairByOrder(_ shots: [TimedShot], _ result: inout Result) {
    var flash: TimedShot?
    var own: [Shot] = []
    var last = 0.0
    func close(_ result: inout Result) {
      guard let begun = flash else { return }
      if own.isEmpty {
        let place = order == .flashFirst ? "after" : "before"
        result.leave(
          begun.shot, .unrelated, "no frame without flash by this camera within \(short(seconds)) s \(place) it")
      } else {
        result.add(
          name(begun), begun.shot, order == .ambientFirst ? own.reversed() : own, .metadata)
      }
      (flash, own) = (nil, [])
    }
    for shot in shots {
      let time = shot.time ?? 0
      if shot.isFlash {
        close(&result)
        (flash, last) = (shot, time)
      } else if flash != nil, abs(time - last) <= seconds {
        own.append(shot.shot)
        last = time
      } else {
        close(&result)
        let place = order == .flashFirst ? "before" : "after"
        result.leave(
          shot.shot, .unrelated, "no frame with flash by this camera within \(short(seconds)) s \(place) it")
      }
    }
    close(&result)
  }
}
