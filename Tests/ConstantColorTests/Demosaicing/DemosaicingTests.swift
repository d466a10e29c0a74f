import ConstantColor
import Raster
import Testing

@Suite struct DemosaicingTests {
  static let patterns: [CFAPattern] = [.rggb, .bggr, .grbg, .gbrg, .xTrans, .xTrans.shifted(x: 2, y: 1)]

  /// The mosaic of a scene that is known at every place.
  static func mosaic(
    _ pattern: CFAPattern, width: Int = 53, height: Int = 41, levels: SampleLevels = SampleLevels(black: 0, white: 1),
    _ scene: (Int, Int) -> SIMD3<Float>
  ) -> Mosaic {
    let samples = (0..<width * height).map { scene($0 % width, $0 / width)[pattern[$0 % width, $0 / width]] }
    return Mosaic(SensorSamples(samples, width: width, height: height), pattern: pattern, levels: levels)
  }

  static func picture(_ mosaic: Mosaic, neutral: SIMD3<Double> = SIMD3(0.5, 1, 0.6)) -> Image {
    let frame = DemosaicedFrame(mosaic, neutral: neutral)
    return frame.image(frame.bounds)
  }

  /// Numbers of a sensor that look random.
  static func noise(_ count: Int, _ seed: UInt64 = 7) -> [UInt16] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt16(truncatingIfNeeded: 200 + (state >> 33) % 3000)
    }
  }

  @Test(arguments: patterns) func constantColoursAndRampsAreReproduced(_ pattern: CFAPattern) {
    let color = SIMD3<Float>(0.31, 0.62, 0.17)
    for pixel in Self.picture(Self.mosaic(pattern) { _, _ in color }).pixels {
      // Exactly with Bayer's array, where weights cancel; elsewhere as exactly as floats add up.
      if pattern.isBayer { #expect(pixel.rgb == color) }
      #expect((pixel.rgb - color).max() < 1e-6 && (color - pixel.rgb).max() < 1e-6)
    }
    // A ramp of light, white in this light; edges continue with what stands there, so they are left out.
    let ramp = Self.mosaic(pattern) { x, y in SIMD3(0.5, 1, 0.6) * (0.1 + Float(x) / 128 + Float(y) / 256) }
    let picture = Self.picture(ramp)
    for y in 6..<35 {
      for x in 6..<47 {
        let expected = SIMD3<Float>(0.5, 1, 0.6) * (0.1 + Float(x) / 128 + Float(y) / 256)
        let error = picture[x, y].rgb - expected
        #expect(max(error.max(), -error.min()) < 2e-6)
      }
    }
  }

  @Test(arguments: patterns) func twiceTheLightGivesTwiceTheValues(_ pattern: CFAPattern) {
    let black: UInt16 = 64
    let one = Self.noise(53 * 41).map { black + $0 / 4 }
    let two = one.map { black + 2 * ($0 - black) }
    let levels = SampleLevels(black: Float(black), white: 16383)
    func picture(_ samples: [UInt16]) -> [Pixel] {
      Self.picture(Mosaic(SensorSamples(samples, width: 53, height: 41), pattern: pattern, levels: levels)).pixels
    }
    for (a, b) in zip(picture(one), picture(two)) { #expect(b.rgb == 2 * a.rgb) }
  }

  @Test func measuredSamplesAreKept() {
    let samples = Self.noise(64 * 48)
    let levels = SampleLevels(columns: 2, rows: 2, black: [250, 256, 257, 262], white: SIMD3(3900, 4000, 4095))
    let mosaic = Mosaic(SensorSamples(samples, width: 64, height: 48), pattern: .grbg, levels: levels)
    let picture = Self.picture(mosaic)
    for y in 0..<48 {
      for x in 0..<64 {
        let color = CFAPattern.grbg[x, y]
        let black = levels.black(x: x, y: y)
        #expect(picture[x, y][color] == (Float(samples[y * 64 + x]) - black) / (levels.white[color] - black))
      }
    }
  }

  @Test func theFourPhasesAreOnePictureShifted() {
    let samples = Self.noise(60 * 44)
    let levels = SampleLevels(black: 256, white: 4095)
    let whole = Self.picture(Mosaic(SensorSamples(samples, width: 60, height: 44), pattern: .rggb, levels: levels))
    for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
      let part = (0..<(60 - dx) * (44 - dy)).map { samples[($0 / (60 - dx) + dy) * 60 + $0 % (60 - dx) + dx] }
      let pattern = CFAPattern.rggb.shifted(x: dx, y: dy)
      #expect(pattern == [.grbg, .gbrg, .bggr][dx + 2 * dy - 1])
      let shifted = Self.picture(
        Mosaic(SensorSamples(part, width: 60 - dx, height: 44 - dy), pattern: pattern, levels: levels))
      for y in 2..<40 { for x in 2..<56 { #expect(shifted[x, y] == whole[x + dx, y + dy]) } }
    }
  }

  @Test(arguments: patterns) func anyCuttingGivesTheSameBits(_ pattern: CFAPattern) {
    var samples = Self.noise(1100 * 37)
    // Clipped ones here and there, so that both ways through the filter meet.
    for index in stride(from: 300, to: samples.count, by: 7919) { samples[index] = 4095 }
    let mosaic = Mosaic(
      SensorSamples(samples, width: 1100, height: 37), pattern: pattern, levels: SampleLevels(black: 256, white: 4095),
      visible: Rectangle(x: 3, y: 1, width: 1091, height: 33))
    for frame in [DemosaicedFrame(mosaic) as any PixelSource, SuperpixelFrame(mosaic)] {
      let whole = frame.image(frame.bounds)
      for width in [1, 7, 64, 333, 600] {
        for height in [1, 5, 16] {
          for x in stride(from: 0, to: frame.bounds.width, by: width * 5 + 31) {
            let area = Rectangle(x: x, y: (x * 7) % frame.bounds.height, width: width, height: height)
            let part = frame.image(area)
            for row in area.y..<area.maxY {
              // Beyond the edges the nearest pixel is repeated.
              for column in area.x..<area.maxX { #expect(part[column, row] == whole[column, row]) }
            }
          }
        }
      }
    }
  }

  @Test(arguments: patterns) func clippingIsMarkedExactly(_ pattern: CFAPattern) {
    let (width, height) = (40, 31)
    var samples = Self.noise(width * height)
    for index in stride(from: 11, to: samples.count, by: 97) { samples[index] = UInt16(4000 + index % 200) }
    let levels = SampleLevels(black: [256], white: SIMD3(4000, 4100, 4050))
    let mosaic = Mosaic(SensorSamples(samples, width: width, height: height), pattern: pattern, levels: levels)
    let picture = Self.picture(mosaic)
    var marked = 0
    for y in 0..<height {
      for x in 0..<width {
        for color in 0..<3 {
          let around = (max(0, y - 1)...min(height - 1, y + 1)).flatMap { row in
            (max(0, x - 1)...min(width - 1, x + 1)).map { ($0, row) }
          }
          let isClipped = around.contains { column, row in
            pattern[column, row] == color && Float(samples[row * width + column]) >= levels.white[color]
          }
          #expect((picture[x, y][color] >= 1) == isClipped)
          if isClipped { marked += 1 }
        }
      }
    }
    #expect(marked > 50)
  }

  /// An edge from black to nearly white makes filters overshoot; nothing unclipped may look clipped.
  @Test func overshootingIsNoClipping() {
    let picture = Self.picture(
      Self.mosaic(.rggb) { x, y in SIMD3(repeating: (x / 3 + y / 5) % 2 == 0 ? 0.999 : 0.001) })
    #expect(picture.pixels.allSatisfy { $0.rgb.max() < 1 })
    #expect(picture.pixels.contains { $0.rgb.max() > 0.9999 })
  }

  @Test(arguments: patterns) func darkFramesAverageToZeroWithTheNoiseThatIsSaid(_ pattern: CFAPattern) {
    // The sum of twelve uniform numbers: noise of a standard deviation near 20 around a black level of 256.
    let (width, height) = (600, 400)
    let uniform = Self.noise(width * height * 12, 3)
    let samples = (0..<width * height).map { index in
      256 + ((0..<12).reduce(Float(0)) { $0 + Float(uniform[index * 12 + $1]) } / 12 - 1699.5) / 12.5
    }
    let deviation = samples.reduce(0.0) { $0 + (Double($1) - 256) * (Double($1) - 256) } / Double(samples.count)
    let mosaic = Mosaic(
      SensorSamples(samples, width: width, height: height), pattern: pattern,
      levels: SampleLevels(black: 256, white: 1256))
    let frame = DemosaicedFrame(mosaic, neutral: SIMD3(0.5, 1, 0.6))
    let pixels = frame.image(frame.bounds).pixels
    for color in 0..<3 {
      let mean = pixels.reduce(0.0) { $0 + Double($1[color]) } / Double(pixels.count)
      let variance = pixels.reduce(0.0) { $0 + Double($1[color]) * Double($1[color]) } / Double(pixels.count)
      let expected = deviation / 1e6 * frame.varianceFactors[color].sum()
      #expect(abs(variance / expected - 1) < 0.03)
      // A ninth to a half of the samples are of the colour.
      let standardError: Double = (deviation / 1e6 / Double(width * height / 9)).squareRoot()
      #expect(abs(mean) < 4 * standardError)
    }
    #expect(pixels.count { $0.y < 0 } > pixels.count * 2 / 5)
  }

  @Test(arguments: patterns) func meansHaveTheNoiseOfTheirSamples(_ pattern: CFAPattern) {
    // Equal noise in all samples, as of shot noise in white with a neutral of 1.
    let (width, height, side) = (720, 480, 24)
    let uniform = Self.noise(width * height * 12, 5)
    let samples = (0..<width * height).map { index in
      Float(500) + ((0..<12).reduce(Float(0)) { $0 + Float(uniform[index * 12 + $1]) } / 12 - 1699.5) / 12.5
    }
    let mosaic = Mosaic(
      SensorSamples(samples, width: width, height: height), pattern: pattern,
      levels: SampleLevels(black: 0, white: 1000)
    )
    let frame = DemosaicedFrame(mosaic)
    let image = frame.image(frame.bounds)
    let small = reduced(image, toAtMost: width * height / side / side).image
    for color in 0..<3 {
      func variance(_ pixels: [Pixel]) -> Double {
        let mean = pixels.reduce(0.0) { $0 + Double($1[color]) } / Double(pixels.count)
        return pixels.reduce(0.0) { $0 + (Double($1[color]) - mean) * (Double($1[color]) - mean) }
          / Double(pixels.count)
      }
      let found = variance(small.pixels) * Double(side * side) / variance(image.pixels)
      // Six hundred means know their variance to 6 %; they end in the middle of the filters.
      #expect(abs(found / frame.noiseCorrelation[color] - 1) < 0.25, "\(color): \(found)")
    }
  }

  @Test func columnsAndRowsHaveBlackLevelsOfTheirOwn() {
    let levels = SampleLevels(
      columns: 2, rows: 2, black: [100, 110, 120, 130], columnBlack: (0..<30).map { Float($0) / 4 },
      rowBlack: (0..<20).map { Float($0) / 2 }, white: SIMD3(repeating: 1000))
    let samples = (0..<600).map { levels.black(x: $0 % 30, y: $0 / 30) }
    let mosaic = Mosaic(SensorSamples(samples, width: 30, height: 20), pattern: .bggr, levels: levels)
    for pixel in Self.picture(mosaic).pixels { #expect((pixel.rgb * pixel.rgb).max() < 1e-12) }
  }

  @Test func samplesOutsideTheCropServeItsEdges() {
    let samples = Self.noise(50 * 40)
    let levels = SampleLevels(black: 256, white: 4095)
    let all = SensorSamples(samples, width: 50, height: 40)
    let crop = Rectangle(x: 5, y: 8, width: 30, height: 25)
    let whole = Self.picture(Mosaic(all, pattern: .gbrg, levels: levels))
    let cropped = Self.picture(Mosaic(all, pattern: .gbrg, levels: levels, visible: crop))
    #expect(cropped.bounds == Rectangle(width: 30, height: 25))
    for y in 0..<25 { for x in 0..<30 { #expect(cropped[x, y] == whole[x + 5, y + 8]) } }
  }

  @Test func smallFramesAndNumbersThatAreNoneAreDefined() {
    for (width, height) in [(0, 0), (1, 1), (1, 9), (2, 2), (3, 2), (5, 7)] {
      let floats = (0..<width * height).map { $0 % 3 == 0 ? Float.nan : $0 % 3 == 1 ? .infinity : -.infinity }
      for pattern in Self.patterns {
        let mosaic = Mosaic(
          SensorSamples(floats, width: width, height: height), pattern: pattern,
          levels: SampleLevels(black: [.nan], white: SIMD3(.nan, -1, .infinity)))
        for frame in [DemosaicedFrame(mosaic) as any PixelSource, SuperpixelFrame(mosaic)] {
          let image = frame.image(Rectangle(x: -2, y: -2, width: width + 4, height: height + 4))
          #expect(image.pixels.allSatisfy { $0.rgb.min().isFinite && $0.rgb.max().isFinite })
        }
      }
    }
  }

  @Test func superpixelsAreMeansOfSquares() {
    let samples = Self.noise(41 * 31)
    let levels = SampleLevels(black: 256, white: 4095)
    let mosaic = Mosaic(SensorSamples(samples, width: 41, height: 31), pattern: .grbg, levels: levels)
    let frame = SuperpixelFrame(mosaic)
    #expect(frame.bounds == Rectangle(width: 20, height: 15))
    let picture = frame.image(frame.bounds)
    func value(_ x: Int, _ y: Int) -> Float { (Float(samples[y * 41 + x]) - 256) / 3839 }
    for y in 0..<15 {
      for x in 0..<20 {
        let green = (value(2 * x, 2 * y) + value(2 * x + 1, 2 * y + 1)) / 2
        let error = picture[x, y].rgb - SIMD3(value(2 * x + 1, 2 * y), green, value(2 * x, 2 * y + 1))
        #expect((error * error).max() < 1e-12)
      }
    }
    let xTrans = Self.mosaic(.xTrans) { _, _ in SIMD3(0.2, 0.5, 0.3) }
    #expect(SuperpixelFrame(xTrans).side == 3)
    for pixel in SuperpixelFrame(xTrans).image(SuperpixelFrame(xTrans).bounds).pixels {
      let error = pixel.rgb - SIMD3<Float>(0.2, 0.5, 0.3)
      #expect((error * error).max() < 1e-12)
    }
  }

  /// Edges of a scene with colours, demosaiced with and without knowing how white looks.
  @Test func knowingHowWhiteLooksKeepsEdgesFreeOfColour() {
    let neutral = SIMD3<Float>(0.5, 1, 0.6)
    func scene(_ x: Int, _ y: Int) -> SIMD3<Float> {
      // Stripes of grey, softened as a lens does.
      let phase = Float((x * 3 + y * 5) % 37) / 37
      return neutral * (0.2 + 0.6 * (phase < 0.5 ? phase : 1 - phase))
    }
    func error(_ neutral: SIMD3<Double>) -> Float {
      let picture = Self.picture(Self.mosaic(.rggb, scene), neutral: neutral)
      var sum: Float = 0
      for y in 4..<37 {
        for x in 4..<49 {
          let d = picture[x, y].rgb - scene(x, y)
          sum += (d * d).sum()
        }
      }
      return sum
    }
    #expect(error(SIMD3(0.5, 1, 0.6)) < 0.5 * error(SIMD3(repeating: 1)))
  }
}
