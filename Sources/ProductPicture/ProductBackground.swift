import ConstantColor
import Document
import Raster

/// The background of a product: the even, light surface that reaches the picture's borders, and how it is lit.
///
/// What it would be without the product is told by ``PaperWhite``, a smooth surface through what is lightest around. A pixel is
/// background where it is as light and has the colour of that, can be trusted, and leads to the picture's border; between
/// background and product a pixel is as much background as its distance from it says.
public struct ProductBackground: Sendable {
  /// How it is lit.
  public let light: PaperWhite
  /// The part of the picture that it is, 0...1.
  public let fraction: Double
  /// The part of the picture's border that it is, 0...1.
  public let borderFraction: Double
  /// The product without its edge: cells of ``factor`` pixels side by side that are no background, the largest connected area of
  /// them.
  public let product: [Bool]
  /// The grid of ``product``: columns, rows, and pixels of the picture along a cell.
  public let columns, rows, factor: Int

  private let bounds: Rectangle
  /// Cells of the background, and those beside it; and cells with nothing else around.
  private let near, deep: [Bool]
  /// The relative distance from the background up to which a pixel belongs to it.
  private let tolerance: Float

  /// The relative distances that tolerance may have: less is texture, more is shadow.
  private static let tolerances: ClosedRange<Float> = 0.04...0.12
  /// How far around a pixel is looked for the product that it is mixed with.
  private static let reach = 2
  /// How far from what is trusted the background goes on, by the longer side.
  private static let strip = 0.04
  /// Less of the picture is no background.
  private static let leastFraction = 0.08

  /// Finds the background.
  ///
  /// - Parameters:
  ///   - picture: linear sRGB primaries.
  ///   - confidence: 0...1 in the first channel; nil: everything is trusted.
  ///   - threshold: the confidence from which background counts as such.
  ///   - ignoring: places that are neither background nor product, as swatches.
  /// - Returns: nil where there is none, or after a cancellation.
  public static func find(
    in picture: some PixelSource, confidence: (any PixelSource)?, threshold: Float = 0.5, ignoring: [Rectangle] = [],
    execution: Execution = .serial
  ) -> ProductBackground? {
    let small = reduced(picture, clipping: .counted, execution: execution)
    guard small.image.bounds.width >= 8, small.image.bounds.height >= 8,
      let light = PaperWhite.find(in: small, execution: execution)
    else { return nil }
    let trust = confidence.map {
      reduced($0, over: picture.bounds, clipping: .counted, execution: execution).image.pixels.map(\.x)
    }
    guard !execution.cancellation.isCancelled else { return nil }
    return ProductBackground(small, light, trust, threshold, ignoring)
  }

  private init?(
    _ small: Reduction, _ light: PaperWhite, _ trust: [Float]?, _ threshold: Float, _ ignoring: [Rectangle]
  ) {
    self.light = light
    let (columns, rows, factor) = (small.image.bounds.width, small.image.bounds.height, small.factor)
    (self.columns, self.rows, self.factor, bounds) = (columns, rows, factor, small.rectangle)
    let box = small.rectangle
    func place(_ index: Int) -> SIMD2<Double> {
      let cell = SIMD2(Double(index % columns), Double(index / columns))
      return SIMD2(Double(box.x), Double(box.y)) + Double(factor) * (cell + 0.5) - 0.5
    }
    let distances = small.image.pixels.indices.map {
      Self.distance(small.image.pixels[$0].rgb, light.white(at: place($0)))
    }
    let around = distances.filter { $0 < 0.1 }.sorted()
    guard !around.isEmpty else { return nil }
    tolerance = min(max(4 * around[around.count / 2], Self.tolerances.lowerBound), Self.tolerances.upperBound)
    let limit = tolerance
    let candidates = distances.indices.map { index in
      distances[index] < limit && (trust.map { $0.indices.contains(index) && $0[index] >= threshold } ?? true)
    }
    let border = distances.indices.filter { index in
      let (x, y) = (index % columns, index / columns)
      return x == 0 || y == 0 || x == columns - 1 || y == rows - 1
    }
    let trusted = Self.connected(candidates, from: border, columns: columns, rows: rows)
    let background = Self.extended(trusted, distances, limit, columns, rows)
    fraction = Double(background.count { $0 }) / Double(background.count)
    borderFraction = Double(border.count { background[$0] }) / Double(border.count)
    guard fraction >= Self.leastFraction, borderFraction >= 0.25 else { return nil }
    // Two cells in a picture that was not reduced: as far as lenses blur.
    let blur = factor == 1 ? 2 : 1
    near = (0..<blur).reduce(background) { area, _ in Self.grown(area, columns, rows) }
    deep = (0..<blur).reduce(background.map { !$0 }) { area, _ in Self.grown(area, columns, rows) }.map { !$0 }

    var rest = background.map { !$0 }
    for ignored in ignoring {
      for index in rest.indices where rest[index] {
        let centre = place(index)
        rest[index] = !ignored.expanded(by: 3 * factor + 4).contains(x: Int(centre.x), y: Int(centre.y))
      }
    }
    // Its own edge tells more of alignment than of the product.
    let inner = (0..<blur).reduce(rest.map { !$0 }) { area, _ in Self.grown(area, columns, rows) }.map { !$0 }
    product = Self.largest(inner.contains(true) ? inner : rest, columns, rows)
  }

