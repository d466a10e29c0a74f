import Glibc
import Photo
import Testing

/// 2^(k/3): k thirds of a stop.
private func third(_ k: Double) -> Double { exp2(k / 3) }

@Suite struct MetadataTests {
  private static let times: [(Int, Int, Double)] = [
    (1, 60, 1.0 / 64), (1, 125, 1.0 / 128), (1, 1000, 1.0 / 1024), (1, 8000, 1.0 / 8192), (10, 600, 1.0 / 64),
    (1, 50, third(-17)), (1, 13, third(-11)), (3, 10, third(-5)), (30, 1, 32), (15, 1, 16), (1, 1, 1),
    (1, 3, third(-5)), (1, 45, exp2(-5.5)), (1, 90, exp2(-6.5)), (16667, 1_000_000, 1.0 / 64),
    // Not nominal: taken as written.
    (1, 64, 1.0 / 64), (1, 57, 1.0 / 57), (123, 10000, 0.0123),
  ]

  private static let apertures: [(Double, Double)] = [
    (5.6, exp2(2.5)), (2.8, exp2(1.5)), (1.8, third(2.5)), (8, 8), (11, exp2(3.5)), (22, exp2(4.5)), (1.4, sqrt(2)),
    (6.3, third(8)), (3.5, third(5.5)), (1.78, 1.78), (2.4, exp2(1.25)),
  ]

  private static let sensitivities: [(Int, Double)] = [
    (100, 100), (125, 100 * third(1)), (160, 100 * third(2)), (200, 200), (640, 400 * third(2)), (50, 50),
    (64, 50 * third(1)), (1000, 800 * third(1)), (1250, 800 * third(2)), (3200, 3200), (12800, 12800), (25, 25),
    (137, 137), (2000, 1600 * third(1)), (51200, 51200), (80, 50 * third(2)),
  ]

  private func metadata(_ tags: TIFFTag...) -> Metadata { Metadata(ExifBlock(exposure: tags)) }

  @Test(arguments: Self.times)
  func nominalTimes(top: Int, bottom: Int, exact: Double) throws {
    let metadata = metadata(.rational(33434, Int64(top), Int64(bottom)))
    #expect(metadata.exposureTime == Double(top) / Double(bottom))
    #expect(abs(try #require(metadata.exactExposureTime) / exact - 1) < 1e-12)
  }

  @Test(arguments: Self.apertures)
  func nominalApertures(number: Double, exact: Double) throws {
    let found = metadata(.rational(33437, Int64((number * 100).rounded()), 100))
    #expect(abs(try #require(found.exactFNumber) / exact - 1) < 1e-12)
  }

  @Test(arguments: Self.sensitivities)
  func nominalSensitivities(iso: Int, exact: Double) throws {
    let found = metadata(.short(34855, UInt16(iso)))
    #expect(found.iso == Double(iso))
    #expect(abs(try #require(found.exactISO) / exact - 1) < 1e-12)
  }

  @Test func aPhonesExactTimeStays() {
    let logarithm = Int64((log2(60.0) * 1_000_000).rounded())
    let phone = metadata(.rational(33434, 1, 60), .rational(37377, logarithm, 1_000_000, signed: true))
    #expect(phone.exactExposureTime == 1.0 / 60)
    let camera = metadata(.rational(33434, 1, 60), .rational(37377, 393_216, 65536, signed: true))
    #expect(camera.exactExposureTime == 1.0 / 64)
  }

  /// Round numbers stand for thirds of a stop only where all of them are round, and not in phones.
  @Test func exactNumbersStayAsTheyAre() {
    func frame(_ make: String?, _ bottom: Int64, _ iso: UInt16) -> Metadata {
      Metadata(
        ExifBlock(
          image: make.map { [.text(271, $0)] } ?? [],
          exposure: [.rational(33434, 1, bottom), .short(34855, iso), .rational(33437, 18, 10)]))
    }
    let camera = frame("Canon", 15, 100)
    #expect(camera.hasRoundNumbers && camera.exactExposureTime == 1.0 / 16)
    for exact in [frame("Canon", 15, 51), frame("Canon", 39, 100), frame("Apple", 15, 100), frame(nil, 39, 51)] {
      #expect(!exact.hasRoundNumbers && exact.exactExposureTime == exact.exposureTime)
      #expect(exact.exactISO == exact.iso && exact.exactFNumber == 1.8)
    }
  }

