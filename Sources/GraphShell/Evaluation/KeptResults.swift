import GEGL

/// Whole results that were computed lately, so that looking again costs nothing. A result is known by the statements and files
/// that it came from: undo finds it again, and a change anywhere before it does not.
struct KeptResults {
  /// What a result depends on.
  struct Key: Equatable {
    var definitions: [NodeDefinition]
    var stamps: [FileStamp?]
    /// Whether it is what is measured, before colours were brought into the output space.
    var isUnbounded = false
  }

  private struct Entry {
    var key: Key
    var buffer: Buffer
  }

  private var entries: [Entry] = []
  /// What may be kept in all, at 16 bytes a pixel: two pictures of 24 megapixels, or many small ones.
  private static let mostPixels = 48 << 20

  /// A result; nil where it is not kept.
  mutating func buffer(_ key: Key) -> Buffer? {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
    let entry = entries.remove(at: index)
    entries.append(entry)
    return entry.buffer
  }

  /// Whether a result is kept.
  func contains(_ key: Key) -> Bool { entries.contains { $0.key == key } }

  /// Keeps a result, and forgets the oldest ones where there are too many.
  mutating func keep(_ buffer: Buffer, _ key: Key) {
    guard buffer.extent.count <= Self.mostPixels else { return }
    entries.removeAll { $0.key == key }
    entries.append(Entry(key: key, buffer: buffer))
    while entries.count > 1, entries.reduce(0, { $0 + $1.buffer.extent.count }) > Self.mostPixels || entries.count > 16
    {
      entries.removeFirst()
    }
  }

  /// Forgets everything.
  mutating func clear() { entries = [] }
}
