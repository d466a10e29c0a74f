import ColorScience
import ConstantColor
import Glibc
import Raster

/// What white paper is at each place of a picture of a page: the flash's falloff and hot spot, and the paper's own tint.
///
/// The lightest surface around each node of a coarse grid is paper, or something printed, or glare. A surface of low order through
/// the upper ones (quantile regression, then Tukey's biweight) is the light; nodes that lie on it, or are reached from
/// there in small steps (the bend of a book, the edge of a hot spot), are paper, as far as they have its tint. What they show
/// beyond the surface is followed; where there is none (pictures, a hand, holes), the surface alone goes on.
public struct PaperWhite: Sendable {
  /// The part of the nodes that are paper, 0...1.
  public let paperFraction: Double
  /// The part of the nodes that lie on the smooth surface within a tenth, 0...1.
  public let surfaceFraction: Double
  /// The part of the nodes along an outline that are paper, 0...1: of a sheet's margin almost all. Nil without an outline.
  public let marginFraction: Double?
  /// The paper's colour: its mean tint under D65 at L* = 100.
  public let tint: Lab
  /// Whether the paper is so coloured that its colour is kept: then ``white(at:)`` follows the light alone.
  public let isColored: Bool
  /// Whether something is lighter than paper can be: what mirrors the flash.
  public let hasGlare: Bool
  /// How evenly paper is lit, before and after the division.
  public let evenness: (before: Evenness, after: Evenness)

  /// The spread of the paper's lightness.
  public struct Evenness: Equatable, Sendable {
    /// L* at the 5th, 50th and 95th percentile over the paper, relative to its 95th percentile of luminance.
    public var low, middle, high: Double
    /// The 95th percentile less the 5th.
    public var spread: Double { high - low }
    /// The same of luminance, by the median (``Uniformity/spread(_:)``).
    public let uniformity: Double

    /// The spread of luminances; nil for none.
    init?(_ luminances: [Double]) {
      let order = luminances.filter { $0 > 0 }.sorted()
      guard let last = order.last, last > 0 else { return nil }
      func lightness(_ part: Double) -> Double {
        let white = order[Int(0.95 * Double(order.count - 1))]
        return Lab(XYZ(.d65, luminance: order[Int(part * Double(order.count - 1))] / white)).lightness
      }
      (low, middle, high) = (lightness(0.05), lightness(0.5), lightness(0.95))
      uniformity = Uniformity.spread(order) ?? 0
    }
  }

  private let columns, rows: Int
  private let step: Double
  private let origin: SIMD2<Double>
  /// White, and as fourth value how much of a place is glare, 0...1.
  private let nodes: [SIMD4<Float>]

  /// A chroma above which paper counts as coloured.
  private static let coloredChroma = 20.0

  /// Finds the white of a page.
  ///
  /// - Parameters:
  ///   - source: linear sRGB primaries under D65, unbounded.
  ///   - outline: the page's, where it is known; what lies outside says nothing.
  /// - Returns: nil where nothing looks like paper, or after a cancellation.
  public static func find(
    in source: some PixelSource, within outline: PageOutline? = nil, execution: Execution = .serial
  ) -> PaperWhite? {
    find(
      in: reduced(source, toAtMost: 1_500_000, clipping: .counted, execution: execution), within: outline,
      execution: execution)
  }

  /// The same in a picture that was reduced.
  public static func find(
    in picture: Reduction, within outline: PageOutline? = nil, execution: Execution = .serial
  ) -> PaperWhite? {
    guard picture.image.bounds.width >= 8, picture.image.bounds.height >= 8 else { return nil }
    let cells = PaperCells(picture, within: outline, execution: execution)
    guard !execution.cancellation.isCancelled else { return nil }
    return PaperWhite(cells, outline)
  }

