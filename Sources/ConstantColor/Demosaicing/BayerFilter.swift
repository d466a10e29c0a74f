import Raster

/// Demosaicing of Bayer's array: ``DemosaicWeights``, eight pixels at a time.
///
/// Samples at equal distances have equal weights. Each estimate is the mean of a colour's nearest samples, corrected by
/// differences of such means: on a constant colour each of them is exactly 0.
struct BayerFilter {
  /// The weights of the differences of means, at red or blue.
  struct Site {
    /// For green and for the other of the two: own − own 2 away, diagonal 2 away − straight 2 away, green far − near.
    let green, other: (center: Float, corners: Float, knights: Float)
  }

  /// The weights at green, where the row's own colour stands left and right and the other one above and below.
  struct Green {
    /// Green here − diagonal, along the row − diagonal, across − diagonal, corners − diagonal; own far − near, other far − near.
    let own, other: (center: Float, along: Float, across: Float, corners: Float, ownFar: Float, otherFar: Float)
  }

  private let red, blue: Site
  private let greenInRed, greenInBlue: Green

  /// The filter for weights of an array of Bayer's.
  init(_ weights: DemosaicWeights) {
    func find(_ color: Int, besides neighbor: Int? = nil) -> (x: Int, y: Int) {
      for y in 0..<2 {
        for x in 0..<2 where weights.pattern[x, y] == color {
          if neighbor == nil || weights.pattern[x + 1, y] == neighbor { return (x, y) }
        }
      }
      return (0, 0)
    }
    func site(_ color: Int) -> Site {
      let place = find(color)
      func weightsOf(_ target: Int) -> (Float, Float, Float) {
        func weight(_ dx: Int, _ dy: Int) -> Float { weights.weight(place.x, place.y, color: target, dx: dx, dy: dy) }
        return (weight(0, 0), 4 * weight(2, 2), 8 * weight(2, 1))
      }
      return Site(green: weightsOf(1), other: weightsOf(2 - color))
    }
    func green(_ neighbor: Int) -> Green {
      let place = find(1, besides: neighbor)
      func weightsOf(_ target: Int) -> (Float, Float, Float, Float, Float, Float) {
        func weight(_ dx: Int, _ dy: Int) -> Float { weights.weight(place.x, place.y, color: target, dx: dx, dy: dy) }
        return (weight(0, 0), 2 * weight(2, 0), 2 * weight(0, 2), 4 * weight(2, 2), 4 * weight(1, 2), 4 * weight(2, 1))
      }
      return Green(own: weightsOf(neighbor), other: weightsOf(2 - neighbor))
    }
    red = site(0)
    blue = site(2)
    greenInRed = green(0)
    greenInBlue = green(2)
  }

  /// Five rows of the mosaic, the middle one that of the pixels; two values before and behind them may be read.
  struct Rows {
    let above2, above, here, below, below2: UnsafePointer<Float>
  }

  /// Computes `count` pixels of a row, whole vectors of eight at a time: `output` must have room for them.
  ///
  /// - Parameters:
  ///   - isRed: whether red is in the row (else blue).
  ///   - isGreen: whether the first sample is green.
  ///   - hasClipping: whether some sample may be clipped; without any the result is the same, sooner.
  @inline(__always)
  func apply(
    _ rows: Rows, isRed: Bool, isGreen: Bool, hasClipping: Bool, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    let even = SIMD8<Int32>(0, 1, 0, 1, 0, 1, 0, 1)
    let isSite = even .== SIMD8(repeating: isGreen ? 1 : 0)
    let site = isRed ? red : blue
    let atGreen = isRed ? greenInRed : greenInBlue
    let highest = Vector8(repeating: MosaicRows.belowClipping)
    var x = 0
    while x < count {
      let means = Means(rows, x)
      // At red and blue.
      let center = means.center - means.straight2
      let corners = means.corners - means.straight2
      let knights = means.knights - means.straight
      var green = center * site.green.center + corners * site.green.corners + knights * site.green.knights
      var siteOther = center * site.other.center + corners * site.other.corners + knights * site.other.knights
      // At green.
      let middle = means.center - means.diagonal
      let along = means.horizontal2 - means.diagonal
      let across = means.vertical2 - means.diagonal
      let far = means.corners - means.diagonal
      let ownFar = means.tall - means.horizontal
      let otherFar = means.wide - means.vertical
      @inline(__always)
      func correction(
        _ w: (center: Float, along: Float, across: Float, corners: Float, ownFar: Float, otherFar: Float)
      ) -> Vector8 {
        (middle * w.center + along * w.along) + (across * w.across + far * w.corners)
          + (ownFar * w.ownFar + otherFar * w.otherFar)
      }
      var greenOwn = correction(atGreen.own)
      var greenOther = correction(atGreen.other)
      if hasClipping {
        // The means of the nearest samples alone, where a clipped one would lend them its error.
        let isClean = Marks(rows, x).support .< 1
        green = Vector8.zero.replacing(with: green, where: isClean)
        siteOther = Vector8.zero.replacing(with: siteOther, where: isClean)
        greenOwn = Vector8.zero.replacing(with: greenOwn, where: isClean)
        greenOther = Vector8.zero.replacing(with: greenOther, where: isClean)
      }
      green += means.straight
      siteOther += means.diagonal
      greenOwn += means.horizontal
      greenOther += means.vertical
      var own = greenOwn.replacing(with: means.center, where: isSite).lesser(highest)
      var other = greenOther.replacing(with: siteOther, where: isSite).lesser(highest)
      green = means.center.replacing(with: green, where: isSite).lesser(highest)
      if hasClipping {
        let marks = Marks(rows, x)
        let ownMark = marks.horizontal.replacing(with: means.center, where: isSite)
        let otherMark = marks.vertical.replacing(with: marks.diagonal, where: isSite)
        let greenMark = means.center.greater(marks.diagonal).replacing(
          with: marks.horizontal.greater(marks.vertical), where: isSite)
        own = own.replacing(with: 1, where: ownMark .>= 1)
        other = other.replacing(with: 1, where: otherMark .>= 1)
        green = green.replacing(with: 1, where: greenMark .>= 1)
      }
      PixelVector(isRed ? ColorVector(own, green, other) : ColorVector(other, green, own), Vector8(repeating: 1))
        .interleaved.store(at: output + 4 * x)
      x += 8
    }
  }

