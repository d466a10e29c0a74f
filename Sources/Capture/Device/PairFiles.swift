import Photo
import Synchronization

/// Pairs of photographs on disk, one for each capture.
public final class PairFiles: FrameSource {
  /// The pairs, in the order in which they are captured.
  public let pairs: [PhotoPair]
  /// Files in the folder that are in no pair, and why.
  public let unpaired: [UnpairedFile]
  /// Whether the files hold linear camera values, whatever their profile says.
  public let isLinear: Bool
  private let repeats: Bool
  private let next = Mutex(0)

  /// One pair, which every capture gives again.
  ///
  /// - Throws: ``CaptureError/framesFailed(_:)`` for files that cannot be read.
  public convenience init(
    flash: String, ambient: String, more: [String] = [], isLinear: Bool = false
  ) throws(CaptureError) {
    for path in [flash, ambient] + more {
      if let problem = SeriesFrame(path, name: path).problem { throw .framesFailed("\(path): \(problem)") }
    }
    let name = Self.stem(flash)
    let pair = PhotoPair(name: name, flash: flash, ambients: [ambient] + more, source: .manifest)
    self.init([pair], unpaired: [], isLinear: isLinear, repeats: true)
  }

  /// The pairs in a folder and those in it, each given once, in the order of their names.
  ///
  /// - Parameter finder: tells which files belong together.
  /// - Throws: ``CaptureError/framesFailed(_:)`` for a folder that cannot be read or holds no pair.
  public convenience init(
    folder: String, finder: PairFinder = PairFinder(), isLinear: Bool = false
  ) throws(CaptureError) {
    let found: PairFinder.Result
    do {
      let listing = try SeriesFolder.list(folder)
      found = finder.find(listing.files.map { SeriesFrame($0.path, name: $0.name) })
    } catch { throw .framesFailed("\(error)") }
    guard !found.pairs.isEmpty else {
      let reason = found.unpaired.first.map { " (\($0.path): \($0.reason))" } ?? ""
      throw .framesFailed("\(folder): holds no pair of a photograph with flash and one without\(reason)")
    }
    self.init(found.pairs, unpaired: found.unpaired, isLinear: isLinear, repeats: false)
  }

  /// Pairs that are known already, each given once.
  public convenience init(_ pairs: [PhotoPair], isLinear: Bool = false) {
    self.init(pairs, unpaired: [], isLinear: isLinear, repeats: false)
  }

  private init(_ pairs: [PhotoPair], unpaired: [UnpairedFile], isLinear: Bool, repeats: Bool) {
    (self.pairs, self.unpaired, self.isLinear, self.repeats) = (pairs, unpaired, isLinear, repeats)
  }

  /// How many captures there still are; nil where they do not end.
  public var remaining: Int? { repeats ? nil : next.withLock { pairs.count - $0 } }

  /// The next pair.
  public func frames(for request: FrameRequest) async throws -> CapturedFrames {
    let pair = next.withLock { next -> PhotoPair? in
      let index = repeats ? 0 : next
      guard pairs.indices.contains(index) else { return nil }
      next = index + 1
      return pairs[index]
    }
    guard let pair else { throw CaptureError.noMoreFrames }
    return CapturedFrames(
      name: pair.name, flash: request.needsFlash ? pair.flash : nil,
      ambients: request.needsAmbient ? pair.ambients : [], isLinear: isLinear)
  }

  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = fileExtension(name)
    return ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
  }
}

extension CaptureDevice {
  /// A device of which the captures are files.
  public convenience init(files: PairFiles, calibrationProfile: String? = nil) {
    self.init(
      name: files.pairs.count == 1 ? files.pairs[0].name : "\(files.pairs.count) pairs of files", source: files,
      calibrationProfile: calibrationProfile)
  }
}