  /// How far a colour is from the background's, relative to it: in the channel in which it is farthest.
  @inline(__always)
  private static func distance(_ rgb: SIMD3<Float>, _ white: SIMD3<Float>) -> Float {
    let ratio = rgb / white - 1
    let distance = max(abs(ratio.x), abs(ratio.y), abs(ratio.z))
    // What is no number is far from everything.
    return (ratio * 0).sum() == 0 ? distance : .greatestFiniteMagnitude
  }

  // MARK: areas

  private static func neighbours(_ index: Int, _ columns: Int, _ rows: Int, _ body: (Int) -> Void) {
    let (x, y) = (index % columns, index / columns)
    if x > 0 { body(index - 1) }
    if x + 1 < columns { body(index + 1) }
    if y > 0 { body(index - columns) }
    if y + 1 < rows { body(index + columns) }
  }

  private static func connected(_ cells: [Bool], from seeds: [Int], columns: Int, rows: Int) -> [Bool] {
    var area = [Bool](repeating: false, count: cells.count)
    var open = seeds.filter { cells[$0] }
    for index in open { area[index] = true }
    while let index = open.popLast() {
      neighbours(index, columns, rows) { next in
        guard cells[next], !area[next] else { return }
        area[next] = true
        open.append(next)
      }
    }
    return area
  }

  /// What looks like the background beside it, although it is not trusted: spots at the product's edge, where alignment is unsure,
  /// and the picture's border, where the ambient frame of a hand that shook shows nothing; there more noise is allowed.
  private static func extended(
    _ trusted: [Bool], _ distances: [Float], _ limit: Float, _ columns: Int, _ rows: Int
  ) -> [Bool] {
    let width = max(2, Int(Self.strip * Double(max(columns, rows))))
    var area = trusted
    var front = trusted.indices.filter { trusted[$0] }
    for _ in 0..<width {
      var next: [Int] = []
      for index in front {
        neighbours(index, columns, rows) { other in
          guard !area[other] else { return }
          let (x, y) = (other % columns, other / columns)
          let isBorder = min(x, y, columns - 1 - x, rows - 1 - y) < width
          guard distances[other] < (isBorder ? 2 * limit : limit) else { return }
          area[other] = true
          next.append(other)
        }
      }
      front = next
    }
    return area
  }

  private static func grown(_ cells: [Bool], _ columns: Int, _ rows: Int) -> [Bool] {
    var result = cells
    for y in 0..<rows {
      for x in 0..<columns where !cells[y * columns + x] {
        for dy in max(y - 1, 0)...min(y + 1, rows - 1) {
          for dx in max(x - 1, 0)...min(x + 1, columns - 1) where cells[dy * columns + dx] {
            result[y * columns + x] = true
          }
        }
      }
    }
    return result
  }