  @Test func whatLightsAScene() {
    func flash(_ make: String?, _ model: String = "X", focal: Int64? = nil, aperture: Int64 = 18) -> FlashKind? {
      var tags: [TIFFTag] = [.rational(33437, aperture, 10)]
      if let focal { tags.append(.rational(37386, focal, 10)) }
      return Metadata(ExifBlock(image: make.map { [.text(271, $0), .text(272, model)] } ?? [], exposure: tags))
        .likelyFlash
    }
    #expect(flash("Apple") == .led && flash("samsung", "SM-G991B") == .led && flash("Google") == .led)
    #expect(flash("Canon") == .tube && flash("NIKON CORPORATION") == .tube && flash("FUJIFILM", focal: 45) == .tube)
    #expect(flash("SONY", "ILCE-7M3") == .tube && flash("Sony", "XQ-BC52") == .led)
    #expect(flash("Unheard of", focal: 57) == .led && flash("Unheard of", focal: 500) == .tube)
    #expect(flash("Unheard of", focal: 57, aperture: 35) == .tube && flash(nil) == nil)
  }

  @Test func nonsenseIsUnknown() {
    for (top, bottom) in [(0, 0), (1, 0), (0, 1), (4_294_967_295, 1), (1, 4_294_967_295)] as [(Int64, Int64)] {
      let found = metadata(
        .rational(33434, top, bottom), .rational(33437, top == 1 ? 0 : top, bottom == 4_294_967_295 ? 1 : bottom))
      #expect(found.exposureTime == nil && found.fNumber == nil && found.exposure == nil)
    }
    #expect(metadata(.short(34855, 0)).iso == nil && metadata(.short(34855, 65535)).iso == nil)
    #expect(metadata(.short(34855, 65535), .long(34866, 102_400)).iso == 102_400)
    #expect(metadata(TIFFTag(33434, type: 5, count: 1, bytes: [1])).exposureTime == nil)
    #expect(metadata(TIFFTag(33434, type: 99, count: 1, bytes: [])).exposureTime == nil)
    #expect(metadata(TIFFTag(33437, type: 12, count: 1, bytes: [0, 0, 0, 0, 0, 0, 0xF8, 0x7F])).fNumber == nil)
    #expect(metadata().flashFired == nil)
  }

  @Test func apexStandsInForMissingTags() throws {
    let found = metadata(.rational(37377, 6, 1, signed: true), .rational(37378, 5, 1), .short(34855, 100))
    #expect(found.exposureTime == 1.0 / 64)
    #expect(abs(try #require(found.fNumber) - exp2(2.5)) < 1e-12)
    #expect(abs(try #require(found.exposure) - 100.0 / 64 / 32) < 1e-12)
    #expect(metadata(.rational(37377, -2, 1, signed: true)).exposureTime == 4)
    #expect(metadata(.rational(37377, 5000, 1, signed: true)).exposureTime == nil)
  }

  @Test func timesCountSecondsAndTheirFractions() {
    func time(_ text: String, _ fraction: String? = nil, _ zone: String? = nil) -> Double? {
      var tags: [TIFFTag] = [.text(36867, text)]
      if let fraction { tags.append(.text(37521, fraction)) }
      if let zone { tags.append(.text(36881, zone)) }
      return Metadata(ExifBlock(exposure: tags)).time
    }
    #expect(time("1970:01:01 00:00:00") == 0)
    let seconds = 1_709_210_096.0
    #expect(time("2024:02:29 12:34:56", "25") == seconds + 0.25)
    #expect(time("2024:02:29 12:34:56", nil, "+02:00") == seconds - 7200)
    #expect(time("2024:02:29 12:34:56", "  ") == seconds)
    for wrong in ["", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 00:00:00", "yesterday"] {
      #expect(time(wrong) == nil)
    }
  }

  @Test func orientationsBeyondEightAreUpright() {
    for value: UInt16 in [0, 1, 9, 255, 65535] {
      #expect(Metadata(ExifBlock(image: [.short(274, value)])).orientation == .upright)
    }
    #expect(Metadata(ExifBlock(image: [.short(274, 8)])).orientation == .counterclockwise)
  }

  @Test func blocksSurviveWritingAndDamage() throws {
    let bytes = cameraBlock.bytes()
    let read = try #require(ExifBlock(bytes))
    func sorted(_ tags: [TIFFTag]) -> [TIFFTag] { tags.sorted { $0.number < $1.number } }
    #expect(read.image == sorted(cameraBlock.image) && read.place == sorted(cameraBlock.place))
    #expect(read.exposure == sorted(cameraBlock.exposure))
    var noise = Noise(5)
    for length in 0..<bytes.count { _ = ExifBlock(Array(bytes.prefix(length))).map { Metadata($0) } }
    for _ in 0..<2000 {
      var broken = bytes
      for _ in 0..<3 { broken[noise.below(broken.count)] = UInt8(truncatingIfNeeded: noise.next()) }
      _ = ExifBlock(broken).map { Metadata($0) }
    }
  }

  @Test func bigEndianBlocksReadTheSame() throws {
    var bytes: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2]
    bytes += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    bytes += [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0]
    bytes += [0, 1, 0x82, 0x9A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 56, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 57]
    let metadata = Metadata(try #require(ExifBlock(bytes)))
    #expect(metadata.orientation == .clockwise && metadata.exposureTime == 1.0 / 57)
  }
}
