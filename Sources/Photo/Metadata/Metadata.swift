import Glibc
import Raster

/// What a camera wrote about a frame. Everything may be missing; nothing is ever guessed.
public struct Metadata: Equatable, Sendable {
  /// The exposure time in seconds, as written.
  public var exposureTime: Double?
  /// The sensitivity (ISO 12232), as written.
  public var iso: Double?
  /// The f-number, as written.
  public var fNumber: Double?
  /// Whether the flash fired; nil where the file does not say.
  public var flashFired: Bool?
  /// Whether the camera chose the white balance of its own pictures by itself; nil where the file does not say.
  public var isWhiteBalanceAutomatic: Bool?
  /// How the stored picture is turned to be upright.
  public var orientation: Orientation = .upright
  /// The camera and the lens.
  public var make, model, serial, lens: String?
  /// The focal length in millimetres, as written.
  public var focalLength: Double?
  /// What frames of one burst have in common; nil where the file names none (Apple's maker note, or XMP of Android cameras).
  public var burst: String?
  /// What a DNG file says about the camera's colours and noise; nil for other files.
  public var dng: DNGColorTags?
  /// When the frame was taken: seconds since 1970 with their fraction, in the camera's own time zone
  /// where the file names none.
  public var time: Double?
  /// The whole block, for the files of results.
  public var exif: ExifBlock?

  /// The time as the shutter was really open: the nominal "1/60" is 1/64.
  public var exactExposureTime: Double?
  /// The f-number as the aperture was really set: the nominal "5.6" is 5.657.
  public var exactFNumber: Double? { fNumber.map { hasRoundNumbers ? NominalValues.exactAperture($0) ?? $0 : $0 } }
  /// The sensitivity as it was really set: the nominal "125" is 126.
  public var exactISO: Double? { iso.map { hasRoundNumbers ? NominalValues.exactISO($0) ?? $0 : $0 } }
  /// Whether the numbers are the round ones that stand for thirds of a stop. Not so where one of them is none, as in
  /// "1/39 s, ISO 51", nor of phones, whose electronic shutters take the time that they write.
  public var hasRoundNumbers: Bool {
    let isRound = exposureTime.map { NominalValues.exactTime($0) != nil } ?? true
    return isRound && iso.map { NominalValues.exactISO($0) != nil } ?? true && likelyFlash != .led
  }

  /// Exposure time × ISO / (f-number)², of the values as written; nil unless all three are known.
  public var exposure: Double? { Self.exposure(exposureTime, iso, fNumber) }
  /// The same of the exact values: what ratios of exposures are made of.
  public var exactExposure: Double? { Self.exposure(exactExposureTime, exactISO, exactFNumber) }

  /// Nothing known.
  public init() {}

  /// The metadata of a file; empty where it has none or cannot be read.
  ///
  /// EXIF counts first. What it lacks is taken from XMP: in the file, then in a file FILE.xmp or FILE.EXT.xmp beside it.
  public init(path: String) {
    if let block = ExifReader.read(path) {
      self.init(block.exif)
      serial = serial ?? block.serial
      lens = lens ?? block.lens
      if block.isUpright { orientation = .upright }
    } else {
      self.init()
    }
    // exiv2 leaves directories of raw pictures out of the block.
    if let tags = try? DNGDirectories.tags(FileBytes(path)) {
      dng = DNGColorTags(tags) ?? dng
      serial = serial ?? TagValues(tags).text(DNGColorTags.Tag.cameraSerialNumber)
    }
    for source in XMPReader.sources(of: path) where isIncomplete {
      if let xmp = XMPReader.read(source) { fill(from: xmp) }
    }
  }

  private var isIncomplete: Bool {
    exposureTime == nil || iso == nil || fNumber == nil || flashFired == nil || time == nil || make == nil
      || model == nil
      || serial == nil || lens == nil || focalLength == nil
  }

  private mutating func fill(from xmp: XMPValues) {
    if exposureTime == nil, let time = Self.sane(xmp.number(.exposureTime), in: Self.times) {
      exposureTime = time
    }
    iso = iso ?? Self.sane(xmp.number(.iso), in: Self.sensitivities)
    fNumber = fNumber ?? Self.sane(xmp.number(.fNumber), in: Self.apertures)
    focalLength = focalLength ?? Self.sane(xmp.number(.focalLength), in: Self.focalLengths)
    flashFired = flashFired ?? xmp.flag(.flashFired)
    time = time ?? xmp.time
    burst = burst ?? xmp.text(.burst)
    make = make ?? xmp.text(.make)
    model = model ?? xmp.text(.model)
    serial = serial ?? xmp.text(.serial)
    lens = lens ?? xmp.text(.lens)
    if orientationIsUnknown, let number = xmp.number(.orientation), (1...8).contains(number) {
      orientation = Orientation(tag: Int(number))
    }
    if exactExposureTime == nil { settleExactTime(apex: nil) }
  }

