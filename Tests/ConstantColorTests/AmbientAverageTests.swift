import ConstantColor
import Glibc
import Raster
import Testing

/// Ambient frames of one scene whose light and noise are known.
private struct Burst {
  static let bounds = Rectangle(width: 240, height: 180)
  static let noise = NoiseModel(gain: SIMD3(repeating: 1e-4), floor: SIMD3(repeating: 1e-6))
  /// The object that moves through a frame.
  static let object = Rectangle(x: 100, y: 60, width: 50, height: 40)

  /// The alpha of a value that there is no reason to trust.
  static let leastTrust: Float = 0.003_906_25

  /// The ambient light without noise.
  static func light(_ x: Int, _ y: Int) -> SIMD3<Float> {
    SimulatedPair.surface(x, y) * SIMD3(1, 0.75, 0.5) * (0.35 * SimulatedPair.shadow(x, y))
  }

  /// A frame: light times `exposure`, changed by `change`, with noise.
  static func frame(
    _ seed: UInt64, exposure: SIMD3<Float> = SIMD3(repeating: 1), clipping: Bool = false,
    _ change: (Int, Int, SIMD3<Float>) -> SIMD3<Float> = { $2 }
  ) -> Image {
    var random = SimulatedNoise(seed: seed)
    return Image(bounds) { x, y in
      let value = random.noisy(change(x, y, light(x, y)) * exposure, noise)
      return clipping && value.max() >= 1
        ? Pixel(rgb: pointwiseMin(value, SIMD3(repeating: 1)), alpha: 0) : Pixel(rgb: value, alpha: 1)
    }
  }

  static func withObject(_ colour: SIMD3<Float>) -> (Int, Int, SIMD3<Float>) -> SIMD3<Float> {
    { x, y, light in object.contains(x: x, y: y) ? colour : light }
  }

  static func average(
    _ frames: [Image], over bounds: Rectangle = bounds, exposures: [Double] = [], bound: AmbientAverage.Bound? = nil,
    execution: Execution = .serial
  ) -> (picture: Image, kernel: AmbientAverage, census: AmbientAverage.Census) {
    let matches = FrameMatch.match(frames, over: bounds, exposures: exposures, execution: execution)
    let kernel = AmbientAverage(frames, matches, over: bounds, execution: execution)
    var picture = Image(bounds)
    let census = picture.withMutablePixels {
      kernel.process(bounds, frames, bound: bound, into: $0, execution: execution)
    }
    return (picture, kernel, census)
  }

