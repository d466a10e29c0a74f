import ColorScience
import Inspection
import JSONValue
import Raster
import Testing

struct ComparisonTests {
  private func compare(
    _ a: Image, _ b: Image, scaling: ColorDifference.Scaling = .none, radius: Int = 0
  ) throws -> PictureComparison {
    try #require(PictureComparison.measure(try ColorDifference(a, b, scaling: scaling, radius: radius)))
  }

  @Test func equalPicturesDoNotDiffer() throws {
    var numbers = Numbers(5)
    let picture = Image(Rectangle(width: 70, height: 30)) { _, _ in
      Pixel(Float(numbers.next()) - 0.2, Float(numbers.next()), Float(numbers.next()) * 2, 1)
    }
    let figures = try compare(picture, picture)
    #expect([figures.mean, figures.median, figures.p95, figures.max] == [0, 0, 0, 0])
    #expect(figures.within1 == 1 && figures.unknownCount == 0 && figures.pixelCount == 2100)
    #expect(try (compare(picture, picture, scaling: .luminance).max ?? 1) < 1e-4)
  }

  /// Pair 1 of Sharma, Wu and Dalal (2005): ΔE₀₀ is 2.0425.
  @Test func publishedDifference() throws {
    func picture(_ lab: Lab) -> Image { plain(SIMD3<Float>(RGBSpace.linearSRGB.fromXYZ * lab.xyz().vector)) }
    let (a, b) = (picture(Lab(50, 2.6772, -79.7751)), picture(Lab(50, 0, -82.7485)))
    let figures = try compare(a, b)
    for value in [figures.mean, figures.median, figures.p95, figures.max] {
      #expect(abs((value ?? 0) - 2.0425) < 2e-4)
    }
    #expect(figures.within1 == 0 && figures.within3 == 1)
  }

  @Test func percentilesAreThoseOfTheDifferences() throws {
    var numbers = Numbers(11)
    let grey = plain(SIMD3(repeating: 0.2), width: 999, height: 3)
    let other = Image(grey.bounds) { _, _ in
      Pixel(rgb: SIMD3(repeating: Float(0.2 + 0.3 * numbers.next())), alpha: 1)
    }
    let difference = try ColorDifference(grey, other)
    let sorted = difference.errors(in: grey.bounds).sorted().map { Double($0) }
    let figures = try compare(grey, other)
    #expect(abs((figures.median ?? 0) / sorted[1498] - 1) < 5e-4)
    #expect(abs((figures.p95 ?? 0) / sorted[2846] - 1) < 5e-4)
    #expect(figures.max == sorted.last)
  }

  @Test func brightnessCanBeLeftOut() throws {
    var numbers = Numbers(2)
    let picture = Image(Rectangle(width: 40, height: 20)) { _, _ in
      Pixel(Float(0.1 + numbers.next()), Float(0.1 + numbers.next()), Float(0.1 + numbers.next()), 1)
    }
    var darker = picture
    for index in darker.pixels.indices { darker.pixels[index] *= SIMD4(0.25, 0.25, 0.25, 1) }
    #expect(try compare(picture, darker).mean ?? 0 > 10)
    #expect(try (compare(picture, darker, scaling: .luminance).max ?? 1) < 1e-3)
    let scaled = try compare(picture, darker, scaling: .gain)
    #expect(abs(scaled.gain - 4) < 1e-6 && scaled.max ?? 1 < 1e-3)
    let black = plain(.zero, width: 40, height: 20)
    #expect(try compare(picture, black, scaling: .luminance).mean == 100)
    #expect(try compare(black, black, scaling: .luminance).mean == 0)
  }

  @Test func meansTakeNoiseOut() throws {
    let size = Rectangle(width: 30, height: 30)
    let grey = Image(size) { _, _ in Pixel(0.3, 0.3, 0.3, 1) }
    let noisy = Image(size) { x, y in
      Pixel(rgb: SIMD3(0.3 + ((x + y) % 2 == 0 ? 0.05 : -0.05), 0.3, 0.3), alpha: 1)
    }
    let (sharp, smooth) = (try compare(grey, noisy), try compare(grey, noisy, radius: 1))
    #expect((smooth.mean ?? 9) < (sharp.mean ?? 0) / 5)
  }

  @Test func voidPixelsAreNotCompared() throws {
    let a = row([SIMD3(0.1, 0.2, 0.3), SIMD3(.nan, 0, 0), SIMD3(0.1, 0.1, 0.1), SIMD3(1e38, 1e38, 1e38)])
    var b = row([SIMD3(0.1, 0.2, 0.3), SIMD3(0, 0, 0), SIMD3(0.9, 0.1, 0.1), SIMD3(0, .infinity, 0)])
    b.pixels[2].w = 0
    let figures = try compare(a, b)
    #expect(figures.pixelCount == 4 && figures.unknownCount == 3 && figures.max == 0)
    let none = try compare(row([SIMD3(.nan, .nan, .nan)]), row([.zero]))
    #expect(none.mean == nil && none.json["p95"] == .null)
  }

  @Test func sizesMustAgree() throws {
    #expect(throws: ComparisonError.self) { try ColorDifference(plain(.one), plain(.one, width: 5)) }
    #expect(throws: ComparisonError.self) {
      try ColorDifference(Image(Rectangle(width: 0, height: 0)), Image(Rectangle(width: 0, height: 0)))
    }
  }

  @Test func whereAPictureLiesDoesNotMatter() throws {
    var numbers = Numbers(8)
    let a = Image(Rectangle(width: 9, height: 7)) { _, _ in Pixel(Float(numbers.next()), 0.5, 0.5, 1) }
    let b = Image(Rectangle(x: -5, y: 40, width: 9, height: 7)) { x, y in a[x + 5, y - 40] }
    #expect(try compare(a, b).max == 0)
    var running = try #require(RunningComparison(try ColorDifference(a, b)))
    #expect(running.errors(inRows: 0..<3)?.count == 27)
    #expect(running.errors(inRows: 3..<99)?.count == 36)
    #expect(running.comparison.pixelCount == 63)
  }
}
