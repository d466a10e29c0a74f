import Calibration
import ColorScience
import ConstantColor
import Development
import JSONValue
import Photo
import Raster
import Simulation

/// What is to be simulated: the options that `simulate` and `validate` share.
struct SimulationOptions {
  let simulator: Simulator
  let lux, kelvin: [Double]
  let tints: [Tint]
  let shake: HandMotion
  /// Whether the user chose how the hand moves.
  let isShakeGiven: Bool
  /// How the set was made, for its file and for people.
  let description: [(name: String, value: String)]

  static let specifications = [
    OptionSpecification("--lux", "LIST", "Illuminances of the room, 0.01 to 100000 lux; default 10,50,200,800."),
    OptionSpecification(
      "--cct", "LIST", "Its correlated colour temperatures, 1000 to 25000 K; default 3000,4500,6000,7500."),
    OptionSpecification(
      "--tint", "LIST", values: Tint.allCases.map(\.rawValue),
      "Its tints, of planckian, green and magenta; default all three."),
    OptionSpecification(
      "--camera", "NAME|FILE.csv", values: CameraModel.named.map(\.name),
      "The camera's spectral sensitivities: \(CameraModel.named.map(\.name).joined(separator: ", ")); or a table, a "
        + "wavelength (nm), red, green and blue a row. Default x5, a small sensor."),
    OptionSpecification(
      "--flash", "NAME|FILE.csv", values: Illuminant.named.map(\.name),
      "The flash: \(Illuminant.named.map(\.name).joined(separator: ", ")), a temperature in kelvin; or a table, a wavelength "
        + "and a power a row. Default LED-B4."),
    OptionSpecification(
      "--flash-lux", "LUX", "The illuminance that the flash gives at the centre, 0.1 to 100000 lux; default 200."),
    OptionSpecification("--chart", "NAME|FILE.csv", "The chart, as in 'calibrate'; a table must have reflectances."),
    OptionSpecification("--size", "WxH", "The frames, 64x48 to 8192x8192; default 640x480."),
    OptionSpecification(
      "--seed", "N", "Another number: another scene, hand and noise; default 1, of 'validate' 1000000."),
    OptionSpecification(
      "--shake", "MOTION", values: HandMotion.allCases.map(\.rawValue),
      "How the hand moves between the frames: none, small, large or perspective; default small, of 'validate' none and "
        + "then small."),
    OptionSpecification(
      "--full-well", "ELECTRONS", "Electrons at saturation at the base ISO, 100 to 1000000; default the camera's."),
    OptionSpecification("--read-noise", "ELECTRONS", "Noise of reading, 0 to 1000 electrons; default the camera's."),
    OptionSpecification("--bits", "N", "Bits of a sample, 8 to 16; default the camera's."),
    OptionSpecification("--black", "N", "The sample of no light, up to half of the largest; default the camera's."),
    OptionSpecification(
      "--pattern", "NAME", values: patterns.map(\.name), "The colour filter array: rggb, bggr, grbg, gbrg or xtrans."),
    OptionSpecification("--orientation", "1...8", "How the camera was held (EXIF); default 1, upright."),
    OptionSpecification("--no-noise", nil, "A sensor without noise."),
  ]

  /// - Parameter seed: where none is given.
  init(_ arguments: Arguments, seed defaultSeed: UInt64) throws {
    lux = try arguments.numbers("--lux", in: 0.01...100_000) ?? [10, 50, 200, 800]
    kelvin = try arguments.numbers("--cct", in: 1000...25_000) ?? [3000, 4500, 6000, 7500]
    tints =
      try arguments.list("--tint").map { words in
        try words.map { word in
          guard let tint = Tint(rawValue: word) else {
            throw UsageError("'--tint' takes planckian, green and magenta, not '\(word)'")
          }
          return tint
        }
      } ?? Tint.allCases
    shake = try arguments.choice("--shake") ?? .small
    isShakeGiven = arguments.has("--shake")
    let camera = try Self.camera(arguments)
    let flash = try Self.flash(arguments.value("--flash") ?? "LED-B4")
    let flashLux = try arguments.number("--flash-lux", in: 0.1...100_000) ?? 200
    let chart = try ChartReference(option: arguments.value("--chart"))
    guard let spectra = chart.withReflectances?.reflectances, spectra.count == 24 else {
      throw UsageError("'--chart \(chart.name)': tells colours only; a simulation needs reflectances")
    }
    let (width, height) = try Self.size(arguments.value("--size") ?? "640x480")
    let largestSeed = Int(SeedRange.judging.upperBound)
    let seed = try arguments.wholeNumber("--seed", in: 0...largestSeed).map { UInt64($0) } ?? defaultSeed
    guard
      var simulator = Simulator(
        camera: camera, flash: flash, flashLux: flashLux, width: width, height: height, chart: spectra, seed: seed)
    else { throw UsageError("'--camera \(camera.name)': these sensitivities do not tell colours apart") }
    if let number = try arguments.wholeNumber("--orientation", in: 1...8),
      let way = Orientation(rawValue: UInt16(clamping: number))
    {
      simulator.orientation = way
    }
    self.simulator = simulator
    description = [
      (
        "camera",
        "\(camera.make) \(camera.model), \(plain(camera.sensor.fullWell)) e⁻ full well, \(camera.sensor.bits) bit"
      ),
      ("flash", "\(flash.name), \(plain(flashLux)) lx"), ("chart", chart.name), ("size", "\(width)x\(height)"),
      ("seed", "\(seed)"),
    ]
  }

