/// The planes of one tile: floats of one kind side by side, so that eight neighbours fill a vector.
///
/// Rows are padded to whole vectors, and a vector may be loaded at any place of the tile: what lies beyond a
/// row is read, never used. One object serves many tiles: values of the tile before are left in it.
final class Planes {
  private(set) var width = 0
  private(set) var height = 0
  /// Floats from one row to the next.
  private(set) var stride = 0
  /// Floats from one plane to the next.
  private(set) var size = 0
  private var lead = 0
  private let reach: Int
  private let storage: UnsafeMutablePointer<Float>

  /// Planes for tiles of at most this size, zero at first. `reach`: how far a filter looks beyond the place it computes.
  init(count: Int, width: Int, height: Int, reach: Int) {
    self.reach = reach
    let total = Self.stride(width) * height * count + 2 * Self.lead(width, reach)
    storage = .allocate(capacity: total)
    storage.initialize(repeating: 0, count: total)
    shape(width: width, height: height)
  }

  /// Arranges the planes for a tile, not larger than at first.
  func shape(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = Self.stride(width)
    size = stride * height
    lead = Self.lead(width, reach)
  }

  private static func stride(_ width: Int) -> Int { (width + 7) / 8 * 8 + 8 }
  private static func lead(_ width: Int, _ reach: Int) -> Int { reach * stride(width) + reach + 8 }

  deinit { storage.deallocate() }

  /// The first float of a plane.
  subscript(plane: Int) -> UnsafeMutablePointer<Float> { storage + lead + plane * size }
}
