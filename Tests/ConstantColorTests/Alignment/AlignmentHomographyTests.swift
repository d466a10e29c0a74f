import ConstantColor
import Raster
import Testing

@Suite struct AlignmentHomographyTests {
  private static let turned = Homography.similarity(rotation: 0.05, scale: 1.03, about: [50, 40], shift: [3, -2])
  private static let frame = Rectangle(x: -20, y: 10, width: 400, height: 300)

  @Test func appliesTheProjectiveFormula() throws {
    let map = try #require(Homography([2, 0, 3, 0, 4, 5, 0.01, 0.02, 1]))
    let place = try #require(map.apply(to: [10, 20]))
    // (2·10 + 3) / (0.1 + 0.4 + 1), (4·20 + 5) / 1.5
    #expect(abs(place.x - 23 / 1.5) < 1e-12)
    #expect(abs(place.y - 85 / 1.5) < 1e-12)
  }

  @Test func isScaledToALastNumberOfOne() throws {
    let map = try #require(Homography([2, 0, 6, 0, 2, -4, 0, 0, 2]))
    #expect(map == .translation(x: 3, y: -2))
    #expect(map.elements == [1, 0, 3, 0, 1, -2, 0, 0, 1])
  }

  @Test(arguments: [
    [1, 0, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 0], [.nan, 0, 0, 0, 1, 0, 0, 0, 1],
    [1, 2, 0, 2, 4, 0, 0, 0, 1], [.infinity, 0, 0, 0, 1, 0, 0, 0, 1], [],
  ])
  func refusesWhatIsNoMap(numbers: [Double]) {
    #expect(Homography(numbers) == nil)
  }

  @Test func inverseUndoes() throws {
    let map = try #require(Homography([1.02, -0.03, 14, 0.04, 0.98, -9, 2e-5, -3e-5, 1]))
    let inverse = try #require(map.inverse)
    for corner in [SIMD2(0.0, 0.0), SIMD2(400, 0), SIMD2(-20, 300)] {
      let back = try #require(map.apply(to: corner).flatMap(inverse.apply(to:)))
      #expect(abs(back.x - corner.x) < 1e-9 && abs(back.y - corner.y) < 1e-9)
    }
    let product = try #require(map.concatenating(after: inverse))
    #expect(product.cornerDistance(to: .identity, over: Self.frame) < 1e-9)
  }

  @Test func concatenationAppliesTheFirstFirst() throws {
    let both = try #require(Self.turned.concatenating(after: .translation(x: 7, y: 0)))
    let expected = try #require(Self.turned.apply(to: [8, 1]))
    let found = try #require(both.apply(to: [1, 1]))
    #expect(abs(found.x - expected.x) < 1e-12 && abs(found.y - expected.y) < 1e-12)
  }

  @Test func similarityTurnsFromXTowardsY() throws {
    let quarter = Homography.similarity(rotation: .pi / 2, scale: 2, about: [1, 1])
    let place = try #require(quarter.apply(to: [2, 1]))
    #expect(abs(place.x - 1) < 1e-12 && abs(place.y - 3) < 1e-12)
  }

  @Test func plausibilityRefusesFoldsMirrorsAndHorizons() throws {
    #expect(Homography.identity.isPlausible(over: Self.frame))
    #expect(Self.turned.isPlausible(over: Self.frame))
    let mirror = try #require(Homography([-1, 0, 0, 0, 1, 0, 0, 0, 1]))
    let horizon = try #require(Homography([1, 0, 0, 0, 1, 0, -0.01, 0, 1]))
    let huge = try #require(Homography([9, 0, 0, 0, 9, 0, 0, 0, 1]))
    let squeeze = try #require(Homography([5, 0, 0, 0, 0.2, 0, 0, 0, 1]))
    for map in [mirror, horizon, huge, squeeze] { #expect(!map.isPlausible(over: Self.frame)) }
    #expect(horizon.apply(to: [200, 0]) == nil)
  }
}