  /// The means of samples at equal distances from a pixel.
  private struct Means {
    let center, horizontal, vertical, straight, diagonal: Vector8
    let horizontal2, vertical2, straight2, corners: Vector8
    /// 1 to the side and 2 up or down; 2 to the side and 1 up or down; both.
    let tall, wide, knights: Vector8

    @inline(__always)
    init(_ rows: Rows, _ x: Int) {
      @inline(__always)
      func pair(_ above: UnsafePointer<Float>, _ below: UnsafePointer<Float>, _ dx: Int) -> Vector8 {
        Vector8(at: above + x + dx) + Vector8(at: below + x + dx)
      }
      center = Vector8(at: rows.here + x)
      let h1 = pair(rows.here - 1, rows.here + 1, 0)
      let h2 = pair(rows.here - 2, rows.here + 2, 0)
      let v1 = pair(rows.above, rows.below, 0)
      let v2 = pair(rows.above2, rows.below2, 0)
      horizontal = h1 * 0.5
      vertical = v1 * 0.5
      straight = (h1 + v1) * 0.25
      diagonal = (pair(rows.above, rows.below, -1) + pair(rows.above, rows.below, 1)) * 0.25
      horizontal2 = h2 * 0.5
      vertical2 = v2 * 0.5
      straight2 = (h2 + v2) * 0.25
      corners = (pair(rows.above2, rows.below2, -2) + pair(rows.above2, rows.below2, 2)) * 0.25
      let t = pair(rows.above2, rows.below2, -1) + pair(rows.above2, rows.below2, 1)
      let w = pair(rows.above, rows.below, -2) + pair(rows.above, rows.below, 2)
      tall = t * 0.25
      wide = w * 0.25
      knights = (t + w) * 0.125
    }
  }

  /// The largest of the samples around a pixel: 1 or more where one of them is clipped.
  private struct Marks {
    let horizontal, vertical, diagonal, support: Vector8

    @inline(__always)
    init(_ rows: Rows, _ x: Int) {
      @inline(__always)
      func pair(_ line: UnsafePointer<Float>, _ dx: Int) -> Vector8 {
        Vector8(at: line + x - dx).greater(Vector8(at: line + x + dx))
      }
      @inline(__always)
      func largest(_ line: UnsafePointer<Float>) -> Vector8 {
        Vector8(at: line + x).greater(pair(line, 1)).greater(pair(line, 2))
      }
      horizontal = pair(rows.here, 1)
      vertical = Vector8(at: rows.above + x).greater(Vector8(at: rows.below + x))
      diagonal = pair(rows.above, 1).greater(pair(rows.below, 1))
      support = largest(rows.above2).greater(largest(rows.above)).greater(largest(rows.here))
        .greater(largest(rows.below)).greater(largest(rows.below2))
    }
  }
}

extension PixelVector {
  /// The eight pixels as they lie in memory.
  @inline(__always)
  var interleaved: EightPixels {
    // Pairs of floats travel as doubles, which nothing computes with.
    let redGreen = unsafeBitCast(Self.pairs(colour.x, colour.y), to: SIMD8<Double>.self)
    let blueAlpha = unsafeBitCast(Self.pairs(colour.z, alpha), to: SIMD8<Double>.self)
    return EightPixels(floats: unsafeBitCast(Self.pairs(redGreen, blueAlpha), to: SIMD32<Float>.self))
  }

  @inline(__always)
  private static func pairs<Scalar>(_ even: SIMD8<Scalar>, _ odd: SIMD8<Scalar>) -> SIMD16<Scalar> {
    var pairs = SIMD16<Scalar>()
    pairs.evenHalf = even
    pairs.oddHalf = odd
    return pairs
  }
}

/// Eight pixels, one after the other.
struct EightPixels {
  let floats: SIMD32<Float>

  /// Stores all eight at any address.
  @inline(__always)
  func store(at address: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(address).storeBytes(of: floats, as: SIMD32<Float>.self)
  }
}
