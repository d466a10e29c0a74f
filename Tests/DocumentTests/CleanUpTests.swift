import ColorScience
import Document
import Raster
import Testing

/// What is done to print once paper is white.
@Suite struct CleanUpTests {
  private func cleaned(_ rgb: SIMD3<Float>, _ style: PrintStyle, ink: Double = 20, paper: Double = 95) -> SIMD3<Float> {
    let image = Image(Rectangle(width: 1, height: 1)) { _, _ in Pixel(rgb: rgb, alpha: 1) }
    return CleanedPage(image, CleanUp(style, PrintLevels(ink: ink, paper: paper))).image(image.bounds).pixels[0].rgb
  }

  private func lab(_ rgb: SIMD3<Float>) -> Lab { Lab(XYZ(RGBSpace.sRGB.toXYZ * SIMD3<Double>(rgb))) }

  @Test func endsAreWhiteAndBlack() {
    for style in [PrintStyle.color, .grey, .bilevel] {
      #expect(cleaned(SIMD3(repeating: 0.9), style) == SIMD3(repeating: 1))
      #expect(cleaned(SIMD3(0.93, 0.9, 0.88), style).min() > 0.999)
      #expect(cleaned(SIMD3(1.2, 1.1, 1.3), style).min() > 0.999)
      #expect(cleaned(SIMD3(repeating: 0.02), style).max() < 1e-3)
      #expect(cleaned(SIMD3(repeating: -0.5), style).max() < 1e-3)
    }
  }

  @Test func coloursStay() {
    for color in [SIMD3<Float>(0.4, 0.1, 0.1), SIMD3(0.05, 0.2, 0.5), SIMD3(0.7, 0.6, 0.1), SIMD3(0.03, 0.08, 0.02)] {
      let off = lab(cleaned(color, .color)).ciede2000(to: lab(color))
      #expect(off < 0.5 || lab(color).chroma < 20, "\(color): \(off)")
    }
    // Middle greys, too.
    #expect(abs(cleaned(SIMD3(repeating: 0.3), .color).y - 0.3) < 1e-3)
  }

  @Test func fringesOfBlackLettersAreGreyAndThinColouredOnesAreNot() {
    func lines(_ color: @escaping (Int) -> SIMD3<Float>) -> [Double] {
      let page = Image(Rectangle(width: 40, height: 20)) { x, _ in
        Pixel(rgb: x % 8 < 3 ? color(x % 8) : SIMD3(repeating: 1), alpha: 1)
      }
      let clean = CleanedPage(page, CleanUp(.color, PrintLevels(ink: 20, paper: 95))).image(page.bounds)
      return (16..<19).map { lab(clean[$0, 10].rgb).chroma }
    }
    // Red on the left of a stroke, blue on its right, as demosaicing has it.
    let fringes = lines { [SIMD3(0.5, 0.3, 0.25), SIMD3(0.05, 0.05, 0.05), SIMD3(0.25, 0.3, 0.5)][$0] }
    #expect(fringes.max() ?? 9 < 1)
    let red = lines { _ in SIMD3(0.5, 0.05, 0.05) }
    #expect(red.min() ?? 0 > 50)
  }

  @Test func blurredStrokesAreInkAndGreyAreasStay() {
    let page = Image(Rectangle(width: 60, height: 40)) { x, y in
      let grey: Float = x < 30 ? (x % 10 == 5 ? 0.25 : 1) : 0.25
      return Pixel(grey, grey, grey, 1)
    }
    let clean = CleanedPage(page, CleanUp(.color, PrintLevels(ink: 20, paper: 95))).image(page.bounds)
    #expect(lab(clean[15, 20].rgb).lightness < 30)
    #expect(clean[10, 20].rgb.min() > 0.999)
    #expect(abs(clean[45, 20].y - 0.25) < 1e-3)
  }

  @Test func theBendNeverGoesDown() {
    var last: Float = -1
    for step in 0...400 {
      let value = cleaned(SIMD3(repeating: Float(step) / 380), .grey).x
      #expect(value >= last)
      last = value
    }
  }

  @Test func stylesAreWhatTheySay() {
    let color = SIMD3<Float>(0.5, 0.2, 0.1)
    let grey = cleaned(color, .grey)
    #expect(grey.x == grey.y && grey.y == grey.z && abs(grey.x - 0.2565) < 0.01)
    #expect([0, 1].contains(cleaned(color, .bilevel).x))
    #expect(cleaned(color, .plain) == color)
    for style in PrintStyle.allCases {
      for value: Float in [.nan, .infinity, -.infinity, 1e30] {
        let result = cleaned(SIMD3(value, 0.5, 0.5), style)
        #expect(result.min() >= 0 && result.max() <= 1)
      }
    }
  }

  @Test func levelsAreMeasured() {
    let page = SyntheticPage()
    guard let paper = PaperWhite.find(in: page.image) else {
      Issue.record("no paper")
      return
    }
    let levels = PrintLevels.measure(EvenedPicture(page.image, paper))
    #expect(abs(levels.ink - 26.7) < 2)
    #expect(levels.paper > 88 && levels.paper < 97)
    #expect(PrintLevels.measure(Image(Rectangle(width: 0, height: 0))) == PrintLevels())
  }
}
