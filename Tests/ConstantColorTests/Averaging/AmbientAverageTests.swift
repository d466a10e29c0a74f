import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct AmbientAverageTests {
  // MARK: noise

  @Test(arguments: [2, 4, 8]) func noiseFallsWithTheNumberOfFrames(_ count: Int) {
    let result = Burst.average((0..<count).map { Burst.frame(UInt64($0 + 1)) })
    #expect(result.kernel.used.count == count)
    let error = Burst.error(result.picture)
    #expect(abs(error.variance * Float(count) - 1) < 0.05, "\(error)")
    #expect(abs(error.mean) < 0.02)
    #expect(result.picture.pixels.count { $0.w < 1 } * 50 < Burst.bounds.count)
    #expect(result.census.rejected.reduce(0, +) * 200 < result.census.voting.reduce(0, +), "\(result.census)")
  }

  @Test func aSingleFrameComesThroughUntouched() {
    let frame = Burst.frame(1)
    #expect(Burst.average([frame]).picture.pixels == frame.pixels)
  }

  @Test(arguments: [SIMD3<Float>(1.2, 1.2, 1.2), SIMD3(2, 2, 2), SIMD3(0.4, 0.5, 0.6)])
  func otherExposuresAreMeasured(_ exposure: SIMD3<Float>) {
    let frames = [Burst.frame(1), Burst.frame(2, exposure: exposure), Burst.frame(3)]
    let result = Burst.average(frames)
    let gain = result.kernel.matches[1].gain * exposure
    #expect(abs(gain - 1).max() < 0.005, "\(gain)")
    let error = Burst.error(result.picture)
    #expect(abs(error.mean) < 0.03)
    // Twice the light is less than half the noise: precision adds up.
    let more = exposure.sum() / 3
    #expect(error.variance < 1.08 / (2 + more) && error.variance > 0.85 / (2 + more * 1.1), "\(error)")
  }

  @Test func framesTooDarkToTellFollowTheirMetadata() {
    func dark(_ seed: UInt64, _ level: Float) -> Image {
      var random = SimulatedNoise(seed: seed)
      return Image(Burst.bounds) { _, _ in Pixel(rgb: random.noisy(SIMD3(repeating: level), Burst.noise), alpha: 1) }
    }
    let frames = [dark(1, 4e-5), dark(2, 8e-5)]
    #expect(Burst.average(frames, exposures: [1, 2]).kernel.matches[1].gain == SIMD3(repeating: 0.5))
    #expect(Burst.average(frames).kernel.matches[1].gain == SIMD3(repeating: 1))
  }

  @Test(arguments: [true, false]) func flickerBandsAreEvenedOut(_ isVertical: Bool) {
    func frame(_ seed: UInt64, _ phase: Float) -> Image {
      Burst.frame(seed) { x, y, light in
        light * (1 + 0.15 * sinf(Float(isVertical ? y : x) / (isVertical ? 180 : 240) * 4 * .pi + phase))
      }
    }
    let result = Burst.average([frame(1, 0), frame(2, 2), frame(3, 4)])
    let left = zip(result.census.rejected, result.census.voting).map { Double($0) / Double($1) }
    #expect(left.allSatisfy { $0 < 0.02 }, "\(left)")
    // Three phases cancel; in a frame alone flicker is most of the error.
    #expect(Burst.error(result.picture).variance < 0.6, "\(Burst.error(result.picture))")
    #expect(Burst.error(frame(1, 0)).variance > 5)
  }

  // MARK: clipping

  @Test func clippingIsNotAveragedAway() {
    let bright: (Int, Int, SIMD3<Float>) -> SIMD3<Float> = { x, y, light in
      Burst.object.contains(x: x, y: y) ? SIMD3(repeating: 0.99) : light
    }
    // With a standard error of 0.01 some samples are clipped, and others are not.
    let frames = (1...4).map { Burst.frame($0, clipping: true, bright) }
    let picture = Burst.average(frames).picture
    var (known, sum) = (0, 0.0)
    let inside = Burst.object.expanded(by: -4)
    for y in inside.y..<inside.maxY {
      for x in inside.x..<inside.maxX where picture[x, y].w > 0 {
        known += 1
        sum += Double(picture[x, y].y)
      }
    }
    // Hardly a pixel has three channels in four frames below 1.0.
    #expect(known * 5 < inside.count, "\(known)")
    #expect(picture[20, 20].w == 1)

    // A frame of half the exposure holds the value.
    let darker = Burst.frame(9, exposure: SIMD3(repeating: 0.5), clipping: true, bright)
    let held = Burst.average(frames + [darker]).picture
    var (mean, count) = (0.0, 0.0)
    #expect(held.image(inside).pixels.allSatisfy { $0.w > 0 })
    for pixel in held.image(inside).pixels {
      mean += Double(pixel.y)
      count += 1
    }
    // The few pixels where no sample happens to be clipped are a little too dark.
    #expect(abs(mean / count - 0.99) < 0.004, "\(mean / count)")
  }

  @Test func aClippedThingThatMovesIsNoClipping() {
    let frames = [
      Burst.frame(1), Burst.frame(2, clipping: true, Burst.withObject(SIMD3(repeating: 1.5))), Burst.frame(3),
    ]
    let picture = Burst.average(frames).picture
    #expect(picture[125, 80].w > 0.5)
    #expect(Burst.error(picture, in: Burst.object).variance < 0.6)
  }

  // MARK: how it runs

  @Test func orderOfTheOthersDoesNotMatter() {
    let frames = [
      Burst.frame(1), Burst.frame(2, exposure: SIMD3(repeating: 0.5)), Burst.frame(3, Burst.withObject(.zero)),
      Burst.frame(4),
    ]
    let one = Burst.average(frames).picture
    let other = Burst.average([frames[0], frames[3], frames[1], frames[2]]).picture
    let worst = zip(one.pixels, other.pixels).map { abs($0 - $1).max() }.max() ?? 1
    #expect(worst < 2e-6, "\(worst)")
  }

  @Test func piecesAndThreadsGiveTheSameBits() {
    let frames = [
      Burst.frame(1), Burst.frame(2, Burst.withObject(.zero)), Burst.frame(3, exposure: SIMD3(repeating: 1.3)),
    ]
    let whole = Burst.average(frames)
    #expect(Burst.average(frames, execution: .scattered).picture.pixels == whole.picture.pixels)
    for piece in [
      Rectangle(x: 3, y: 5, width: 7, height: 9), Rectangle(x: 97, y: 55, width: 143, height: 70),
      Rectangle(x: 120, y: 60, width: 1, height: 1),
    ] {
      var part = Image(piece)
      part.withMutablePixels { _ = whole.kernel.process(piece, frames, into: $0) }
      for y in piece.y..<piece.maxY {
        for x in piece.x..<piece.maxX { #expect(part[x, y] == whole.picture[x, y], "\(x) \(y)") }
      }
    }
  }

  @Test func badNumbersStayWhereTheyAre() {
    var broken = Burst.frame(2)
    let values: [Float] = [.nan, .infinity, -.infinity, -1, 1e30]
    for (index, value) in values.enumerated() {
      broken.pixels[(40 + 12 * index) * 240 + 60] = Pixel(value, 0.1, value, index == 1 ? .nan : 1)
    }
    let result = Burst.average([Burst.frame(1), broken, Burst.frame(3)])
    #expect(result.picture.pixels.allSatisfy { abs($0.rgb).max() < 2 && $0.w >= 0 && $0.w <= 1 })
    #expect(Burst.error(result.picture).worst < 6)
  }

  @Test func absurdFramesGiveNumbers() {
    for (width, height) in [(1, 1), (1, 90), (90, 1), (3, 2)] {
      let bounds = Rectangle(width: width, height: height)
      let frames = [Float(0.2), 0.3, .nan].map { value in Image(bounds) { _, _ in Pixel(repeating: value) } }
      let picture = Burst.average(frames, over: bounds).picture
      #expect(picture.pixels.allSatisfy { abs($0.rgb).max() < 1 && $0.w > 0 })
    }
    let empty = Image(Rectangle(width: 0, height: 0))
    #expect(Burst.average([empty, empty]).picture.pixels.allSatisfy { $0 == .zero })
    #expect(Burst.average([], over: Rectangle(width: 4, height: 4)).picture.pixels.allSatisfy { $0 == .zero })
    var void = Burst.frame(1)
    for index in void.pixels.indices { void.pixels[index].w = 0 }
    #expect(Burst.average([void, void, void]).picture.pixels.allSatisfy { $0.w == 0 })
  }

  @Test func framesOfOtherSizes() {
    let small = Rectangle(x: 10, y: 20, width: 200, height: 100)
    let whole = Burst.frame(2)
    let part = Image(small) { x, y in whole[x, y] }
    let picture = Burst.average([Burst.frame(1), part]).picture
    #expect(picture.pixels.allSatisfy { $0.w > 0 })
    // Where the smaller one does not reach, the other is alone.
    #expect(picture[5, 5].rgb == Burst.frame(1)[5, 5].rgb)
    #expect(abs(Burst.error(picture, in: small).variance - 0.5) < 0.03)
  }

  @Test func cancelledRunsEnd() {
    let execution = Execution { count, body in body(Turns(count)) }
    execution.cancellation.cancel()
    let frames = [Burst.frame(1), Burst.frame(2)]
    #expect(Burst.average(frames, execution: execution).picture.pixels.allSatisfy { $0 == .zero })
  }
}
