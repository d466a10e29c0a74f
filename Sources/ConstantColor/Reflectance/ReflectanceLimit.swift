import ColorScience
import Glibc
import Raster

/// How light a surface of some colour can be that only reflects: the limits of MacAdam (J. Opt. Soc. Am. 25, 1935), under D65.
///
/// The colours of all reflectances between 0 and 1 make a convex body. The greatest luminance of a chromaticity is where its ray
/// leaves that body: the least of h(n) / (n · ray) over directions n, where h(n), the body's farthest point along n, is that of
/// the surface which reflects all wavelengths that lie on n's side, and no other.
public struct ReflectanceLimit: Sendable {
  /// The limits of all colours, found when they are first asked for.
  public static let d65 = ReflectanceLimit()

  /// The greatest luminance on a grid of u′v′, of which one node is the white: there the limit has its peak.
  private let nodes: [Float]
  private static let count = 128
  private static let white = SIMD2(40, 94)
  private static let step = Self.uv(XYZ.d65.vector) / SIMD2(Double(white.x), Double(white.y))

  private init() {
    let observed = StandardObserver.colorMatchingFunctions.indices.map { index in
      StandardObserver.colorMatchingFunctions[index] * Spectrum.d65.values[index]
    }
    let white = observed.reduce(.zero, +)
    // The white is (1, 1, 1), so that directions are spread evenly.
    let lights = observed.map { $0 / white }
    // Directions on a spiral over the sphere.
    let directions = (0..<3000).map { index -> SIMD3<Double> in
      let z = 1 - (2 * Double(index) + 1) / 3000
      let angle = 2.399_963_229_728_653 * Double(index)
      let radius = max(1 - z * z, 0).squareRoot()
      return SIMD3(radius * cos(angle), radius * sin(angle), z)
    }
    let planes = directions.map { direction in
      (direction, lights.reduce(0) { $0 + max(0, (direction * $1).sum()) })
    }
    let toWhite = white.y / white
    nodes = (0..<Self.count * Self.count).map { index in
      let place = SIMD2(Double(index % Self.count), Double(index / Self.count)) * Self.step
      guard place.y > 0.01 else { return 0 }
      // XYZ of luminance 1.
      let ray = SIMD3(9 * place.x / (4 * place.y), 1, (12 - 3 * place.x - 20 * place.y) / (4 * place.y)) * toWhite
      guard ray.min() >= 0 else { return 0 }
      let least = planes.reduce(Double.infinity) { least, plane in
        let along = (plane.0 * ray).sum()
        return along > 1e-9 ? min(least, plane.1 / along) : least
      }
      return least.isFinite ? Float(min(max(least, 0), 1)) : 0
    }
  }

  private static func uv(_ xyz: SIMD3<Double>) -> SIMD2<Double> {
    let sum = xyz.x + 15 * xyz.y + 3 * xyz.z
    return SIMD2(4 * xyz.x, 9 * xyz.y) / sum
  }

  /// The greatest luminance that a reflecting surface of a colour's chromaticity can have, the white's being 1, or a little
  /// more; 0 for chromaticities that no surface has.
  public func greatestLuminance(_ xyz: SIMD3<Double>) -> Double {
    let sum = xyz.x + 15 * xyz.y + 3 * xyz.z
    guard sum > 0, sum.isFinite else { return 0 }
    let place = Self.uv(xyz) / Self.step
    let last = Double(Self.count - 1)
    guard place.x >= 0, place.y >= 0, place.x < last, place.y < last else { return 0 }
    let (x, y) = (Int(place.x), Int(place.y))
    func node(_ dx: Int, _ dy: Int) -> Float { nodes[(y + dy) * Self.count + x + dx] }
    // The greatest around: near the purest colours the limit falls to 0 within a cell, and must not be told too low.
    return Double(max(node(0, 0), node(1, 0), node(0, 1), node(1, 1)))
  }
}

/// Which places are lighter than any surface of their colour that only reflects, beside a white whose luminance is known: they
/// glow (fluorescent dyes, brighteners that the flash excites), mirror the flash, or are much nearer to it than the white.
public struct ReflectanceCheck: Sendable {
  /// What beyond the limit counts as certain, relative: the light of places at other distances, and errors of colour.
  public static let margin = 0.15
  /// The part of white that is mixed in before: what a small error does to a colour whose limit is steep.
  private static let dilution = 0.05
  /// How far around a pixel is looked, so that noise does not decide.
  public static let reach = 2

  private let toXYZ: Matrix3
  private let scale: Double

  /// A check beside a white of this luminance in the picture's units, above 0.
  public init(white: Double) {
    scale = 1 / max(white, 1e-9)
    toXYZ = RGBSpace.sRGB.toXYZ
  }

  /// Whether a colour in linear sRGB primaries is beyond what reflects.
  public func isBeyond(_ rgb: SIMD3<Float>) -> Bool {
    // Dark colours are never: the darkest limit of colours that screens show is blue's.
    guard Double(rgb.max()) * scale > 0.3 else { return false }
    let xyz = scale * (toXYZ * SIMD3<Double>(rgb))
    guard xyz.y > 0.02, (xyz * 0).sum() == 0 else { return false }
    let diluted = xyz + Self.dilution * xyz.y * XYZ.d65.vector
    return xyz.y > (1 + Self.margin) * ReflectanceLimit.d65.greatestLuminance(diluted)
  }

  /// Where the mean around each pixel of a band is beyond: 1, elsewhere 0; row after row.
  public func map(_ band: Rectangle, of picture: some PixelSource) -> [Bool] {
    let area = band.expanded(by: Self.reach)
    let image = picture.image(area)
    // Sums along rows, then along columns.
    let (width, side) = (area.width, 2 * Self.reach + 1)
    var sums = [SIMD3<Float>](repeating: .zero, count: band.width * area.height)
    for row in 0..<area.height {
      for column in 0..<band.width {
        var sum = SIMD3<Float>.zero
        for offset in 0..<side { sum += image.pixels[row * width + column + offset].rgb }
        sums[row * band.width + column] = sum
      }
    }
    var result = [Bool](repeating: false, count: band.count)
    let count = Float(side * side)
    for row in 0..<band.height {
      for column in 0..<band.width {
        var sum = SIMD3<Float>.zero
        for offset in 0..<side { sum += sums[(row + offset) * band.width + column] }
        result[row * band.width + column] = isBeyond(sum / count)
      }
    }
    return result
  }
}
