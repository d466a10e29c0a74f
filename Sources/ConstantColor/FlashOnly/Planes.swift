/// The planes of one tile: floats of one kind side by side, so that eight neighbours fill a vector.
///
/// Rows are padded to whole vectors, and a vector may be loaded at any place of the tile: what lies beyond a
/// row is read, never used.
final class Planes {
  typealias Vector = SIMD8<Float>

  let width: Int
  let height: Int
  /// Floats from one row to the next.
  let stride: Int
  private let size: Int
  private let storage: UnsafeMutablePointer<Float>
  private let total: Int

  /// Planes of zeros. `reach`: how far a filter looks beyond the place it computes.
  init(count: Int, width: Int, height: Int, reach: Int) {
    self.width = width
    self.height = height
    stride = (width + 7) / 8 * 8 + 8
    size = stride * height
    lead = reach * stride + reach + 8
    total = size * count + 2 * lead
    storage = .allocate(capacity: total)
    storage.initialize(repeating: 0, count: total)
  }

  private let lead: Int

  deinit { storage.deallocate() }

  /// The first float of a plane.
  subscript(plane: Int) -> UnsafeMutablePointer<Float> { storage + lead + plane * size }

  /// Eight floats at any address.
  @inline(__always) static func load(_ address: UnsafeMutablePointer<Float>) -> Vector {
    UnsafeRawPointer(address).loadUnaligned(as: Vector.self)
  }

  /// Stores eight floats at any address.
  @inline(__always) static func store(_ vector: Vector, _ address: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(address).assumingMemoryBound(to: UnalignedVector.self).pointee = UnalignedVector(vector)
  }

  /// Eight floats with the alignment of one.
  private struct UnalignedVector {
    var lanes: (Float, Float, Float, Float, Float, Float, Float, Float)
    @inline(__always) init(_ v: Vector) { lanes = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]) }
  }
}
