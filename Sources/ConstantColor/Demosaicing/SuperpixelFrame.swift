import Raster

/// The picture of a sensor with a colour filter array, made smaller: each pixel is the mean of a square of samples that has
/// all colours. For previews: nothing is interpolated, and it takes a fraction of the time.
///
/// Values are as in ``DemosaicedFrame``. A channel is 1 or more exactly where a sample of that colour in the square is
/// clipped. Rows and columns that make no whole square are left out. The top left pixel is (0, 0).
public struct SuperpixelFrame: PixelSource, Sendable {
  /// The samples.
  public let mosaic: Mosaic
  /// The side of a square: 2 for Bayer's array, 3 for X-Trans.
  public let side: Int
  /// Where there are pixels.
  public let bounds: Rectangle

  /// The small picture of a mosaic.
  public init(_ mosaic: Mosaic) {
    self.mosaic = mosaic
    let pattern = mosaic.pattern.shifted(x: mosaic.visible.x, y: mosaic.visible.y)
    side = Self.side(of: pattern)
    bounds =
      mosaic.isComplete
      ? Rectangle(width: mosaic.visible.width / side, height: mosaic.visible.height / side)
      : Rectangle(width: 0, height: 0)
  }

  /// The side of the smallest square that has all colours wherever it stands on a grid of its own size.
  public static func side(of pattern: CFAPattern) -> Int {
    let largest = max(pattern.columns, pattern.rows)
    return (2...max(2, largest)).first { side in
      (0..<pattern.columns * pattern.rows).allSatisfy { square in
        let (x, y) = (square % pattern.columns * side, square / pattern.columns * side)
        return Set((0..<side * side).map { pattern[x + $0 % side, y + $0 / side] }).count == 3
      }
    } ?? largest
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readInside(rectangle, into: destination) { area, target, stride in
      let rows = MosaicRows(mosaic, reach: 0)
      let most = MosaicRows.columns / side
      // Sums and peaks of three colours.
      let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 6 * most)
      defer { memory.deallocate() }
      for first in Swift.stride(from: 0, to: area.width, by: most) {
        let count = min(most, area.width - first)
        let left = (area.x + first) * side + mosaic.visible.x
        rows.begin(first: left, count: count * side)
        for row in 0..<area.height {
          memory.initialize(repeating: 0)
          let top = (area.y + row) * side + mosaic.visible.y
          for y in top..<top + side { add(rows.row(y), left, y, count, to: memory) }
          finish(memory, left, top, count, into: target + row * stride + 4 * first)
        }
      }
    }
  }

  /// Adds a row of samples to the sums.
  private func add(
    _ line: UnsafePointer<Float>, _ left: Int, _ y: Int, _ count: Int, to memory: UnsafeMutableBufferPointer<Float>
  ) {
    let most = memory.count / 6
    let colors = (0..<mosaic.pattern.columns).map { mosaic.pattern[left + $0, y] * most }
    var phase = 0
    for pixel in 0..<count {
      for dx in 0..<side {
        let value = line[pixel * side + dx]
        let place = colors[phase] + pixel
        memory[place] += value
        if value >= 1 { memory[3 * most + place] = 1 }
        phase = phase + 1 == colors.count ? 0 : phase + 1
      }
    }
  }

  private func finish(
    _ memory: UnsafeMutableBufferPointer<Float>, _ left: Int, _ top: Int, _ count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let most = memory.count / 6
    for pixel in 0..<count {
      for color in 0..<3 {
        let place = color * most + pixel
        let mean = memory[place] / samples(of: color, left + pixel * side, top)
        output[4 * pixel + color] = memory[3 * most + place] > 0 ? 1 : min(mean, MosaicRows.belowClipping)
      }
      output[4 * pixel + 3] = 1
    }
  }

  private func samples(of color: Int, _ x: Int, _ y: Int) -> Float {
    // In Bayer's array the squares are alike.
    if side == 2, mosaic.pattern.isBayer { return color == 1 ? 2 : 1 }
    return Float((0..<side * side).count { mosaic.pattern[x + $0 % side, y + $0 / side] == color })
  }
}

/// A picture at half its size: the mean of four pixels each. A channel is 1 or more exactly where one of them is.
public struct HalvedSource: PixelSource {
  private let source: any PixelSource
  /// Where there are pixels; an odd row or column at the end is left out.
  public let bounds: Rectangle

  /// The small picture of a picture whose top left pixel is (0, 0).
  public init(_ source: any PixelSource) {
    self.source = source
    bounds = Rectangle(width: source.bounds.width / 2, height: source.bounds.height / 2)
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readInside(rectangle, into: destination) { area, target, stride in
      let pixels = source.image(
        Rectangle(x: 2 * area.x, y: 2 * area.y, width: 2 * area.width, height: 2 * area.height))
      pixels.withPixels { pixels in
        for y in 0..<area.height {
          for x in 0..<area.width {
            let first = 4 * area.width * y + 2 * x
            let (a, b) = (pixels[first], pixels[first + 1])
            let (c, d) = (pixels[first + 2 * area.width], pixels[first + 2 * area.width + 1])
            let mean = (a + b + (c + d)) * 0.25
            let isClipped = (a .>= 1) .| (b .>= 1) .| (c .>= 1) .| (d .>= 1)
            let below = mean.replacing(with: MosaicRows.belowClipping, where: mean .> MosaicRows.belowClipping)
            var result = below.replacing(with: 1, where: isClipped)
            result.w = mean.w
            let output = target + y * stride + 4 * x
            for channel in 0..<4 { output[channel] = result[channel] }
          }
        }
      }
    }
  }
}
