/// How a stored picture is turned to be upright: EXIF tag 274.
public enum Orientation: UInt16, Sendable, CaseIterable {
  /// As stored.
  case upright = 1
  /// Mirrored left to right.
  case mirrored
  /// Turned by half a turn.
  case halfTurn
  /// Mirrored top to bottom.
  case flipped
  /// Mirrored at the falling diagonal.
  case transposed
  /// To be turned a quarter clockwise.
  case clockwise
  /// Mirrored at the rising diagonal.
  case transversed
  /// To be turned a quarter counter-clockwise.
  case counterclockwise

  /// The orientation of a tag's value; 0 and values above 8, which occur, mean upright.
  public init(tag: Int?) {
    self = tag.flatMap { UInt16(exactly: $0) }.flatMap { Orientation(rawValue: $0) } ?? .upright
  }

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= 5 }

  /// Where the pixel (x, y) of the upright picture stands in a stored picture of the given size.
  public func stored(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .halfTurn: (width - 1 - x, height - 1 - y)
    case .flipped: (x, height - 1 - y)
    case .transposed: (y, x)
    case .clockwise: (y, height - 1 - x)
    case .transversed: (width - 1 - y, height - 1 - x)
    case .counterclockwise: (width - 1 - y, x)
    }
  }

  /// The direction in the stored picture of a direction in the upright one.
  public func storedDirection(_ upright: SIMD2<Double>) -> SIMD2<Double> {
    let (x, y) = (upright.x, upright.y)
    return switch self {
    case .upright: SIMD2(x, y)
    case .mirrored: SIMD2(-x, y)
    case .halfTurn: SIMD2(-x, -y)
    case .flipped: SIMD2(x, -y)
    case .transposed: SIMD2(y, x)
    case .clockwise: SIMD2(y, -x)
    case .transversed: SIMD2(-y, -x)
    case .counterclockwise: SIMD2(-y, x)
    }
  }

  /// Where a point of a stored picture of the given size is in the upright one; the inverse of
  /// ``stored(x:y:width:height:)``.
  public func uprightPlace(ofStored stored: SIMD2<Double>, width: Int, height: Int) -> SIMD2<Double> {
    let (x, y) = (stored.x, stored.y)
    let (right, bottom) = (Double(width) - 1, Double(height) - 1)
    return switch self {
    case .upright: SIMD2(x, y)
    case .mirrored: SIMD2(right - x, y)
    case .halfTurn: SIMD2(right - x, bottom - y)
    case .flipped: SIMD2(x, bottom - y)
    case .transposed: SIMD2(y, x)
    case .clockwise: SIMD2(bottom - y, x)
    case .transversed: SIMD2(bottom - y, right - x)
    case .counterclockwise: SIMD2(y, right - x)
    }
  }
}

/// A stored picture, turned upright while it is read.
public struct UprightSource: PixelSource {
  private let stored: any PixelSource
  private let orientation: Orientation
  /// Where there are pixels; the top left one is (0, 0).
  public let bounds: Rectangle

  /// A view of a stored picture.
  public init(_ stored: any PixelSource, _ orientation: Orientation) {
    self.stored = stored
    self.orientation = orientation
    let size = stored.bounds
    bounds =
      orientation.swapsSides
      ? Rectangle(width: size.height, height: size.width) : Rectangle(width: size.width, height: size.height)
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    let box = stored.bounds
    func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
      orientation.stored(x: x, y: y, width: box.width, height: box.height)
    }
    let corner = place(rectangle.x, rectangle.y)
    let opposite = place(rectangle.maxX - 1, rectangle.maxY - 1)
    let source = Rectangle(
      x: min(corner.x, opposite.x) + box.x, y: min(corner.y, opposite.y) + box.y,
      width: abs(corner.x - opposite.x) + 1, height: abs(corner.y - opposite.y) + 1)
    if orientation == .upright { return stored.read(source, into: destination) }
    let image = stored.image(source)
    image.withPixels { pixels in
      let next = place(rectangle.x + 1, rectangle.y)
      // Along a row of the result the stored place moves by a constant step.
      let step = (next.y - corner.y) * source.width + next.x - corner.x
      for row in 0..<rectangle.height {
        let start = place(rectangle.x, rectangle.y + row)
        var from = (start.y + box.y - source.y) * source.width + start.x + box.x - source.x
        for x in row * rectangle.width..<(row + 1) * rectangle.width {
          destination[x] = pixels[from]
          from += step
        }
      }
    }
  }
}
