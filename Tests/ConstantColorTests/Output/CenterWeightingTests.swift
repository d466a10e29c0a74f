import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct CenterWeightingTests {
  let bounds = Rectangle(x: -7, y: 3, width: 40, height: 30)

  private func value(_ x: Int, _ y: Int) -> Float { Float((x * 37 + y * 101) & 63) / 63 }

  private func add(_ rectangle: Rectangle, _ values: [Float], to weighting: inout CenterWeighting) {
    weighting.add(rectangle, values.span)
  }

  private func values(_ rectangle: Rectangle) -> [Float] {
    (rectangle.y..<rectangle.maxY).flatMap { y in (rectangle.x..<rectangle.maxX).map { x in value(x, y) } }
  }

  @Test func weightsAreTheFormula() {
    let weighting = CenterWeighting(Rectangle(width: 31, height: 41))
    #expect(weighting.weight(x: 15, y: 20) == 1)
    let diagonal = (31.0 * 31 + 41 * 41).squareRoot()
    let expected = 0.3 + 0.7 * exp(-13.0 * 13 / (2 * 0.0625 * diagonal * diagonal))
    #expect(abs(weighting.weight(x: 28, y: 20) - expected) < 1e-12)
    #expect(abs(weighting.weight(x: 15, y: 33) - weighting.weight(x: 15, y: 7)) < 1e-15)
    #expect(abs(weighting.weight(x: 1_000_000, y: 0) - 0.3) < 1e-12)
  }

  @Test func meansAgreeWithTheDefinition() throws {
    var weighting = CenterWeighting(bounds)
    add(bounds, values(bounds), to: &weighting)
    var (sum, weights, plain) = (0.0, 0.0, 0.0)
    for y in bounds.y..<bounds.maxY {
      for x in bounds.x..<bounds.maxX {
        let weight = weighting.weight(x: x, y: y)
        sum += weight * Double(value(x, y))
        weights += weight
        plain += Double(value(x, y))
      }
    }
    #expect(abs(try #require(weighting.centerWeightedMean) - sum / weights) < 1e-8)
    #expect(abs(try #require(weighting.mean) - plain / Double(bounds.count)) < 1e-8)
  }

  @Test func piecesInAnyOrderGiveTheSameBits() {
    var whole = CenterWeighting(bounds)
    add(bounds, values(bounds), to: &whole)
    var pieces = CenterWeighting(bounds)
    var other = CenterWeighting(bounds)
    for (index, band) in bounds.bands(of: 7).reversed().enumerated() {
      for left in [20, 0] {
        let piece = Rectangle(x: band.x + left, y: band.y, width: 20, height: band.height)
        if index % 2 == 0 {
          add(piece, values(piece), to: &pieces)
        } else {
          let image = Image(piece) { x, y in Pixel(value(x, y), .nan, 9, 0) }
          image.withPixels { other.add(piece, $0) }
        }
      }
    }
    pieces.merge(other)
    #expect(pieces.centerWeightedMean == whole.centerWeightedMean)
    #expect(pieces.mean == whole.mean)
  }

  @Test func theCenterCountsMore() throws {
    var center = CenterWeighting(bounds)
    var edge = CenterWeighting(bounds)
    let middle = Rectangle(x: 3, y: 13, width: 20, height: 10)
    func inside(_ x: Int, _ y: Int) -> Float { middle.contains(x: x, y: y) ? 1 : 0 }
    let image = Image(bounds) { x, y in Pixel(inside(x, y), 0, 0, 0) }
    let inverse = Image(bounds) { x, y in Pixel(1 - inside(x, y), 0, 0, 0) }
    image.withPixels { center.add(bounds, $0) }
    inverse.withPixels { edge.add(bounds, $0) }
    let (first, second) = (try #require(center.centerWeightedMean), try #require(edge.centerWeightedMean))
    #expect(first > 200.0 / 1200 + 0.03)
    #expect(abs(first + second - 1) < 1e-8)
  }

  @Test func defectsAreDefined() throws {
    var weighting = CenterWeighting(bounds)
    #expect(weighting.mean == nil && weighting.centerWeightedMean == nil)
    add(Rectangle(x: 500, y: 0, width: 2, height: 1), [1, 1], to: &weighting)
    #expect(weighting.mean == nil)
    add(bounds, [], to: &weighting)
    #expect(weighting.mean == nil)
    let row = Rectangle(x: -8, y: 3, width: 5, height: 1)
    add(row, [9, .nan, .infinity, -4, 0.5], to: &weighting)
    #expect(try #require(weighting.mean) == 1.5 / 4)
    #expect(CenterWeighting(Rectangle(width: 0, height: 0)).mean == nil)
    var single = CenterWeighting(Rectangle(x: -7, y: 3, width: 1, height: 1))
    add(bounds, [0.25], to: &single)
    #expect(single.mean == 0.25 && single.centerWeightedMean == 0.25)
  }
}