  private init?(_ cells: PaperCells, _ outline: PageOutline?) {
    let known = cells.cells.indices.filter { cells.cells[$0].light.isFinite }
    let samples = known.map { SmoothSurface.Sample(place: cells.place($0), value: Double(cells.cells[$0].light)) }
    guard known.count >= 12, let start = SmoothSurface.upper(samples, degree: 2),
      let first = start.refined(samples, degree: 2, within: 0.15)
    else { return nil }
    // The tint of the lighter half of what is near the surface: the rest may be pale print.
    let near = known.filter {
      let off = Double(cells.cells[$0].light) - first(cells.place($0))
      return off > -0.5 * first.spread && off < 0.15
    }
    guard near.count >= 8 else { return nil }
    let tint = SIMD2(Self.median(near.map { cells.cells[$0].tint.x }), Self.median(near.map { cells.cells[$0].tint.y }))
    let tinted = known.filter { Self.hasTint(cells.cells[$0].tint, tint) }
    let whites = tinted.map { SmoothSurface.Sample(place: cells.place($0), value: Double(cells.cells[$0].light)) }
    guard let surface = first.refined(whites, degree: 4, within: 0.15) else { return nil }

    let paper = Self.paper(cells, tinted, surface)
    let members = paper.indices.filter { paper[$0] }
    guard members.count >= 8, members.count * 25 >= known.count else { return nil }
    paperFraction = Double(members.count) / Double(known.count)
    let margin = outline.map { outline in
      let depth = 0.07 * (0..<4).reduce(.infinity) { min($0, outline.length($1)) }
      return known.filter { outline.depth(of: cells.origin + cells.step * cells.column(of: $0)) < depth }
    }
    marginFraction = margin.map { Double($0.count { paper[$0] }) / Double(max($0.count, 1)) }

    let (low, high) = Self.range(members.map { surface(cells.place($0)) })
    let light = cells.cells.indices.map { min(max(surface(cells.place($0)), low - 0.7), high + 0.2) }
    let rest = Self.followed(cells, paper, light)
    func slope(_ channel: Int) -> SmoothSurface? {
      let samples = members.map {
        SmoothSurface.Sample(place: cells.place($0), value: Double(cells.cells[$0].tint[channel]))
      }
      return SmoothSurface.upper(samples, degree: 1, quantile: 0.5)?.refined(samples, degree: 2, within: 0.1)
    }
    let onSurface = known.count { abs(Double(cells.cells[$0].light) - light[$0]) < 0.1 }
    surfaceFraction = Double(onSurface) / Double(known.count)
    let (red, blue) = (slope(0), slope(1))
    let paperTint = SIMD3(exp(Double(tint.x)), 1, exp(Double(tint.y)))
    let white = Self.atUnitLuminance(paperTint)
    self.tint = Lab(XYZ(RGBSpace.sRGB.toXYZ * white))
    let isColored = self.tint.chroma > Self.coloredChroma
    self.isColored = isColored
    let glare = Self.glare(cells, paper, light)
    hasGlare = glare.contains { $0 > 0 }
    nodes = cells.cells.indices.map { index in
      let place = cells.place(index)
      var color = SIMD3(exp(red?(place) ?? Double(tint.x)), 1, exp(blue?(place) ?? Double(tint.y)))
      if isColored { color /= paperTint }
      return SIMD4(SIMD3<Float>(exp(light[index] + Double(rest[index])) * Self.atUnitLuminance(color)), glare[index])
    }
    (columns, rows, step, origin) = (cells.columns, cells.rows, cells.step, cells.origin)
    let before = members.map { exp(Double(cells.cells[$0].light)) }
    let after = members.map { exp(Double(cells.cells[$0].light) - light[$0] - Double(rest[$0])) }
    guard let lit = Evenness(before), let evened = Evenness(after) else { return nil }
    evenness = (lit, evened)
  }

  /// White at a place in pixels of the picture: linear sRGB primaries, above 0.
  @inline(__always)
  public func white(at place: SIMD2<Double>) -> SIMD3<Float> {
    let node = node(at: place)
    return SIMD3(node.x, node.y, node.z)
  }

  /// How much of a place is glare, 0...1.
  @inline(__always)
  func glare(at place: SIMD2<Double>) -> Float { node(at: place).w }

