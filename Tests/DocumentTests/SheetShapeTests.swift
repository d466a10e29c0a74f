import Document
import Glibc
import Raster
import Testing

/// The proportion of a sheet, and its straight picture.
@Suite struct SheetShapeTests {
  /// The corners of a sheet of a width of 1 in a pinhole camera of 1200 × 1600 pixels.
  private func seen(height: Double, focalLength: Double, turns: (Double, Double, Double), distance: Double)
    -> PageOutline?
  {
    let corners = [SIMD2(-0.5, -0.5), SIMD2(0.5, -0.5), SIMD2(0.5, 0.5), SIMD2(-0.5, 0.5)].map { corner in
      var (x, y, z) = (corner.x, corner.y * height, 0.0)
      (x, y) = (x * cos(turns.2) - y * sin(turns.2), x * sin(turns.2) + y * cos(turns.2))
      (x, z) = (x * cos(turns.0), -x * sin(turns.0))
      (y, z) = (y * cos(turns.1) - z * sin(turns.1), y * sin(turns.1) + z * cos(turns.1))
      return SIMD2(599.5 + focalLength * x / (z + distance), 799.5 + focalLength * y / (z + distance))
    }
    return PageOutline(corners: corners)
  }

  @Test(arguments: [1.4142, 1.294, 1.0, 0.7]) func proportionComesFromTheCorners(_ height: Double) throws {
    for turns in [(0.3, 0.25, 0.1), (-0.4, 0.2, 0.0), (0.2, -0.35, -0.05)] {
      for focalLength in [1300.0, 2100] {
        let outline = try #require(
          seen(height: height, focalLength: focalLength, turns: turns, distance: focalLength / 700))
        let ratio = SheetShape.aspectRatio(of: outline, center: SIMD2(599.5, 799.5), diagonal: 2000)
        #expect(abs(ratio * height - 1) < 0.005, "\(turns) \(ratio)")
        let known = SheetShape.aspectRatio(
          of: outline, center: SIMD2(599.5, 799.5), focalLength: focalLength, diagonal: 2000)
        #expect(abs(known * height - 1) < 0.001)
      }
    }
  }

  @Test func fromAboveTheSidesTell() throws {
    let outline = try #require(seen(height: 1.4142, focalLength: 1500, turns: (0, 0, 0.03), distance: 2))
    let ratio = SheetShape.aspectRatio(of: outline, center: SIMD2(599.5, 799.5), diagonal: 2000)
    #expect(abs(ratio * 1.4142 - 1) < 0.001)
    // One axis alone tells no focal length: a usual one is taken.
    let leaning = try #require(seen(height: 1.4142, focalLength: 1600, turns: (0.25, 0, 0), distance: 2))
    let guess = SheetShape.aspectRatio(of: leaning, center: SIMD2(599.5, 799.5), diagonal: 2000)
    #expect(abs(guess * 1.4142 - 1) < 0.03)
  }

  @Test func theStraightPageIsTheOutline() throws {
    let corners = [SIMD2(70.0, 60), SIMD2(421, 84), SIMD2(396, 578), SIMD2(45, 540)]
    let outline = try #require(PageOutline(corners: corners))
    let map = try #require(SheetShape.homography(to: outline, width: 200, height: 300))
    let ends = [SIMD2(-0.5, -0.5), SIMD2(199.5, -0.5), SIMD2(199.5, 299.5), SIMD2(-0.5, 299.5)]
    for (end, corner) in zip(ends, corners) {
      let image = try #require(map.apply(to: end))
      #expect(hypot(image.x - corner.x, image.y - corner.y) < 1e-6)
    }
    #expect(outline.turned(quarters: 1).corners[0] == corners[3])
    #expect(outline.turned(quarters: 4) == outline)
    let inner = outline.inset(by: 2)
    #expect(inner.area < outline.area && inner.corners[0].x > corners[0].x && inner.corners[0].y > corners[0].y)
  }

  @Test func aTurnedPageIsACopy() throws {
    let image = Image(Rectangle(width: 3, height: 2)) { x, y in Pixel(Float(x), Float(y), 0, 1) }
    let whole = try #require(
      PageOutline(corners: [SIMD2(-0.5, -0.5), SIMD2(2.5, -0.5), SIMD2(2.5, 1.5), SIMD2(-0.5, 1.5)]))
    let page = try #require(FlattenedPage(image, whole.turned(quarters: 1), width: 2, height: 3))
    let turned = page.image(page.bounds)
    // Clockwise: the top right was the top left.
    #expect(abs(turned[1, 0].x - 0) < 1e-5 && abs(turned[1, 0].y - 0) < 1e-5)
    #expect(abs(turned[0, 2].x - 2) < 1e-5 && abs(turned[0, 2].y - 1) < 1e-5)
  }

  @Test func badOutlines() {
    let crossed = [SIMD2(0.0, 0), SIMD2(10, 10), SIMD2(10, 0), SIMD2(0, 10)]
    let around = [SIMD2(0.0, 0), SIMD2(0, 10), SIMD2(10, 10), SIMD2(10, 0)]
    let line = [SIMD2(0.0, 0), SIMD2(5, 0), SIMD2(10, 0), SIMD2(0, 10)]
    for corners in [crossed, around, line, [], [SIMD2(.nan, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)]] {
      #expect(PageOutline(corners: corners) == nil)
    }
  }

  @Test func papers() throws {
    #expect(PaperFormat("A4")?.height == 297)
    #expect(PaperFormat("120x80").map { [$0.width, $0.height] } == [80, 120])
    for text in ["a9", "", "x", "10x", "5x20", "1e9x3", "nanx20"] { #expect(PaperFormat(text) == nil) }
    #expect(PaperFormat.likely(aspectRatio: 1.41).name == "a4")
    #expect(PaperFormat.likely(aspectRatio: 0.773).name == "letter")
    #expect(PaperFormat.likely(aspectRatio: 1).name == nil)
    #expect(try #require(PaperFormat("a5")).size(aspectRatio: 1.3) == (210, 148))
  }
}
