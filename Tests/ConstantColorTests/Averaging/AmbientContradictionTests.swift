import ConstantColor
import Raster
import Testing

/// Frames of a burst that contradict each other: something moves, or a frame is of something else.
@Suite struct AmbientContradictionTests {
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
}
