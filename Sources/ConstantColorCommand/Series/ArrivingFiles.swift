import Photo

/// The photographs of a folder as they arrive: those that are whole.
struct ArrivingFiles {
  /// How long a file must have stayed as it is, and how long a damaged one is waited for.
  let settle, patience: Duration
  /// Whether some files are waited for.
  private(set) var isWaiting = false

  private struct Known {
    var identity: FileIdentity
    var since: ContinuousClock.Instant
    var frame: SeriesFrame?
  }
  private var known: [String: Known] = [:]

  init(settle: Duration, patience: Duration) { (self.settle, self.patience) = (settle, patience) }

  /// The whole ones among the files that there are now.
  ///
  /// - Parameter writing: files that somebody is writing.
  mutating func frames(_ files: [SeriesFolder.Entry], writing: Set<String>) -> [SeriesFrame] {
    let now = ContinuousClock.now
    var current: [String: Known] = [:]
    var frames: [SeriesFrame] = []
    isWaiting = false
    for entry in files {
      let identity = FileIdentity(entry.path)
      var file = known[entry.path] ?? Known(identity: identity, since: now)
      if file.identity != identity { file = Known(identity: identity, since: now) }
      let age = now - file.since
      if file.frame == nil, !writing.contains(entry.path), age >= settle {
        let frame = SeriesFrame(entry.path, name: entry.name)
        // A copy that pauses leaves half a file for a while.
        if frame.problem == nil || age >= patience { file.frame = frame }
      }
      if let frame = file.frame { frames.append(frame) } else { isWaiting = true }
      current[entry.path] = file
    }
    known = current
    return frames
  }
}
