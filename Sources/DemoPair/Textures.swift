import ColorScience
import Glibc

/// What a surface looks like: linear sRGB reflectances under D65.
enum Texture: Sendable {
  case plain(Vector)
  case wood, plaster, page
  /// The card of 24 patches; its back is plain.
  case card
  /// Rings around a vessel.
  case rings(Vector, Vector)

  func reflectance(_ hit: Hit) -> Vector {
    switch self {
    case .plain(let color): color
    case .wood: planks(hit.u, hit.v)
    case .plaster:
      sRGB(205, 200, 192) * (0.88 + 0.16 * noise(hit.u * 9, hit.v * 9) + 0.08 * noise(hit.u * 55, hit.v * 55, 1))
    case .page: hit.normal.y > 0.5 ? printedPage(hit.u, hit.v) : sRGB(235, 232, 222)
    case .card: hit.side == .front ? Card.reflectance(hit.u, hit.v) : sRGB(40, 40, 42)
    case .rings(let ground, let ring):
      hit.side == .other ? sRGB(70, 55, 45) : mix(ground, ring, smoothStep(0.08, 0.2, abs(sin(hit.v * 13)) - 0.62))
    }
  }
}

/// Linear light of 8-bit sRGB values.
func sRGB(_ red: Double, _ green: Double, _ blue: Double) -> Vector {
  let curve = TransferFunction.sRGB
  return Vector(Float(curve.decode(red / 255)), Float(curve.decode(green / 255)), Float(curve.decode(blue / 255)))
}

/// Linear sRGB of an OKLab lightness, chroma and hue (degrees).
func okLab(_ lightness: Double, _ chroma: Double, _ hue: Double) -> Vector {
  let angle = hue * .pi / 180
  let color = RGBSpace.sRGB.fromXYZ * OKLab(lightness, chroma * cos(angle), chroma * sin(angle)).xyz.vector
  return Vector(Float(color.x), Float(color.y), Float(color.z))
}

/// The card: eighteen hues in three rows, from light to dark, and six greys.
enum Card {
  static let columns = 6
  static let rows = 4

  /// The OKLab lightness of a row, and the chroma of its hues 30°, 90°, ... 330°: vivid, and inside sRGB.
  private static let hues: [(lightness: Double, chroma: [Double])] = [
    (0.78, [0.10, 0.11, 0.11, 0.09, 0.09, 0.11]), (0.63, [0.15, 0.12, 0.14, 0.095, 0.14, 0.17]),
    (0.46, [0.11, 0.085, 0.10, 0.07, 0.13, 0.13]),
  ]

  /// Row after row, from the top left.
  static let patches: [Vector] =
    hues.flatMap { row in row.chroma.enumerated().map { okLab(row.lightness, $1, 30 + 60 * Double($0)) } }
    + [0.95, 0.82, 0.69, 0.56, 0.43, 0.30].map { okLab($0, 0, 0) }

  /// The part of a patch's cell that its colour fills.
  private static let fill: Float = 0.84

  static func reflectance(_ u: Float, _ v: Float) -> Vector {
    let frame = SIMD2<Float>(0.03, 0.045)
    let place = (SIMD2(u, v) - frame) / (1 - 2 * frame) * SIMD2(Float(columns), Float(rows))
    let column = min(max(Int(place.x.rounded(.down)), 0), columns - 1)
    let row = min(max(Int(place.y.rounded(.down)), 0), rows - 1)
    let offset = place - SIMD2(Float(column), Float(row)) - 0.5
    return max(abs(offset.x), abs(offset.y)) < fill / 2 ? patches[row * columns + column] : sRGB(38, 38, 40)
  }
}

/// Planks with grain along x.
private func planks(_ x: Float, _ z: Float) -> Vector {
  let plank = Int((z / 0.42).rounded(.down))
  let gap = abs(z / 0.42 - Float(plank) - 0.5)
  let shift = 17 * hash(plank, 3)
  let bend = 0.35 * noise(x * 1.1 + shift, z * 2)
  let grain = noise(x * 2 + shift, (z + bend) * 42) * 0.6 + noise(x * 7 + shift, z * 150, 5) * 0.4
  let color = mix(sRGB(126, 86, 56), sRGB(178, 132, 90), grain) * (0.82 + 0.3 * hash(plank, 9))
  return color * (1 - 0.6 * smoothStep(0.485, 0.5, gap))
}

/// A sheet with a heading and lines of small glyphs.
private func printedPage(_ u: Float, _ v: Float) -> Vector {
  let paper = sRGB(240, 238, 230)
  let ink = sRGB(30, 30, 36)
  guard (0.1..<0.9).contains(u), (0.08..<0.93).contains(v) else { return paper }
  if v < 0.2 {
    return u < 0.62 && v > 0.11 && isInk((u - 0.1) / 0.035, (v - 0.11) / 0.07, 7) ? sRGB(150, 30, 40) : paper
  }
  let row = ((v - 0.24) / 0.052).rounded(.down)
  guard row >= 0 else { return paper }
  // The last line of each paragraph is short.
  if Int(row) % 5 == 4, u > 0.3 + 0.4 * hash(Int(row), 21) { return paper }
  return isInk((u - 0.1) / 0.0145, ((v - 0.24) / 0.052 - row) * 1.5, Int(row)) ? ink : paper
}

/// Whether a place in a line of text (columns, 0...1 from the top) belongs to a glyph of 3 × 5 squares.
private func isInk(_ x: Float, _ y: Float, _ line: Int) -> Bool {
  let column = Int(x.rounded(.down))
  guard y >= 0, y < 1, hash(column / 3, line, 30) < 0.9 || column % 3 != 2, hash(column, line, 31) > 0.16 else {
    return false
  }
  let (i, j) = (Int((x - Float(column)) * 4), Int(y * 5))
  return i < 3
    && (j == 0 || j == 4 || i == 0
      ? hash(column * 3 + i, line * 5 + j, 32) < 0.8 : hash(column * 3 + i, line * 5 + j, 33) < 0.4)
}
