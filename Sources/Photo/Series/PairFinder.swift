/// A pair of photographs that was found: one with flash, and one or several without.
public struct PhotoPair: Equatable, Sendable {
  /// What told that they belong together.
  public enum Source: String, Sendable {
    /// The names of the files.
    case names
    /// What the camera wrote.
    case metadata
    /// A table that lists them.
    case manifest
  }

  /// Its name, which no other pair has: a path without extension, relative, for the files of its results.
  public var name: String
  /// The photograph with flash.
  public var flash: String
  /// The photographs without, in order; at least one.
  public var ambients: [String]
  /// What told that they belong together.
  public var source: Source
  /// Words of a command line that hold for this pair alone.
  public var options: [String] = []

  /// A pair from its parts.
  public init(name: String, flash: String, ambients: [String], source: Source, options: [String] = []) {
    (self.name, self.flash, self.ambients, self.source, self.options) = (name, flash, ambients, source, options)
  }
}

/// A file that is in no pair.
public struct UnpairedFile: Equatable, Sendable {
  /// Why, for programs.
  public enum Kind: String, Sendable {
    /// It is no picture that can be read.
    case broken
    /// Its name says that there is another, which is not there.
    case incomplete
    /// It could belong to several.
    case ambiguous
    /// Nothing says that it belongs to any.
    case unrelated

    /// Whether something that was meant to be a pair is none.
    public var isFailure: Bool { self != .unrelated }
  }

  /// The file.
  public var path: String
  /// Why it is in no pair, for programs.
  public var kind: Kind
  /// The same for people, and what to do: one line without the path.
  public var reason: String

  /// A file and why it is in no pair.
  public init(_ path: String, _ kind: Kind, _ reason: String) {
    (self.path, self.kind, self.reason) = (path, kind, reason)
  }
}

/// Finds the pairs among photographs: by the names of their files, and of the others by what the camera wrote. What is not
/// clear is never guessed.
public struct PairFinder: Sendable {
  /// What tells that frames belong together.
  public enum Evidence: String, CaseIterable, Sendable {
    /// Names, and metadata for files whose names tell nothing.
    case auto
    /// Names alone.
    case names
    /// Metadata alone.
    case metadata
  }

  /// In which order the photographer takes the frames of a pair.
  public enum Order: String, CaseIterable, Sendable {
    /// Either, but not both: frames without flash before and after one with flash make it doubtful. Each belongs to the one
    /// with flash that is clearly nearest in time.
    case auto
    /// The frame with flash may stand between others.
    case around
    /// A frame with flash begins a pair.
    case flashFirst = "flash-first"
    /// A frame with flash ends a pair.
    case ambientFirst = "ambient-first"
  }

  /// What is believed.
  public var evidence = Evidence.auto
  /// What names mean.
  public var names = RoleNames.usual
  /// The longest time between the frames of a pair, in seconds.
  public var seconds = 5.0
  /// In which order frames were taken.
  public var order = Order.auto

  /// More frames without flash cannot be averaged.
  public static let mostAmbients = 16

  /// A finder with the usual rules.
  public init() {}

  /// What was found, both in the order of names.
  public struct Result: Equatable, Sendable {
    /// The pairs.
    public var pairs: [PhotoPair] = []
    /// The files that are in none. Second versions of a shot (a JPEG beside a RAW file) and this program's own results are
    /// not mentioned.
    public var unpaired: [UnpairedFile] = []

    /// What was found, from its parts.
    public init(pairs: [PhotoPair] = [], unpaired: [UnpairedFile] = []) {
      (self.pairs, self.unpaired) = (pairs, unpaired)
    }
  }

  /// Finds pairs. The same files give the same pairs, in whatever order they come.
  public func find(_ frames: [SeriesFrame]) -> Result {
    var result = Result()
    let shots = Self.shots(frames.filter { !$0.isResult }.sorted { $0.name < $1.name }, &result)
    var rest: [Shot] = []
    var named: [NamedShot] = []
    for shot in shots {
      if evidence != .metadata, let match = names.match(shot.stem) {
        named.append(NamedShot(shot: shot, match: match))
      } else {
        rest.append(shot)
      }
    }
    pair(named, &result)
    if evidence == .names {
      for shot in rest {
        result.leave(shot, .unrelated, "its name does not say whether it was taken with flash; \(Self.nameIt)")
      }
    } else {
      pairByMetadata(rest, &result)
    }
    result.pairs.sort { ($0.name, $0.flash) < ($1.name, $1.flash) }
    result.makeNamesUnique()
    result.unpaired.sort { $0.path < $1.path }
    return result
  }

  static let nameIt = "name it NAME_flash or NAME_ambient, or list it in a manifest"

