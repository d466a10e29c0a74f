import ConstantColor
import Raster
import Testing

@Suite struct MeteringTests {
  let size = Rectangle(width: 100, height: 80)

  private func grey(_ level: Float) -> Pixel { Pixel(level, level, level, 1) }

  @Test func whiteGoesJustUnderTheKnee() {
    let picture = Image(size) { x, y in grey(x < 10 ? 0.4 : 0.1) }
    #expect(abs(Metering.gain(of: picture) - 0.85 / 0.4) < 1e-6)
  }

  @Test func theLargestChannelIsMetered() {
    let picture = Image(size) { _, _ in Pixel(0.5, 0.05, 0.02, 1) }
    #expect(abs(Metering.gain(of: picture) - 1.7) < 1e-6)
  }

  @Test func sparksDoNotCount() {
    let picture = Image(size) { x, y in grey((x * 7 + y * 13) % 300 == 0 ? 50 : 0.3) }
    #expect(abs(Metering.gain(of: picture) - 0.85 / 0.3) < 1e-5)
  }

  @Test func theTrustedAreaDecides() {
    let picture = Image(size) { x, _ in grey(x < 30 ? 0.2 : 0.9) }
    let confidence = Image(size) { x, _ in Pixel(x < 30 ? 0.9 : 0, 0, 0, 0) }
    #expect(abs(Metering.gain(of: picture, confidence: confidence) - 0.85 / 0.2) < 1e-6)
    #expect(abs(Metering.gain(of: picture) - 0.85 / 0.9) < 1e-6)
  }

  @Test func withoutTrustTheWholePictureDecides() {
    let picture = Image(size) { x, y in grey(0.1 + Float(x) / 200) }
    let plain = Metering.gain(of: picture)
    for value: Float in [0, -1, .nan, 0.4] {
      let confidence = Image(size) { _, _ in Pixel(value, 1, 1, 1) }
      #expect(Metering.gain(of: picture, confidence: confidence) == plain)
    }
    #expect(Metering.gain(of: picture, confidence: Image(Rectangle(width: 3, height: 3))) == plain)
  }

  @Test func aSmallSubjectOnBlackIsExposedForItself() {
    // One percent of the frame; the cloth is a hundred times darker.
    let picture = Image(size) { x, y in grey(x < 10 && y < 8 ? 0.6 : 0.006) }
    #expect(abs(Metering.gain(of: picture) - 0.85 / 0.6) < 1e-6)
  }

  @Test func whatTheFlashDidNotReachStaysDark() {
    let picture = Image(size) { x, y in grey(1e-4 * Float((x * 31 + y * 17) % 10)) }
    #expect(Metering.gain(of: picture) == Metering.gains.upperBound)
  }

  @Test func defectsHaveDefinedGains() {
    #expect(Metering.gain(of: Image(size)) == 1)
    #expect(Metering.gain(of: Image(Rectangle(width: 0, height: 0))) == 1)
    for value: Float in [.nan, .infinity, -.infinity, -3] {
      #expect(Metering.gain(of: Image(size) { _, _ in grey(value) }) == 1)
    }
    let mixed = Image(size) { x, _ in x % 3 == 0 ? grey(.nan) : x % 3 == 1 ? grey(.infinity) : grey(0.425) }
    #expect(abs(Metering.gain(of: mixed) - 2) < 1e-6)
    #expect(Metering.gain(of: Image(size) { _, _ in grey(3e38) }) == Metering.gains.lowerBound)
    #expect(
      Metering.gain(of: Image(Rectangle(width: 1, height: 1)) { _, _ in grey(0.85) }) == 0.85 / Double(Float(0.85)))
    #expect(Metering.gain(of: Image(size) { _, _ in grey(1e-37) }) == Metering.gains.upperBound)
  }

  @Test func gainFollowsExposure() {
    func picture(_ scale: Float) -> Image {
      Image(size) { x, y in grey(scale * (0.02 + Float((x * 37 + y * 11) % 97) / 120)) }
    }
    let gain = Metering.gain(of: picture(1))
    #expect(abs(Metering.gain(of: picture(0.25)) / gain - 4) < 1e-6)
    #expect(abs(Metering.gain(of: picture(0.3)) / gain - 1 / 0.3) < 0.02)
  }
}