  private static func largest(_ cells: [Bool], _ columns: Int, _ rows: Int) -> [Bool] {
    var (seen, best) = ([Bool](repeating: false, count: cells.count), [Int]())
    for start in cells.indices where cells[start] && !seen[start] {
      var (area, open) = ([Int](), [start])
      seen[start] = true
      while let index = open.popLast() {
        area.append(index)
        neighbours(index, columns, rows) { next in
          guard cells[next], !seen[next] else { return }
          seen[next] = true
          open.append(next)
        }
      }
      if area.count > best.count { best = area }
    }
    var result = [Bool](repeating: false, count: cells.count)
    for index in best { result[index] = true }
    return result
  }

  // MARK: pixels

  /// A pixel of a band.
  struct Matte {
    /// How much of it is background, 0...1.
    var share: Float
    /// The colour of the background there.
    var white: SIMD3<Float>
    /// How far a pixel that is all background is from it, as part of what is tolerated: 0...1.
    var deviation: Float
  }

  /// What of each pixel of a band is background, row after row; and the band with what is around it.
  ///
  /// - Parameter picture: the one that it was found in.
  func mattes(_ band: Rectangle, of picture: some PixelSource) -> (mattes: [Matte], image: Image) {
    let area = band.expanded(by: Self.reach)
    let image = picture.image(area)
    var distances = [Float](repeating: 0, count: area.count)
    for index in 0..<area.count {
      let place = SIMD2(Double(area.x + index % area.width), Double(area.y + index / area.width))
      distances[index] = Self.distance(image.pixels[index].rgb, light.white(at: place))
    }
    var mattes = [Matte](repeating: Matte(share: 0, white: .one, deviation: 1), count: band.count)
    for row in 0..<band.height {
      for column in 0..<band.width {
        guard let cell = cell(band.x + column, band.y + row), near[cell] else { continue }
        let index = (row + Self.reach) * area.width + column + Self.reach
        // Single pixels have more noise than cells; where nothing else is near, they may.
        let limit = deep[cell] ? 3 * tolerance : tolerance
        var share: Float = 1
        if distances[index] > limit {
          var farthest = 2 * limit
          for dy in -Self.reach...Self.reach {
            for dx in -Self.reach...Self.reach { farthest = max(farthest, distances[index + dy * area.width + dx]) }
          }
          share = max(1 - (distances[index] - limit) / (farthest - limit), 0)
        }
        let place = SIMD2(Double(band.x + column), Double(band.y + row))
        mattes[row * band.width + column] = Matte(
          share: share, white: light.white(at: place), deviation: min(distances[index] / limit, 1))
      }
    }
    return (mattes, image)
  }

  private func cell(_ x: Int, _ y: Int) -> Int? {
    let (column, row) = ((x - bounds.x) / factor, (y - bounds.y) / factor)
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return nil }
    return row * columns + column
  }

  static var margin: Int { reach }
}

/// A picture of a product whose background has one colour.
///
/// A pixel that is partly background gets the difference of the two backgrounds in that part: exact whatever the product's
/// colour is, and small where the background was nearly of that colour before, so that a wrong part makes no halo.
public struct WhitenedPicture<Source: PixelSource>: PixelSource {
  private let source: Source
  private let background: ProductBackground
  private let color: SIMD3<Float>

  /// The picture with a background of a colour in linear sRGB primaries.
  public init(_ source: Source, _ background: ProductBackground, color: SIMD3<Float>) {
    (self.source, self.background, self.color) = (source, background, color)
  }

  /// Where the picture has pixels.
  public var bounds: Rectangle { source.bounds }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    let (mattes, image) = background.mattes(rectangle, of: source)
    let margin = ProductBackground.margin
    for row in 0..<rectangle.height {
      for column in 0..<rectangle.width {
        let index = row * rectangle.width + column
        let (pixel, matte) = (
          image.pixels[(row + margin) * image.bounds.width + column + margin], mattes[index]
        )
        guard matte.share > 0 else {
          destination[index] = pixel
          continue
        }
        // Noise and texture of what is surely background vanish; the curve meets the rest without a step.
        let kept = matte.deviation * matte.deviation * (3 - 2 * matte.deviation)
        destination[index] = Pixel(
          rgb: matte.share < 1
            ? pixel.rgb + matte.share * (color - matte.white) : color + kept * (pixel.rgb - matte.white),
          alpha: pixel.w)
      }
    }
  }
}
