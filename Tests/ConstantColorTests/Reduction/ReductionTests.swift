import ConstantColor
import Raster
import Testing

@Suite struct ReductionTests {
  @Test func factorIsTheSmallestThatFits() {
    #expect(Reduction.factor(for: Rectangle(width: 4000, height: 3000), toAtMost: 1_000_000) == 4)
    #expect(Reduction.factor(for: Rectangle(width: 1000, height: 1000), toAtMost: 1_000_000) == 1)
    #expect(Reduction.factor(for: Rectangle(width: 0, height: 10), toAtMost: 100) == nil)
    let infinite = Rectangle(x: -(1 << 29), y: -(1 << 29), width: 1 << 30, height: 1 << 30)
    #expect(Reduction.factor(for: infinite, toAtMost: 100) == nil)
    #expect(reduced(Image(Rectangle(width: 0, height: 0))).image.bounds.isEmpty)
  }

  @Test func cellsAreMeansOnTheSourcesGrid() {
    let source = Image(Rectangle(x: -3, y: 5, width: 7, height: 5)) { x, y in Pixel(Float(x), Float(y), 0.25, 1) }
    let small = reduced(source, toAtMost: 12, clipping: .counted)
    #expect(small.factor == 2)
    #expect(small.image.bounds == Rectangle(width: 4, height: 3))
    #expect(small.image[0, 0] == Pixel(-2.5, 5.5, 0.25, 1))
    // The last column and row hold what is left.
    #expect(small.image[3, 2] == Pixel(3, 9, 0.25, 1))
  }

  @Test func undefinedPixelsAreLeftOutAndClippedOnesVoid() {
    var source = Image(Rectangle(width: 4, height: 2)) { _, _ in Pixel(0.2, 0.4, 0.6, 1) }
    source.pixels[0].x = .nan
    source.pixels[3].y = 1
    let counted = reduced(source, toAtMost: 2, clipping: .counted).image
    #expect(abs(counted[0, 0].x - 0.2) < 1e-6 && counted[0, 0].w == 1)
    #expect(abs(counted[1, 0].y - 0.55) < 1e-6)
    let voided = reduced(source, toAtMost: 2).image
    #expect(voided[1, 0].w == 0 && voided[0, 0].w == 1)
  }

  @Test func threadsDoNotMatter() {
    let source = SimulatedPair(.init(width: 300, height: 200)).flash
    #expect(
      reduced(source, toAtMost: 3000).image.pixels
        == reduced(source, toAtMost: 3000, execution: .scattered).image.pixels)
  }
}
