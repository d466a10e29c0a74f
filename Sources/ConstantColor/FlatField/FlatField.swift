import Glibc
import Raster

/// How a flash lights a flat surface before the camera, and what the lens leaves of it: the light at each place of the frame
/// relative to its middle, channel by channel.
///
/// The logarithm of the light is a polynomial of the place, since light of a small source, its reflector and a lens all fall off
/// smoothly. Places are those of the frame as the sensor has it, from its middle in units of half its longer side: the same for
/// all sizes of the same field of view, and however the camera was held.
///
/// It holds for a flat surface that faces the camera at about the distance at which it was measured, at the same focal length.
public struct FlatField: Equatable, Sendable {
  /// The highest order of the polynomials.
  public static let degree = 6
  /// How many coefficients a channel has: those of all terms but the constant, x, y, x², xy, y² and so on.
  public static let termCount = SmoothSurface.termCount(degree) - 1
  /// The least and the greatest light that a flat field may tell, relative to the middle's.
  public static let range = 0.02...8.0

  /// For red, green and blue ``termCount`` numbers each.
  public let coefficients: [[Double]]
  /// How far the frame reaches from its middle, in x and y: 1 along its longer side. Beyond, the light is that of its border.
  public let extent: SIMD2<Double>

  /// A flat field from its parts; nil where they are none, or tell light outside of ``range``.
  public init?(coefficients: [[Double]], extent: SIMD2<Double>) {
    guard coefficients.count == 3, coefficients.allSatisfy({ $0.count == Self.termCount && $0.allSatisfy(\.isFinite) }),
      extent.min() >= 0.1, extent.max() == 1
    else { return nil }
    (self.coefficients, self.extent) = (coefficients, extent)
    for y in -8...8 {
      for x in -8...8 {
        let light = light(at: SIMD2(Double(x), Double(y)) / 8 * extent)
        guard light.min() >= Self.range.lowerBound, light.max() <= Self.range.upperBound else { return nil }
      }
    }
  }

  /// The light at a place of the frame as the sensor has it, relative to the middle's.
  public func light(at place: SIMD2<Double>) -> SIMD3<Double> {
    let inside = SIMD2(
      min(max(place.x, -extent.x), extent.x), min(max(place.y, -extent.y), extent.y))
    let terms = SmoothSurface.terms(inside, Self.degree)
    func channel(_ index: Int) -> Double {
      exp(zip(coefficients[index], terms.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 })
    }
    return SIMD3(channel(0), channel(1), channel(2))
  }

  /// The place in the frame as the sensor has it of a pixel of the upright picture (centres at whole numbers).
  ///
  /// - Parameters:
  ///   - size: of the upright picture.
  ///   - orientation: how the stored frame is turned to be upright.
  public static func place(
    ofUpright pixel: SIMD2<Double>, width: Int, height: Int, orientation: Orientation
  ) -> SIMD2<Double> {
    let middle = SIMD2(Double(width - 1), Double(height - 1)) / 2
    return orientation.storedDirection((pixel - middle) / (Double(max(width, height, 2)) / 2))
  }
}

/// The division of a picture by a ``FlatField``, on a grid that is fine enough for so smooth a thing.
public struct FlatFieldCorrection: Sendable {
  private let box: Rectangle
  private let columns, rows: Int
  private let step: SIMD2<Float>
  private let gains: [SIMD4<Float>]

  /// Cells along either side.
  private static let cells = 96

  /// The correction of an upright picture.
  ///
  /// - Parameters:
  ///   - box: where it is; nothing is done where that is empty.
  ///   - orientation: how the stored frame is turned to be upright.
  public init(_ field: FlatField, box: Rectangle, orientation: Orientation) {
    self.box = box
    (columns, rows) = (Self.cells + 1, Self.cells + 1)
    let size = SIMD2(Double(max(box.width - 1, 1)), Double(max(box.height - 1, 1)))
    step = SIMD2<Float>(size / Double(Self.cells))
    let columns = columns
    gains = (0..<columns * rows).map { index in
      let node = SIMD2(Double(index % columns), Double(index / columns)) / Double(Self.cells) * size
      let place = FlatField.place(ofUpright: node, width: box.width, height: box.height, orientation: orientation)
      return SIMD4(SIMD3<Float>(1 / field.light(at: place)), 1)
    }
  }

  /// Divides pixels that lie in an area, row after row; alpha stays.
  public func process(_ input: Pixels, into output: MutablePixels, area: Rectangle) {
    guard area.width > 0 else { return }
    let places = (0..<area.width).map { position(area.x - box.x + $0, step.x, columns) }
    // Where the next cell begins: within one only the place changes.
    let starts = places.indices.filter { $0 == 0 || places[$0].index != places[$0 - 1].index }
    let parts = places.map(\.part)
    parts.withUnsafeBufferPointer { parts in
      for row in 0..<min(area.height, output.count / area.width) {
        let y = position(area.y - box.y + row, step.y, rows)
        for (start, end) in zip(starts, starts.dropFirst() + [area.width]) {
          let above = y.index * columns + places[start].index
          let (upper, lower) = (gains[above], gains[above + columns])
          let (upperRise, lowerRise) = (gains[above + 1] - upper, gains[above + columns + 1] - lower)
          for column in start..<end {
            let (high, low) = (upper + parts[column] * upperRise, lower + parts[column] * lowerRise)
            let index = row * area.width + column
            output[index] = input[index] * (high + y.part * (low - high))
          }
        }
      }
    }
  }

  /// The cell of a pixel, and the place in it, 0...1.
  @inline(__always)
  private func position(_ pixel: Int, _ step: Float, _ nodes: Int) -> (index: Int, part: Float) {
    let place = min(max(Float(pixel) / step, 0), Float(nodes - 1))
    let index = min(Int(place), nodes - 2)
    return (index, place - Float(index))
  }
}
