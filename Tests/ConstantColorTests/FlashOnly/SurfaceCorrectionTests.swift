import ConstantColor
import Raster
import Testing

@Suite("Surface correction") struct SurfaceCorrectionTests {
  private static let white = SIMD3<Float>(0.5, 1, 0.6)

  /// Surfaces of all colours under gains, and what the flash makes of them: red surfaces more red by a part of their colour.
  private static func samples(noise: Float = 0) -> [SurfaceCorrection.Sample] {
    var samples: [SurfaceCorrection.Sample] = []
    for red in 0..<12 {
      for blue in 0..<12 {
        let fill = white * SIMD3(0.2 + 0.1 * Float(red), 0.6, 0.2 + 0.1 * Float(blue))
        let sign: Float = (red + blue) % 2 == 0 ? 1 : -1
        let difference = changed(fill) + SIMD3(sign, -sign, sign) * noise
        samples.append(.init(difference: difference, fill: fill, variance: SIMD3(repeating: 1e-6 + noise * noise)))
      }
    }
    return samples
  }

  private static func changed(_ fill: SIMD3<Float>) -> SIMD3<Float> {
    let balanced = fill / white
    let red = (balanced.x - balanced.y) / (balanced.x + balanced.y)
    return fill * SIMD3(1 + 0.15 * red, 1, 1 - 0.1 * red)
  }

  @Test("What surfaces show is learned, and colours that were not among them follow")
  func learns() {
    let correction = SurfaceCorrection(Self.samples(), share: 1, white: Self.white)
    for color in [SIMD3<Float>(0.42, 0.6, 0.31), SIMD3(0.11, 0.6, 0.4), Self.white * 0.3] {
      let (found, wanted) = (correction(color), Self.changed(color))
      for channel in 0..<3 { #expect(abs(found[channel] / wanted[channel] - 1) < 0.02) }
    }
  }

  @Test("Neutral surfaces stay as gains make them")
  func neutral() {
    let correction = SurfaceCorrection(Self.samples(), share: 1, white: Self.white)
    let grey = correction(Self.white * 0.4)
    for channel in 0..<3 { #expect(abs(grey[channel] / (Self.white[channel] * 0.4) - 1) < 1e-5) }
  }

  @Test("Few surfaces, or such that contradict every rule, move nothing much")
  func careful() {
    let few = SurfaceCorrection(Self.samples(), share: 0.001, white: Self.white)
    let wild = SurfaceCorrection(
      Self.samples().enumerated().map { index, sample in
        var sample = sample
        sample.difference *= index % 2 == 0 ? SIMD3(3, 1, 0.2) : SIMD3(0.2, 1, 3)
        return sample
      }, share: 0.05, white: Self.white)
    let color = Self.white * SIMD3(1.2, 0.6, 0.4)
    for correction in [few, wild] {
      let found = correction(color) / color
      #expect(found.min() > 0.8 && found.max() < 1.2)
    }
  }

  @Test("No samples, numbers that are none, a white without light: no correction and no trap")
  func nothing() {
    let color = SIMD3<Float>(0.1, 0.2, 0.3)
    #expect(SurfaceCorrection([], share: 1, white: Self.white)(color) == color)
    #expect(SurfaceCorrection(Self.samples(), share: 1, white: .zero)(color) == color)
    let broken = SurfaceCorrection.Sample(
      difference: SIMD3(repeating: .nan), fill: SIMD3(repeating: .infinity), variance: .zero)
    let result = SurfaceCorrection([broken], share: 1, white: Self.white)(color)
    #expect(result.sum().isFinite)
  }
}