  /// The conditions of the protocol.
  func conditions(shake: HandMotion? = nil) -> [Condition] {
    Condition.matrix(lux: lux, kelvin: kelvin, tints: tints, shake: shake ?? self.shake)
  }

  /// What a set says of how it was made.
  var members: [JSON.Member] { description.map { JSON.Member($0.name, .string($0.value)) } }

  // MARK: parts

  private static func camera(_ arguments: Arguments) throws -> CameraModel {
    let name = arguments.value("--camera") ?? "x5"
    var camera: CameraModel
    if let known = CameraModel.named.first(where: { $0.name == name.lowercased() }) {
      camera = known
    } else {
      let names = CameraModel.named.map(\.name)
      let spectra = try table(name, 3, "--camera", names.joined(separator: ", "), among: names)
      camera = CameraModel(
        name: name, make: "Simulated", model: String(name.split(separator: "/").last ?? "camera"),
        sensitivities: relative(spectra), sensor: CameraModel.Sensor(fullWell: 6000), fNumber: 1.8, focalLength: 5.7)
    }
    if let electrons = try arguments.number("--full-well", in: 100...1e6) { camera.sensor.fullWell = electrons }
    if let electrons = try arguments.number("--read-noise", in: 0...1000) { camera.sensor.readNoise = electrons }
    if let bits = try arguments.wholeNumber("--bits", in: 8...16) {
      let change = bits - camera.sensor.bits
      camera.sensor.bits = bits
      // The black level keeps its part of the range.
      camera.sensor.black = change < 0 ? camera.sensor.black >> -change : camera.sensor.black << change
    }
    if let black = try arguments.wholeNumber("--black", in: 0...camera.sensor.white / 2) {
      camera.sensor.black = black
    }
    if let name = arguments.value("--pattern") {
      guard let pattern = patterns.first(where: { $0.name == name.lowercased() })?.pattern else {
        throw UsageError("'--pattern' takes one of \(patterns.map(\.name).joined(separator: ", ")), not '\(name)'")
      }
      camera.sensor.pattern = pattern
    }
    camera.sensor.isNoisy = !arguments.has("--no-noise")
    return camera
  }

  private static let patterns: [(name: String, pattern: CFAPattern)] = [
    ("rggb", .rggb), ("bggr", .bggr), ("grbg", .grbg), ("gbrg", .gbrg), ("xtrans", .xTrans),
  ]

  private static func flash(_ name: String) throws -> Illuminant {
    if let light = Illuminant(named: name) { return light }
    let names = Illuminant.named.map(\.name)
    let all = names.joined(separator: ", ") + ", a temperature from 1000 to 25000 K, such as 5500"
    let spectra = try table(name, 1, "--flash", all, among: names)
    guard let spectrum = spectra.first, let light = Illuminant(name, spectrum) else {
      throw InputError("\(name): gives no light that eyes see; name another table")
    }
    return light
  }

  /// Sensitivities of which the largest is 1: only their relation counts, and sums of them must stay finite.
  private static func relative(_ sensitivities: [Spectrum]) -> [Spectrum] {
    let largest = sensitivities.flatMap(\.values).reduce(0, max)
    guard largest > 0 else { return sensitivities }
    return sensitivities.map { spectrum in Spectrum { spectrum.value(at: $0) / largest } }
  }

  /// - Parameter known: what else the option takes, for people.
  private static func table(
    _ path: String, _ columns: Int, _ option: String, _ known: String, among names: [String]
  ) throws -> [Spectrum] {
    guard path.contains(".") || path.contains("/") else {
      throw UsageError(
        "'\(option)' takes one of \(known), or a table (.csv), not '\(path)'"
          + suggestion(for: path, among: names))
    }
    do {
      return try SpectrumTable.parse(TextFile.read(path), columns: columns)
    } catch let error as SpectrumTable.Malformed { throw InputError("\(path): \(error)") } catch {
      throw InputError(error)
    }
  }

  private static func size(_ text: String) throws -> (Int, Int) {
    let numbers = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.count == 2, (64...8192).contains(numbers[0]), (48...8192).contains(numbers[1]) else {
      throw UsageError("'--size' takes a width and a height from 64x48 to 8192x8192, such as 640x480, not '\(text)'")
    }
    return (numbers[0], numbers[1])
  }
}

extension Arguments {
  /// The option's value as words between commas; nil where it was not given.
  func list(_ name: String) throws -> [String]? {
    guard let text = value(name) else { return nil }
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard !words.contains(""), Set(words).count == words.count else {
      throw UsageError("'\(name)' takes different values with commas between them, not '\(text)'")
    }
    return words
  }

  /// The option's value as numbers between commas.
  func numbers(_ name: String, in range: ClosedRange<Double>) throws -> [Double]? {
    guard let words = try list(name) else { return nil }
    let numbers = try words.map { word in
      guard let number = Double(word), range.contains(number) else {
        throw UsageError(
          "'\(name)' takes numbers from \(plain(range.lowerBound)) to \(plain(range.upperBound)), not '\(word)'")
      }
      return number
    }
    guard Set(numbers).count == numbers.count else {
      throw UsageError(
        "'\(name)' takes different values with commas between them, not '\(words.joined(separator: ","))'")
    }
    return numbers
  }
}
