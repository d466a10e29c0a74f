import ConstantColor
import Raster
import Testing

@Suite struct AlignmentWarpTests {
  private static let turned = Homography.similarity(
    rotation: 0.05, scale: 1.02, about: [60, 40], shift: [3.3, -2.6])
  private static let picture = Image(Rectangle(x: -7, y: 5, width: 120, height: 90)) { x, y in
    Pixel(rgb: AlignmentScene.reflectance(Double(x) * 3, Double(y) * 3), alpha: 1)
  }

  private func warped(_ map: Homography, _ source: Image, _ area: Rectangle, threads: Int = 1) -> Image {
    var result = Image(area)
    result.withMutablePixels {
      Warp(map, ambientBounds: source.bounds).process(area, source, into: $0, execution: threaded(threads))
    }
    return result
  }

  @Test func identityAndWholeShiftsCopyExactly() {
    let area = Rectangle(x: 3, y: 10, width: 60, height: 40)
    for shift in [(0, 0), (17, -4), (-9, 30)] {
      let result = warped(.translation(x: Double(shift.0), y: Double(shift.1)), Self.picture, area)
      for y in area.y..<area.maxY {
        for x in area.x..<area.maxX {
          var expected = Self.picture[x + shift.0, y + shift.1]
          if !Self.picture.bounds.contains(x: x + shift.0, y: y + shift.1) { expected.w = 0 }
          #expect(result[x, y] == expected)
        }
      }
    }
  }

  @Test func reproducesQuadraticsExactly() throws {
    // Catmull and Rom's kernel is exact for polynomials up to degree two.
    func light(_ x: Double, _ y: Double) -> Float { Float(0.1 + 0.002 * x + 0.001 * y + 1e-5 * x * x - 2e-5 * x * y) }
    let ramp = Image(Rectangle(width: 100, height: 100)) { x, y in
      Pixel(repeating: light(Double(x), Double(y)))
    }
    let map = try #require(Homography([1.01, 0.02, 5.3, -0.015, 0.99, 6.1, 1e-4, -5e-5, 1]))
    let area = Rectangle(x: 10, y: 10, width: 60, height: 60)
    let result = warped(map, ramp, area)
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let place = try #require(map.apply(to: SIMD2(Double(x), Double(y))))
        #expect(abs(result[x, y].x - light(place.x, place.y)) < 2e-6)
      }
    }
  }

  @Test func anyCuttingAndAnyThreadsGiveTheSameBits() {
    let area = Rectangle(x: -20, y: -10, width: 301, height: 143)
    let whole = warped(Self.turned, Self.picture, area)
    #expect(warped(Self.turned, Self.picture, area, threads: 5).pixels == whole.pixels)
    for piece in [
      Rectangle(x: -20, y: -10, width: 1, height: 143), Rectangle(x: 13, y: 21, width: 97, height: 3),
      Rectangle(x: 100, y: 40, width: 150, height: 90),
    ] {
      #expect(warped(Self.turned, Self.picture, piece).pixels == whole.image(piece).pixels)
    }
  }

  @Test func readsOnlyWhatItAsksFor() {
    let area = Rectangle(x: 20, y: 20, width: 64, height: 32)
    let warp = Warp(Self.turned, ambientBounds: Self.picture.bounds)
    let needed = warp.requiredRectangle(for: area)
    var cut = Self.picture
    for y in cut.bounds.y..<cut.bounds.maxY {
      for x in cut.bounds.x..<cut.bounds.maxX where !needed.contains(x: x, y: y) {
        cut.pixels[(y - cut.bounds.y) * cut.bounds.width + x - cut.bounds.x] = Pixel(repeating: .nan)
      }
    }
    #expect(needed.count < 2 * area.count)
    #expect(warped(Self.turned, cut, area).pixels == warped(Self.turned, Self.picture, area).pixels)
  }

  @Test func outsideIsTheNearestEdgeWithoutTrust() {
    let result = warped(.translation(x: 0.5, y: 0), Self.picture, Rectangle(x: 110, y: 20, width: 40, height: 1))
    let edge = Self.picture[112, 20]
    for x in 113..<150 {
      #expect(result[x, 20].w == 0)
      #expect(result[x, 20].rgb == edge.rgb)
    }
    #expect(result[111, 20].w == 1)
  }

  @Test func clippedUnknownAndEmptySamplesTakeTrustAway() {
    for bad in [Pixel(0.3, 1, 0.2, 1), Pixel(.nan, 0.1, 0.1, 1), Pixel(0.1, 0.1, 0.1, 0), Pixel(.infinity, 0, 0, 1)] {
      var picture = Image(Rectangle(width: 40, height: 40)) { _, _ in Pixel(0.2, 0.2, 0.2, 1) }
      picture.pixels[20 * 40 + 20] = bad
      let result = warped(.translation(x: 0.5, y: 0.5), picture, picture.bounds)
      for y in 0..<38 {
        for x in 0..<38 {
          // At half a pixel all four samples a direction count.
          let near = (18...21).contains(x) && (18...21).contains(y)
          // The product of two outer weights, 1/256, is negligible: the corners of the sixteen do not count.
          let corner = (x == 18 || x == 21) && (y == 18 || y == 21)
          if x > 0, y > 0 { #expect(result[x, y].w == (near && !corner ? 0 : 1)) }
          #expect(result[x, y].x.isFinite)
        }
      }
      #expect(warped(.identity, picture, picture.bounds)[20, 20].w == 0)
    }
  }

  @Test func partialAlphaStaysAboveZero() {
    let picture = Image(Rectangle(width: 20, height: 20)) { x, _ in Pixel(0.2, 0.2, 0.2, x == 10 ? 1e-6 : 0.5) }
    let result = warped(.translation(x: 0.25, y: 0), picture, Rectangle(x: 2, y: 2, width: 14, height: 4))
    #expect(result[10, 3].w == 1.0 / 256)
    #expect(result[4, 3].w == 0.5)
  }

  @Test func neverRingsBeyondItsSamples() {
    let picture = Image(Rectangle(width: 60, height: 60)) { x, y in
      Pixel(rgb: SIMD3(repeating: (x / 7 + y / 5) % 2 == 0 ? 0.001 : 0.95), alpha: 1)
    }
    let result = warped(Self.turned, picture, Rectangle(x: 5, y: 5, width: 45, height: 45))
    #expect(result.pixels.allSatisfy { $0.x >= 0.001 && $0.x <= 0.95 })
  }

  @Test func mapsBeyondTheHorizonAndEmptyFramesAreDefined() throws {
    let wild = try #require(Homography([1, 0, 0, 0, 1, 0, -0.01, 0, 1]))
    let area = Rectangle(x: 80, y: 0, width: 60, height: 20)
    let result = warped(wild, Self.picture, area)
    #expect(result.pixels.allSatisfy { $0.x.isFinite && $0.w.isFinite })
    #expect(result[130, 10] == .zero)
    #expect(warped(Self.turned, Image(Rectangle(width: 0, height: 0)), area).pixels.allSatisfy { $0 == .zero })
  }

  @Test func cancellationStopsTheWork() {
    let token = CancellationToken()
    token.cancel()
    var result = Image(Rectangle(width: 300, height: 300))
    result.withMutablePixels {
      Warp(Self.turned, ambientBounds: Self.picture.bounds).process(
        Rectangle(width: 300, height: 300), Self.picture, into: $0, execution: threaded(2, cancellation: token))
    }
    #expect(result.pixels.allSatisfy { $0 == .zero })
  }
}
