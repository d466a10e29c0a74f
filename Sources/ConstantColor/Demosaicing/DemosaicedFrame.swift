import Raster

/// The picture of a sensor with a colour filter array: camera RGB in linear light, computed where it is read.
///
/// Values are (raw − black) / (white − black): 0 is black, 1 is clipping, and noise around black keeps its sign. There is no
/// white balance. The filters are linear: twice the light gives exactly twice the values, and two frames may be subtracted
/// before or after.
///
/// A channel is 1 or more exactly where a clipped sample of that colour stands in the 3 × 3 samples around the pixel. Alpha
/// is 1. The top left pixel is (0, 0).
public struct DemosaicedFrame: PixelSource, Sendable {
  /// The samples.
  public let mosaic: Mosaic
  /// Where there are pixels; empty where there are too few samples to have all colours.
  public let bounds: Rectangle
  private let filter: Filter
  /// How the noise of samples becomes noise of the picture: the variance of red, green and blue (the outer index), averaged
  /// over the array, is the sum of the variances of red, green and blue samples, each times its factor.
  ///
  /// About 0.53, 1.04 and 0.61 for equal variances and a neutral of 0.47, 1, 0.58: the estimates are also means.
  public let varianceFactors: [SIMD3<Double>]
  /// How much more variance the mean over many pixels has than if the noise of neighbours were independent, for each
  /// channel, with shot noise under the frame's neutral: a mean holds no more than the samples that there are.
  public let noiseCorrelation: SIMD3<Double>

  private enum Filter {
    case bayer(BayerFilter)
    case periodic(PeriodicFilter)
  }

  /// The picture of a mosaic.
  ///
  /// - Parameter neutral: how white looks to the sensor in the light of the frame, as far as the file says. Values do not
  ///   change by it, only what edges of one colour tell of the others.
  public init(_ mosaic: Mosaic, neutral: SIMD3<Double> = SIMD3(repeating: 1)) {
    self.mosaic = mosaic
    let isPlausible = neutral.min() > 0.02 && neutral.max() < 50
    let neutral = isPlausible ? neutral : SIMD3(repeating: 1)
    let weights = DemosaicWeights(mosaic.pattern, neutral: neutral)
    let factors = weights.varianceFactors
    varianceFactors = factors
    noiseCorrelation = neutral / (mosaic.pattern.shares * SIMD3((0..<3).map { (factors[$0] * neutral).sum() }))
    filter = mosaic.pattern.isBayer ? .bayer(BayerFilter(weights)) : .periodic(PeriodicFilter(weights))
    bounds =
      mosaic.isComplete
      ? Rectangle(width: mosaic.visible.width, height: mosaic.visible.height) : Rectangle(width: 0, height: 0)
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readInside(rectangle, into: destination) { area, target, stride in
      let rows = MosaicRows(mosaic, reach: DemosaicWeights.reach)
      for first in Swift.stride(from: area.x, to: area.maxX, by: MosaicRows.columns) {
        let count = min(MosaicRows.columns, area.maxX - first)
        let part = Rectangle(x: first, y: area.y, width: count, height: area.height)
        demosaic(part, rows, into: target + 4 * (first - area.x), stride: stride)
      }
    }
  }

  /// Computes pixels inside the bounds; `target` is the first one's place, rows are `stride` floats apart.
  private func demosaic(
    _ area: Rectangle, _ rows: MosaicRows, into target: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let left = area.x + mosaic.visible.x
    rows.begin(first: left, count: area.width)
    // Vectors of eight may run over the end of a row: the last ones take a way round.
    let whole = area.width / 8 * 8
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 32) { tail in
      guard let tail = tail.baseAddress else { return }
      for row in 0..<area.height {
        let y = area.y + row + mosaic.visible.y
        let lines = BayerFilter.Rows(
          above2: rows.row(y - 2), above: rows.row(y - 1), here: rows.row(y), below: rows.row(y + 1),
          below2: rows.row(y + 2))
        let output = target + row * stride
        apply(lines, x: left, y: y, rows.hasClipping, whole, output)
        guard whole < area.width else { continue }
        apply(lines.advanced(by: whole), x: left + whole, y: y, rows.hasClipping, 8, tail)
        (output + 4 * whole).update(from: tail, count: 4 * (area.width - whole))
      }
    }
  }

  @inline(never)
  private func apply(
    _ rows: BayerFilter.Rows, x: Int, y: Int, _ hasClipping: Bool, _ count: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    switch filter {
    case .bayer(let filter):
      let (color, next) = (mosaic.pattern[x, y], mosaic.pattern[x + 1, y])
      let (isRed, isGreen) = (color == 0 || next == 0, color == 1)
      if hasClipping {
        filter.apply(rows, isRed: isRed, isGreen: isGreen, hasClipping: true, count: count, into: output)
      } else {
        filter.apply(rows, isRed: isRed, isGreen: isGreen, hasClipping: false, count: count, into: output)
      }
    case .periodic(let filter):
      filter.apply(rows, x: x, y: y, hasClipping: hasClipping, count: count, into: output)
    }
  }
}

extension BayerFilter.Rows {
  func advanced(by count: Int) -> Self {
    Self(
      above2: above2 + count, above: above + count, here: here + count, below: below + count, below2: below2 + count)
  }
}

extension PixelSource {
  /// Reads for a source that computes only inside its bounds: what lies outside repeats the nearest pixel.
  ///
  /// - Parameter compute: computes pixels of an area inside the bounds, that is not empty, into memory whose rows are so
  ///   many floats apart.
  func readInside(
    _ rectangle: Rectangle, into destination: MutablePixels,
    _ compute: (_ area: Rectangle, _ target: UnsafeMutablePointer<Float>, _ stride: Int) -> Void
  ) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    guard !bounds.isEmpty else {
      for index in 0..<rectangle.count { destination[index] = .zero }
      return
    }
    // The nearest pixels of a rectangle beside the picture: a row, a column or a corner of it.
    let left = min(max(rectangle.x, bounds.x), bounds.maxX - 1)
    let top = min(max(rectangle.y, bounds.y), bounds.maxY - 1)
    let area = Rectangle(
      x: left, y: top, width: max(1, min(rectangle.maxX, bounds.maxX) - left),
      height: max(1, min(rectangle.maxY, bounds.maxY) - top))
    let column = min(max(area.x - rectangle.x, 0), rectangle.width - 1)
    let row = min(max(area.y - rectangle.y, 0), rectangle.height - 1)
    destination.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let floats = base.assumingMemoryBound(to: Float.self)
      compute(area, floats + 4 * (row * rectangle.width + column), 4 * rectangle.width)
    }
    if area == rectangle { return }
    for y in row..<row + area.height {
      let line = destination.suffix(from: y * rectangle.width, count: rectangle.width)
      for x in 0..<column { line[x] = line[column] }
      for x in column + area.width..<max(column + area.width, rectangle.width) {
        line[x] = line[column + area.width - 1]
      }
    }
    for y in 0..<rectangle.height where y < row || y >= row + area.height {
      let source = destination.suffix(
        from: (y < row ? row : row + area.height - 1) * rectangle.width, count: rectangle.width)
      let line = destination.suffix(from: y * rectangle.width, count: rectangle.width)
      for x in 0..<rectangle.width { line[x] = source[x] }
    }
  }
}