  /// Mean and mean square of what a picture differs from the light by, in standard deviations of one frame's noise.
  static func error(_ picture: Image, in area: Rectangle = bounds) -> (mean: Float, variance: Float, worst: Float) {
    var (sum, squares, worst, count) = (0.0, 0.0, Float(0), 0.0)
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let truth = light(x, y)
        let error = (picture[x, y].rgb - truth) / noise.variance(truth).squareRoot()
        for channel in 0..<3 {
          sum += Double(error[channel])
          squares += Double(error[channel] * error[channel])
          worst = max(worst, abs(error[channel]))
          count += 1
        }
      }
    }
    return (Float(sum / count), Float(squares / count), worst)
  }
}

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

  // MARK: what moves

  @Test(arguments: [SIMD3<Float>(0.02, 0.02, 0.02), SIMD3(0.5, 0.3, 0.2)])
  func anObjectInOneOfThreeLeavesNoTrace(_ colour: SIMD3<Float>) {
    let frames = [Burst.frame(1), Burst.frame(2, Burst.withObject(colour)), Burst.frame(3)]
    for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
      let result = Burst.average(order.map { frames[$0] })
      let error = Burst.error(result.picture, in: Burst.object.expanded(by: 6))
      // Two frames are left: half the variance, and no offset.
      #expect(error.variance < 0.6 && error.worst < 5, "\(order) \(error)")
      #expect(abs(error.mean) < 0.05)
      let share = Double(result.census.rejected[order.firstIndex(of: 1) ?? 0]) / Double(Burst.bounds.count)
      #expect(share > 0.04 && share < 0.08, "\(share)")
    }
  }

  @Test func aFaintObjectIsFoundAsAWhole() {
    // A tenth less light: a few standard errors a pixel in bright places, less than one in dark ones.
    let shade: (Int, Int, SIMD3<Float>) -> SIMD3<Float> = { x, y, light in
      Burst.object.contains(x: x, y: y) ? light * 0.9 : light
    }
    let result = Burst.average([Burst.frame(1), Burst.frame(2, shade), Burst.frame(3)])
    let error = Burst.error(result.picture, in: Burst.object)
    #expect(abs(error.mean) < 0.25, "\(error)")
  }

  @Test func twoFramesThatDifferAreNotTrusted() {
    let frames = [Burst.frame(1, Burst.withObject(SIMD3(0.5, 0.3, 0.2))), Burst.frame(2)]
    let picture = Burst.average(frames).picture
    let inside = picture.image(Burst.object)
    #expect(inside.pixels.allSatisfy { $0.w == Burst.leastTrust })
    #expect(inside.pixels.map(\.rgb) == frames[0].image(Burst.object).pixels.map(\.rgb))
    #expect(picture[20, 20].w == 1)
    #expect(picture[220, 170].w == 1)
  }

  @Test func theFlashFrameDecidesBetweenTwo() {
    var random = SimulatedNoise(seed: 9)
    let flash = Image(Burst.bounds) { x, y in
      Pixel(rgb: random.noisy(2 * Burst.light(x, y) + SIMD3(0.05, 0.06, 0.07), Burst.noise), alpha: 1)
    }
    let bound = AmbientAverage.Bound(flash: flash, noise: Burst.noise, ratio: 2, uncertainty: 0.01)
    let frames = [Burst.frame(1, Burst.withObject(SIMD3(0.6, 0.5, 0.4))), Burst.frame(2)]
    for order in [[0, 1], [1, 0]] {
      let picture = Burst.average(order.map { frames[$0] }, bound: bound).picture
      let error = Burst.error(picture, in: Burst.object)
      #expect(error.worst < 6, "\(error)")
      #expect(picture[125, 80].w > 0.3 && picture[125, 80].w < 0.7)
    }
  }

  @Test func flattenedNoiseIsNoContradiction() {
    // As compression does it: two blocks in three are flat, the third is moved as a whole.
    func frame(_ seed: UInt64) -> Image {
      var random = SimulatedNoise(seed: seed)
      let shifts = (0..<(30 * 23)).map { $0 % 3 == 0 ? 0.02 * random.gaussian() : 0 }
      return Burst.frame(seed) { x, y, light in light * (1 + shifts[y / 8 * 30 + x / 8]) }
    }
    let result = Burst.average([frame(1), frame(2), frame(3)])
    let left = zip(result.census.rejected, result.census.voting).map { Double($0) / Double($1) }
    #expect(left.allSatisfy { $0 < 0.1 }, "\(left)")
  }

  @Test func splitVotesAreNotTrusted() {
    let frames = [
      Burst.frame(1), Burst.frame(2, Burst.withObject(SIMD3(0.5, 0.5, 0.5))), Burst.frame(3),
      Burst.frame(4, Burst.withObject(SIMD3(0.5, 0.5, 0.5))),
    ]
    #expect(Burst.average(frames).picture[125, 80].w == Burst.leastTrust)
  }

  @Test func aSmallShiftIsNoContradiction() {
    // Half a pixel to the right, as registration leaves it at worst.
    let sharp = Image(Burst.bounds) { Pixel(rgb: Burst.light($0, $1), alpha: 1) }
    func frame(_ seed: UInt64, _ shift: Float) -> Image {
      var random = SimulatedNoise(seed: seed)
      return Image(Burst.bounds) { x, y in
        let value = sharp[x, y].rgb * (1 - shift) + sharp[x + 1, y].rgb * shift
        return Pixel(rgb: random.noisy(value, Burst.noise), alpha: 1)
      }
    }
    let result = Burst.average([frame(1, 0), frame(2, 0.5), frame(3, 0.2)])
    let share = Double(result.census.rejected.reduce(0, +)) / Double(result.census.voting.reduce(0, +))
    #expect(share < 0.02, "\(share)")
  }

  // MARK: frames that do not belong

  @Test func aFrameOfAnotherSceneIsLeftOut() {
    let other = Burst.frame(7) { x, y, _ in SimulatedPair.surface(2 * x + 991, 3 * y + 577) * 0.3 }
    for order in 0..<3 {
      var frames = [Burst.frame(1), Burst.frame(2)]
      frames.insert(other, at: order)
      let result = Burst.average(frames)
      #expect(result.kernel.matches.map(\.isUsed) == (0..<3).map { $0 != order })
      #expect(abs(Burst.error(result.picture).variance - 0.5) < 0.03)
    }
  }

  @Test func aFrameWithoutTrustIsLeftOut() {
    var unrelated = Burst.frame(2)
    for index in unrelated.pixels.indices { unrelated.pixels[index].w = Burst.leastTrust }
    let frame = Burst.frame(1)
    #expect(Burst.average([unrelated, frame]).picture.pixels == frame.pixels)
    // Nothing else is there: as it was.
    #expect(Burst.average([unrelated, unrelated]).picture.pixels == unrelated.pixels)
  }

  @Test func partsOfThePictureAddUp() {
    var left = Burst.frame(1)
    var right = Burst.frame(2)
    for index in left.pixels.indices {
      if index % 240 >= 150 { left.pixels[index].w = 0 }
      if index % 240 < 90 { right.pixels[index].w = 0 }
    }
    let picture = Burst.average([left, right]).picture
    #expect(picture[20, 50].rgb == left[20, 50].rgb)
    #expect(abs(Burst.error(picture, in: Rectangle(x: 0, y: 0, width: 90, height: 180)).variance - 1) < 0.05)
    #expect(abs(Burst.error(picture, in: Rectangle(x: 90, y: 0, width: 60, height: 180)).variance - 0.5) < 0.05)
    #expect(abs(Burst.error(picture, in: Rectangle(x: 150, y: 0, width: 90, height: 180)).variance - 1) < 0.05)
    // One of two frames: half the trust.
    #expect(abs(picture[20, 50].w - 0.5) < 0.1 && picture[120, 50].w == 1)
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

private func abs(_ value: SIMD3<Float>) -> SIMD3<Float> { pointwiseMax(value, -value) }
private func abs(_ value: Pixel) -> Pixel { pointwiseMax(value, -value) }
