import Raster

/// The picture of a sensor, or of a RAW file, that has all three colours at every pixel: camera RGB in linear light.
///
/// Values are (raw − black) / (white − black), as those of ``DemosaicedFrame``. A channel is 1 or more exactly where its
/// sample is clipped. Alpha is 1. The top left pixel is (0, 0).
public struct LinearFrame: PixelSource, Sendable {
  /// The samples; of four channels the last one is not looked at.
  public let samples: SensorSamples
  /// Which samples are picture.
  public let visible: Rectangle
  /// Where there are pixels.
  public let bounds: Rectangle
  private let levels: [SampleLevels]

  /// The picture of samples with three or four channels.
  ///
  /// - Parameters:
  ///   - levels: of red, green and blue; the white level of its own colour counts in each. Fewer: the last one serves the rest.
  ///   - visible: limited to the samples; by default all of them.
  public init(_ samples: SensorSamples, levels: [SampleLevels], visible: Rectangle? = nil) {
    self.samples = samples
    let all = Rectangle(width: samples.width, height: samples.height)
    let visible = visible.map { all.intersection($0) } ?? all
    self.visible = visible
    bounds =
      samples.channels >= 3
      ? Rectangle(width: visible.width, height: visible.height) : Rectangle(width: 0, height: 0)
    let last = levels.last ?? SampleLevels(black: 0, white: 1)
    self.levels = (0..<3).map { $0 < levels.count ? levels[$0] : last }
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readInside(rectangle, into: destination) { area, target, stride in
      for row in 0..<area.height {
        let y = area.y + row + visible.y
        let line = samples.base + y * samples.rowBytes
        for color in 0..<3 {
          let output = target + row * stride + color
          let first = area.x + visible.x
          switch samples.kind {
          case .uint16:
            let source = line.assumingMemoryBound(to: UInt16.self) + color
            convert(first, y, color, area.width, output) { Float(source[$0]) }
          case .float:
            let source = line.assumingMemoryBound(to: Float.self) + color
            convert(first, y, color, area.width, output) { source[$0] }
          }
        }
        for x in 0..<area.width { target[row * stride + 4 * x + 3] = 1 }
      }
    }
  }

  @inline(__always)
  private func convert(
    _ first: Int, _ y: Int, _ color: Int, _ count: Int, _ output: UnsafeMutablePointer<Float>, _ sample: (Int) -> Float
  ) {
    let levels = levels[color]
    let white = levels.white[color]
    let isUniform = levels.columns == 1 && levels.columnBlack.isEmpty
    var (black, range) = (levels.black(x: first, y: y), levels.range(x: first, y: y, color: color))
    for x in 0..<count {
      if !isUniform {
        black = levels.black(x: first + x, y: y)
        range = levels.range(x: first + x, y: y, color: color)
      }
      let raw = sample((first + x) * samples.channels)
      let value = (raw - black) / range
      let below = value < MosaicRows.belowClipping ? value : MosaicRows.belowClipping
      let above = value > 1 ? value : 1
      output[4 * x] = raw >= white ? above : raw * 0 == 0 ? below : 0
    }
  }
}
