import Document
import Raster
import Testing

/// The white of paper is found whatever is printed on it.
@Suite struct PaperWhiteTests {
  /// The largest deviation from the paper's true white, in parts, away from the edge of the picture.
  private func worst(_ page: SyntheticPage, outside area: Rectangle? = nil) throws -> Float {
    let paper = try #require(PaperWhite.find(in: page.image))
    var worst: Float = 0
    for y in stride(from: 12, to: page.height - 12, by: 9) {
      for x in stride(from: 12, to: page.width - 12, by: 9) where !(area?.contains(x: x, y: y) ?? false) {
        let truth = SyntheticPage.paper * page.light(x, y)
        let off = paper.white(at: SIMD2(Double(x), Double(y))) / truth - SIMD3(repeating: 1)
        worst = max(worst, max(abs(off.x), abs(off.y), abs(off.z)))
      }
    }
    return worst
  }

  @Test func falloffIsFollowedUnderWriting() throws {
    let page = SyntheticPage()
    #expect(try worst(page) < 0.025)
    let paper = try #require(PaperWhite.find(in: page.image))
    #expect(paper.paperFraction > 0.9)
    #expect(!paper.isColored)
    #expect(paper.evenness.before.spread > 20)
    #expect(paper.evenness.after.spread < 2)
  }

  @Test(arguments: [SIMD3<Float>(0.8, 0.8, 0.8), SIMD3(0.6, 0.6, 0.6), SIMD3(0.95, 0.85, 0.3), SIMD3(0.1, 0.12, 0.4)])
  func picturesAreNotPaper(_ color: SIMD3<Float>) throws {
    var page = SyntheticPage()
    let area = Rectangle(x: 140, y: 180, width: 200, height: 240)
    page.box = (area, color)
    #expect(try worst(page) < 0.04)
    // The picture keeps what it reflects relative to paper.
    let paper = try #require(PaperWhite.find(in: page.image))
    let even = EvenedPicture(page.image, paper).image(Rectangle(x: 220, y: 280, width: 40, height: 40))
    let mean = even.pixels.reduce(Pixel.zero, +).rgb / Float(even.pixels.count)
    let off = mean / color - SIMD3(repeating: 1)
    #expect(max(abs(off.x), abs(off.y), abs(off.z)) < 0.05, "\(off)")
  }

  @Test func aDarkHalfDoesNotPullTheLightDown() throws {
    var page = SyntheticPage()
    page.box = (Rectangle(x: 0, y: 330, width: 480, height: 310), SIMD3(0.08, 0.08, 0.08))
    #expect(try worst(page, outside: Rectangle(x: 0, y: 320, width: 480, height: 320)) < 0.03)
  }

  @Test func glareIsEvenedAndStaysWhereItIs() throws {
    var page = SyntheticPage()
    page.glare = (SIMD2(300, 220), 0.5)
    let around = Rectangle(x: 230, y: 150, width: 140, height: 140)
    #expect(try worst(page, outside: around) < 0.03)
  }

  @Test func glareIsFilledFromAnotherPicture() throws {
    var page = SyntheticPage()
    page.hasWriting = false
    page.box = (Rectangle(x: 296, y: 216, width: 8, height: 8), SIMD3(repeating: 0.05))
    #expect(try !#require(PaperWhite.find(in: page.image)).hasGlare)
    let other = page.image
    page.glare = (SIMD2(300, 220), 3)
    let paper = try #require(PaperWhite.find(in: page.image))
    #expect(paper.hasGlare)
    let area = Rectangle(x: 280, y: 200, width: 40, height: 40)
    let washed = EvenedPicture(page.image, paper).image(area)[300, 220]
    let filled = GlareFilled(page.image, paper, other: other).image(area)
    #expect(washed.y > 1)
    #expect(abs(filled[300, 220].y - 0.05) < 0.03 && abs(filled[285, 205].y - 1) < 0.1)
  }

  @Test func whatIsOutsideThePageDoesNotCount() throws {
    var page = SyntheticPage()
    let corners = [SIMD2(60.0, 50), SIMD2(430, 70), SIMD2(410, 590), SIMD2(40, 560)]
    page.corners = corners
    page.desk = 1.4
    let outline = try #require(PageOutline(corners: corners))
    let paper = try #require(PaperWhite.find(in: page.image, within: outline))
    let off = paper.white(at: SIMD2(240, 320)) / (SyntheticPage.paper * page.light(240, 320))
    #expect(abs(off.y - 1) < 0.02)
    #expect(try #require(paper.marginFraction) > 0.9)
  }

  @Test func colouredPaperKeepsItsColour() throws {
    let yellow = Image(Rectangle(width: 200, height: 160)) { x, y in Pixel(0.8, 0.7, 0.2, 1) * (1 - 0.002 * Float(x)) }
    let paper = try #require(PaperWhite.find(in: yellow))
    #expect(paper.isColored)
    let even = EvenedPicture(yellow, paper).image(Rectangle(x: 100, y: 80, width: 1, height: 1)).pixels[0]
    #expect(abs(even.x / even.z - 4) < 0.1)
  }

  @Test func nothingIsNoPaper() {
    func size(_ width: Int, _ height: Int, _ pixel: Pixel) -> Image {
      Image(Rectangle(width: width, height: height)) { _, _ in pixel }
    }
    #expect(PaperWhite.find(in: size(0, 0, .zero)) == nil)
    #expect(PaperWhite.find(in: size(1, 1, Pixel(1, 1, 1, 1))) == nil)
    for value: Float in [0, -1, .nan, .infinity] {
      #expect(PaperWhite.find(in: size(64, 64, Pixel(value, value, value, 1))) == nil)
    }
  }
}