  /// Puts the versions of one shot together: files of one name in one folder.
  private static func shots(_ frames: [SeriesFrame], _ result: inout Result) -> [Shot] {
    var shots: [Shot] = []
    var places: [String: Int] = [:]
    for frame in frames {
      let key = "\(frame.folder)/\(frame.stem)".lowercased()
      if let place = places[key] {
        shots[place].versions.append(frame)
      } else {
        places[key] = shots.count
        shots.append(Shot(versions: [frame]))
      }
    }
    return shots.compactMap { shot in
      // What is broken is said, and a good version of the same shot is taken.
      let good = shot.versions.filter { $0.problem == nil }
      guard good.count < shot.versions.count else { return Self.ranked(shot, &result) }
      guard !good.isEmpty else { return shot }
      for broken in shot.versions where broken.problem != nil {
        result.unpaired.append(UnpairedFile(broken.path, .broken, broken.problem ?? "cannot be read"))
      }
      return Self.ranked(Shot(versions: good), &result)
    }
  }

  /// The versions with the best first; nil where two are of one kind, so that either could be meant.
  private static func ranked(_ shot: Shot, _ result: inout Result) -> Shot? {
    let versions = shot.versions.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    for (one, other) in zip(versions, versions.dropFirst()) where one.rank == other.rank {
      result.leave(shot, .ambiguous, "\(one.path) and \(other.path) are two files of one name; leave one in the folder")
      return nil
    }
    return Shot(versions: versions)
  }
}

/// One press of the shutter: a file, or the same as RAW and JPEG.
struct Shot {
  /// The best first.
  var versions: [SeriesFrame]

  var first: SeriesFrame { versions[0] }
  var name: String { first.name }
  var folder: String { first.folder }
  var stem: String { first.stem }
  var problem: String? { versions.compactMap(\.problem).first }
  var flashFired: Bool? { versions.lazy.compactMap(\.metadata.flashFired).first }
  var time: Double? { versions.lazy.compactMap(\.metadata.time).first }
  var burst: String? { versions.lazy.compactMap(\.metadata.burst).first }

  /// What frames of one pair have in common: the camera, and the size however the camera was held.
  var camera: String {
    let metadata = first.metadata
    let serial = versions.lazy.compactMap(\.metadata.serial).first
    let (width, height) = (first.file?.width ?? 0, first.file?.height ?? 0)
    let size = "\(max(width, height))x\(min(width, height))"
    return [metadata.make, metadata.model, serial, size].map { ($0 ?? "").lowercased() }.joined(separator: "|")
  }
}

extension SeriesFrame {
  /// Which version of a shot is taken first: numbers of the sensor, then what has the most of them.
  fileprivate var rank: Int {
    if isRaw { return 0 }
    let order: [PictureFile.Kind] = [.openEXR, .tiff, .png, .webP, .portable, .bmp, .jpeg]
    return 1 + (file.flatMap { order.firstIndex(of: $0.kind) } ?? order.count)
  }
}

extension PairFinder.Result {
  /// Notes a shot that is in no pair, once.
  mutating func leave(_ shot: Shot, _ kind: UnpairedFile.Kind, _ reason: String) {
    if let problem = shot.problem {
      unpaired.append(UnpairedFile(shot.first.path, .broken, problem))
    } else {
      unpaired.append(UnpairedFile(shot.first.path, kind, reason))
    }
  }

  /// Adds the pair of some shots, of files of one kind; or says why there is none.
  mutating func add(_ name: String, _ flash: Shot, _ ambients: [Shot], _ source: PhotoPair.Source) {
    let shots = [flash] + ambients
    guard ambients.count <= PairFinder.mostAmbients else {
      let reason = "belongs to \(ambients.count) frames without flash; at most \(PairFinder.mostAmbients) are averaged"
      for shot in shots { leave(shot, .ambiguous, reason) }
      return
    }
    // The best kind that all of them have; else the best of each that nobody has to develop first.
    var chosen: [SeriesFrame] = []
    for candidate in flash.versions where chosen.isEmpty {
      let alike = ambients.compactMap { shot in shot.versions.first { $0.isSameKind(as: candidate) } }
      if alike.count == ambients.count { chosen = [candidate] + alike }
    }
    if chosen.isEmpty { chosen = shots.compactMap { shot in shot.versions.first { !$0.isRaw } } }
    guard chosen.count == shots.count else {
      for shot in shots {
        leave(shot, .incomplete, "of this pair some frames are RAW files and others are not; use files of one kind")
      }
      return
    }
    pairs.append(
      PhotoPair(name: name, flash: chosen[0].path, ambients: chosen.dropFirst().map(\.path), source: source))
  }

  /// Pairs whose results would have one name get numbers.
  mutating func makeNamesUnique() {
    var seen = Set(pairs.map { $0.name.lowercased() })
    guard seen.count < pairs.count else { return }
    var used = Set<String>()
    for index in pairs.indices where !used.insert(pairs[index].name.lowercased()).inserted {
      let name = pairs[index].name
      var number = 2
      while seen.contains("\(name)-\(number)".lowercased()) { number += 1 }
      pairs[index].name = "\(name)-\(number)"
      seen.insert(pairs[index].name.lowercased())
      used.insert(pairs[index].name.lowercased())
    }
  }
}

extension SeriesFrame {
  fileprivate func isSameKind(as other: SeriesFrame) -> Bool {
    if isRaw || other.isRaw { return isRaw && other.isRaw }
    guard let file, let their = other.file else { return true }
    return file.kind == their.kind
  }
}
