/// A picture that is read in pieces, so that no step needs a whole frame in memory.
///
/// Reading is safe from several threads at once.
public protocol PixelSource {
  /// Where the picture has pixels.
  var bounds: Rectangle { get }

  /// Writes the pixels of `rectangle`, row after row, into `destination`, which holds exactly
  /// `rectangle.count` pixels. Outside `bounds` the nearest pixel of the picture is repeated;
  /// a picture without pixels gives zeros.
  func read(_ rectangle: Rectangle, into destination: MutablePixels)
}

extension PixelSource {
  /// The pixels of `rectangle` as a picture of its own.
  public func image(_ rectangle: Rectangle) -> Image {
    Image(rectangle) { read(rectangle, into: $0) }
  }
}

/// A picture in memory: small frames, pyramid levels, bands, and tests.
public struct Image: PixelSource, Sendable {
  /// Where the picture has pixels.
  public let bounds: Rectangle
  /// Its pixels, row after row.
  public var pixels: [Pixel]

  /// A picture of transparent black.
  public init(_ bounds: Rectangle) {
    self.bounds = bounds
    pixels = [Pixel](repeating: .zero, count: bounds.count)
  }

  /// A picture that `write` gives all pixels of, row after row; what they were before is not defined.
  init(_ bounds: Rectangle, write: (MutablePixels) -> Void) {
    self.bounds = bounds
    pixels = [Pixel](unsafeUninitializedCapacity: bounds.count) { memory, count in
      count = bounds.count
      write(MutablePixels(memory.baseAddress, count: count))
    }
  }

  /// A picture computed from each pixel's place (x, y).
  public init(_ bounds: Rectangle, _ pixel: (Int, Int) -> Pixel) {
    self.bounds = bounds
    pixels = []
    pixels.reserveCapacity(bounds.count)
    for y in bounds.y..<bounds.maxY {
      for x in bounds.x..<bounds.maxX { pixels.append(pixel(x, y)) }
    }
  }

  /// The pixel at a place; outside the picture the nearest one, or zero in an empty picture.
  @inlinable public subscript(x: Int, y: Int) -> Pixel {
    guard !bounds.isEmpty else { return .zero }
    let column = min(max(x, bounds.x), bounds.maxX - 1) - bounds.x
    let row = min(max(y, bounds.y), bounds.maxY - 1) - bounds.y
    return pixels[row * bounds.width + column]
  }

  /// Runs `body` on the pixels, to read.
  @inlinable public func withPixels<Result>(_ body: (Pixels) throws -> Result) rethrows -> Result {
    try pixels.withUnsafeBytes { try body(Pixels($0.baseAddress, count: bounds.count)) }
  }

  /// Runs `body` on the pixels, to read and write.
  @inlinable public mutating func withMutablePixels<Result>(_ body: (MutablePixels) throws -> Result) rethrows -> Result
  {
    let count = bounds.count
    return try pixels.withUnsafeMutableBytes { try body(MutablePixels($0.baseAddress, count: count)) }
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    guard !bounds.isEmpty else {
      for index in 0..<rectangle.count { destination[index] = .zero }
      return
    }
    // Columns inside the picture are copied; those beside it repeat its edge.
    let first = min(max(bounds.x - rectangle.x, 0), rectangle.width)
    let last = max(min(bounds.maxX - rectangle.x, rectangle.width), first)
    withPixels { pixels in
      for row in 0..<rectangle.height {
        let y = min(max(rectangle.y + row, bounds.y), bounds.maxY - 1) - bounds.y
        let line = destination.suffix(from: row * rectangle.width, count: rectangle.width)
        let source = pixels.suffix(from: y * bounds.width, count: bounds.width)
        for x in 0..<first { line[x] = source[rectangle.x + x < bounds.x ? 0 : bounds.width - 1] }
        for x in first..<last { line[x] = source[rectangle.x + x - bounds.x] }
        for x in last..<rectangle.width { line[x] = source[rectangle.x + x < bounds.x ? 0 : bounds.width - 1] }
      }
    }
  }
}
