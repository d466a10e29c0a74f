import Raster

/// Demosaicing of Bayer's array by linear filters of 5 × 5 (Malvar, He, Cutler: "High-quality linear interpolation for
/// demosaicing of Bayer-patterned color images", ICASSP 2004).
///
/// Each missing colour is the mean of its neighbours, corrected by how the colour that was measured differs from its own
/// neighbours. Constant pictures and linear ramps are reproduced exactly.
struct BayerFilter {
  static let reach = 2

  /// How the correction is weighted that one colour lends to another: `[to][from]`.
  private let greenFromRed, greenFromBlue, redFromGreen, blueFromGreen, redFromBlue, blueFromRed: Float

  /// Filters for a sensor on whose greys the colours are as `1 / balance`.
  init(balance: SIMD3<Float> = SIMD3(repeating: 1)) {
    greenFromRed = balance.x / balance.y
    greenFromBlue = balance.z / balance.y
    redFromGreen = balance.y / balance.x
    blueFromGreen = balance.y / balance.z
    redFromBlue = balance.z / balance.x
    blueFromRed = balance.x / balance.z
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
    let greenFromOwn = isRed ? greenFromRed : greenFromBlue
    let otherFromOwn = isRed ? blueFromRed : redFromBlue
    let ownFromGreen = isRed ? redFromGreen : blueFromGreen
    let otherFromGreen = isRed ? blueFromGreen : redFromGreen
    let highest = Vector8(repeating: MosaicRows.belowClipping)
    var x = 0
    while x < count {
      let c = Vector8(at: rows.here + x)
      let horizontal = Vector8(at: rows.here + x - 1) + Vector8(at: rows.here + x + 1)
      let vertical = Vector8(at: rows.above + x) + Vector8(at: rows.below + x)
      let diagonal =
        (Vector8(at: rows.above + x - 1) + Vector8(at: rows.above + x + 1))
        + (Vector8(at: rows.below + x - 1) + Vector8(at: rows.below + x + 1))
      let horizontal2 = Vector8(at: rows.here + x - 2) + Vector8(at: rows.here + x + 2)
      let vertical2 = Vector8(at: rows.above2 + x) + Vector8(at: rows.below2 + x)

      // Written so that each correction is exactly 0 on constant colours. At red and blue:
      let siteCorrection = c - (horizontal2 + vertical2) * 0.25
      var green = (horizontal + vertical) * 0.25
      var siteOther = diagonal * 0.25
      // At green, where the row's own colour stands left and right and the other one above and below:
      let near = (c - diagonal * 0.25) * 0.5
      let along = c - horizontal2 * 0.5
      let across = c - vertical2 * 0.5
      var greenOwn = horizontal * 0.5
      var greenOther = vertical * 0.5
      if !hasClipping {
        green += siteCorrection * (0.5 * greenFromOwn)
        siteOther += siteCorrection * (0.75 * otherFromOwn)
        greenOwn += (near + (along * 0.25 - across * 0.125)) * ownFromGreen
        greenOther += (near + (across * 0.25 - along * 0.125)) * otherFromGreen
      } else {
        let marks = Marks(rows, x)
        let isClean = marks.support .< 1
        func kept(_ correction: Vector8) -> Vector8 { Vector8.zero.replacing(with: correction, where: isClean) }
        green += kept(siteCorrection * (0.5 * greenFromOwn))
        siteOther += kept(siteCorrection * (0.75 * otherFromOwn))
        greenOwn += kept((near + (along * 0.25 - across * 0.125)) * ownFromGreen)
        greenOther += kept((near + (across * 0.25 - along * 0.125)) * otherFromGreen)
      }
      var own = greenOwn.replacing(with: c, where: isSite).lesser(highest)
      var other = greenOther.replacing(with: siteOther, where: isSite).lesser(highest)
      green = c.replacing(with: green, where: isSite).lesser(highest)
      if hasClipping {
        let marks = Marks(rows, x)
        let ownMark = marks.horizontal.replacing(with: c, where: isSite)
        let otherMark = marks.vertical.replacing(with: marks.diagonal, where: isSite)
        let greenMark = c.greater(marks.diagonal).replacing(
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

  /// The largest of the samples around a pixel: 1 or more where one of them is clipped.
  private struct Marks {
    let horizontal, vertical, diagonal, support: Vector8

    @inline(__always)
    init(_ rows: Rows, _ x: Int) {
      horizontal = Vector8(at: rows.here + x - 1).greater(Vector8(at: rows.here + x + 1))
      vertical = Vector8(at: rows.above + x).greater(Vector8(at: rows.below + x))
      diagonal = Vector8(at: rows.above + x - 1).greater(Vector8(at: rows.above + x + 1))
        .greater(Vector8(at: rows.below + x - 1)).greater(Vector8(at: rows.below + x + 1))
      support = Vector8(at: rows.here + x).greater(horizontal).greater(vertical).greater(diagonal)
        .greater(Vector8(at: rows.here + x - 2)).greater(Vector8(at: rows.here + x + 2))
        .greater(Vector8(at: rows.above2 + x)).greater(Vector8(at: rows.below2 + x))
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