  private var orientationIsUnknown: Bool {
    exif?.image.contains { $0.number == ExifBlock.Tag.orientation } != true
  }

  /// The metadata that an EXIF block holds.
  public init(_ block: ExifBlock) {
    let image = TagValues(block.image)
    let frame = TagValues(block.exposure)
    exif = block
    make = image.text(271)
    model = image.text(272)
    orientation = Orientation(tag: image.integer(ExifBlock.Tag.orientation))
    burst = AppleNote.burst(block.exposure.first { $0.number == ExifBlock.Tag.makerNote }?.bytes ?? [])
    serial = frame.text(42033) ?? image.text(DNGColorTags.Tag.cameraSerialNumber)
    lens = frame.text(42036)
    flashFired = frame.integer(37385).flatMap { (0...0xFF).contains($0) ? $0 & 1 == 1 : nil }
    isWhiteBalanceAutomatic = frame.integer(41987).flatMap { [0: true, 1: false][$0] }

    let apexTime = frame.number(37377).flatMap { abs($0) < 32 ? exp2(-$0) : nil }
    let apexAperture = frame.number(37378).flatMap { (-4...20).contains($0) ? exp2($0 / 2) : nil }
    exposureTime = Self.sane(frame.number(33434), in: Self.times) ?? Self.sane(apexTime, in: Self.times)
    fNumber = Self.sane(frame.number(33437), in: Self.apertures) ?? Self.sane(apexAperture, in: Self.apertures)
    focalLength = Self.sane(frame.number(37386), in: Self.focalLengths)
    dng = DNGColorTags(block.image)

    // 65535 stands for "more than 16 bits hold"; the newer tags (Exif 2.3) then have the number.
    let short = Self.sane(frame.number(34855), in: 1...65534)
    let long: [UInt16] = [34867, 34866, 34865]
    iso = short ?? long.lazy.compactMap { Self.sane(frame.number($0), in: Self.sensitivities) }.first

    time =
      Self.time(frame.text(36867), fraction: frame.text(37521), zone: frame.text(36881))
      ?? Self.time(frame.text(36868), fraction: frame.text(37522), zone: frame.text(36882))
      ?? Self.time(image.text(306), fraction: frame.text(37520), zone: frame.text(36880))
    settleExactTime(apex: apexTime)
  }

  /// A "1/60" may be just that. The APEX value, where written, tells: cameras with thirds of a stop write whole thirds
  /// there, others the logarithm of the time.
  private mutating func settleExactTime(apex: Double?) {
    exactExposureTime = exposureTime
    guard let time = exposureTime, hasRoundNumbers, let exact = NominalValues.exactTime(time) else { return }
    if let apex, abs(log2(apex / time)) < 1.0 / 6, abs(log2(apex / exact)) >= abs(log2(apex / time)) { return }
    exactExposureTime = exact
  }

  private static func exposure(_ time: Double?, _ iso: Double?, _ number: Double?) -> Double? {
    guard let time, let iso, let number else { return nil }
    let exposure = time * iso / (number * number)
    return exposure.isFinite && exposure > 0 ? exposure : nil
  }

  private static let times = 1e-7...100_000
  private static let apertures = 0.3...1024
  private static let sensitivities = 1.0...100_000_000
  private static let focalLengths = 0.1...100_000

  private static func sane(_ value: Double?, in range: ClosedRange<Double>) -> Double? {
    guard let value, range.contains(value) else { return nil }
    return value
  }

  /// "2024:05:31 12:34:56", "25", "+02:00" → seconds since 1970.
  static func time(_ text: String?, fraction: String?, zone: String?) -> Double? {
    guard let text else { return nil }
    let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard parts.count == 6, (1...9999).contains(parts[0]), (1...12).contains(parts[1]), (1...31).contains(parts[2]),
      (0...23).contains(parts[3]), (0...59).contains(parts[4]), (0...60).contains(parts[5])
    else { return nil }
    // Days from the civil date (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let year = parts[1] <= 2 ? parts[0] - 1 : parts[0]
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (parts[1] + (parts[1] > 2 ? -3 : 9)) + 2) / 5 + parts[2] - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    var seconds = Double(days * 86400 + parts[3] * 3600 + parts[4] * 60 + parts[5])
    if let fraction, !fraction.isEmpty, fraction.allSatisfy({ $0.isASCII && $0.isNumber }) {
      seconds += Double("0." + fraction) ?? 0
    }
    if let zone, let sign = zone.first, sign == "+" || sign == "-" {
      let offset = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
      if offset.count == 2, (0...14).contains(offset[0]), (0...59).contains(offset[1]) {
        seconds -= Double((sign == "-" ? -1 : 1) * (offset[0] * 3600 + offset[1] * 60))
      }
    }
    return seconds
  }
}
