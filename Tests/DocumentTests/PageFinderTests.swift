import ConstantColor
import Document
import Glibc
import Raster
import Testing

/// Pages are found by their edges, or not at all.
@Suite struct PageFinderTests {
  private static let tilted = [SIMD2(70.3, 60.7), SIMD2(421.6, 84.2), SIMD2(396.4, 578.9), SIMD2(45.8, 540.1)]

  /// The largest distance between what was found and the truth, in pixels.
  private func error(_ page: SyntheticPage) throws -> Double {
    guard case .page(let outline, let cut) = PageFinder.find(in: page.image) else {
      Issue.record("no page was found")
      return .infinity
    }
    #expect(cut.isEmpty)
    return zip(outline.corners, page.corners ?? []).map { hypot($0.x - $1.x, $0.y - $1.y) }.max() ?? .infinity
  }

  @Test(arguments: [Float(0.05), 0.25, 0.55]) func cornersAreExact(_ desk: Float) throws {
    var page = SyntheticPage()
    (page.corners, page.desk) = (Self.tilted, desk)
    #expect(try error(page) < 0.6)
  }

  @Test func aPictureOnThePageIsNotThePage() throws {
    var page = SyntheticPage()
    page.corners = Self.tilted
    page.box = (Rectangle(x: 130, y: 160, width: 220, height: 300), SIMD3(0.2, 0.3, 0.5))
    #expect(try error(page) < 0.6)
  }

  @Test func aPageMayReachOverTheEdge() throws {
    var page = SyntheticPage()
    page.corners = [SIMD2(60, -80), SIMD2(430, -80), SIMD2(420, 560), SIMD2(70, 570)]
    guard case .page(let outline, let cut) = PageFinder.find(in: page.image) else {
      Issue.record("no page was found")
      return
    }
    #expect(cut == [0])
    #expect(abs(outline.corners[2].x - 420) < 1 && abs(outline.corners[2].y - 560) < 1)
  }

  @Test func paperFromEdgeToEdge() { #expect(PageFinder.find(in: SyntheticPage().image) == .fillsFrame) }

  @Test func picturesWithoutPage() {
    let size = Rectangle(width: 320, height: 240)
    let waves = Image(size) { x, y in
      let value = 0.3 + 0.2 * sin(Float(x) * 0.05) * cos(Float(y) * 0.07)
      return Pixel(value, value * 0.7, value * 0.5, 1)
    }
    #expect(PageFinder.find(in: waves) == .nothing)
    // A bright thing that is no sheet.
    let ball = Image(size) { x, y in
      let value: Float = hypot(Float(x) - 160, Float(y) - 120) < 90 ? 0.8 : 0.1
      return Pixel(value, value, value, 1)
    }
    #expect(PageFinder.find(in: ball) == .nothing)
    #expect(PageFinder.find(in: Image(Rectangle(width: 0, height: 0))) == .nothing)
    #expect(
      PageFinder.find(in: Image(Rectangle(width: 40, height: 40)) { _, _ in Pixel(.nan, 1, 1, 1) }) != .fillsFrame)
  }
}