  @inline(__always)
  private func node(at place: SIMD2<Double>) -> SIMD4<Float> {
    let grid = (place - origin) / step
    let x = min(max(grid.x, 0), Double(columns - 1))
    let y = min(max(grid.y, 0), Double(rows - 1))
    let (left, top) = (min(Int(x), max(columns - 2, 0)), min(Int(y), max(rows - 2, 0)))
    let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
    let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
    let upper = nodes[top * columns + left] * (1 - u) + nodes[top * columns + right] * u
    let lower = nodes[bottom * columns + left] * (1 - u) + nodes[bottom * columns + right] * u
    return upper * (1 - v) + lower * v
  }

  // MARK: finding

  /// Scaled to a luminance of 1.
  private static func atUnitLuminance(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    rgb / (0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z)
  }

  private static func median(_ values: [Float]) -> Float {
    let order = values.sorted()
    return order.isEmpty ? 0 : order[order.count / 2]
  }

  private static func range(_ values: [Double]) -> (Double, Double) {
    values.reduce((Double.infinity, -Double.infinity)) { (min($0.0, $1), max($0.1, $1)) }
  }

  private static func hasTint(_ tint: SIMD2<Float>, _ paper: SIMD2<Float>) -> Bool {
    abs(tint.x - paper.x) < 0.06 && abs(tint.y - paper.y) < 0.09
  }

  /// Which nodes are paper: those on the surface, and what they lead to in small steps.
  private static func paper(_ cells: PaperCells, _ tinted: [Int], _ surface: SmoothSurface) -> [Bool] {
    var isTinted = [Bool](repeating: false, count: cells.cells.count)
    for index in tinted { isTinted[index] = true }
    // Pale grey boxes must not be: what the surface misses by more is reached in small steps, or not.
    let reach = min(max(2.5 * surface.spread, 0.02), 0.05)
    var paper = isTinted
    var open: [Int] = []
    for index in tinted {
      paper[index] = abs(Double(cells.cells[index].light) - surface(cells.place(index))) < reach
      if paper[index] { open.append(index) }
    }
    while let index = open.popLast() {
      for next in cells.neighbours(index) where isTinted[next] && !paper[next] {
        guard abs(cells.cells[next].light - cells.cells[index].light) < 0.035 else { continue }
        paper[next] = true
        open.append(next)
      }
    }
    return paper
  }

  /// Where something that is no paper is lighter than paper by more than a seventh, and around: a white that is pasted on may
  /// reflect as much as that.
  private static func glare(_ cells: PaperCells, _ paper: [Bool], _ light: [Double]) -> [Float] {
    let excess = cells.cells.indices.map { index -> Float in
      let off = cells.cells[index].light - Float(light[index])
      return off.isFinite && !paper[index] ? min(max((off - 0.15) / 0.1, 0), 1) : 0
    }
    return cells.cells.indices.map { index in
      let (x, y) = (index % cells.columns, index / cells.columns)
      var most: Float = 0
      for dy in -2...2 where (0..<cells.rows).contains(y + dy) {
        for dx in -2...2 where (0..<cells.columns).contains(x + dx) {
          most = max(most, excess[(y + dy) * cells.columns + x + dx])
        }
      }
      return most
    }
  }

  /// What paper shows beyond the surface, and nothing far from paper: normalized convolution with a Gaussian.
  private static func followed(_ cells: PaperCells, _ paper: [Bool], _ light: [Double]) -> [Float] {
    let reach = 3
    let weights = (-reach...reach).map { Float(exp(-0.5 * pow(Double($0) / 0.9, 2))) }
    return cells.cells.indices.map { index in
      let (x, y) = (index % cells.columns, index / cells.columns)
      var (sum, total) = (Float(0), Float(0.02))
      for dy in -reach...reach where (0..<cells.rows).contains(y + dy) {
        for dx in -reach...reach where (0..<cells.columns).contains(x + dx) {
          let other = (y + dy) * cells.columns + x + dx
          guard paper[other] else { continue }
          let weight = weights[dx + reach] * weights[dy + reach]
          sum += weight * (cells.cells[other].light - Float(light[other]))
          total += weight
        }
      }
      return sum / total
    }
  }
}
