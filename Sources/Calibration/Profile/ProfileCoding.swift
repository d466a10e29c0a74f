import ColorScience
import ConstantColor
import JSONValue

/// A profile as JSON: readable, versioned. What it is used for is at the top level; `chart` and `quality` tell how it
/// came to be, and reading skips them.
extension CalibrationProfile {
  /// The value of the key `format`.
  public static let formatName = "constant-color profile"
  /// The version of the format that is written, and the newest that is read.
  public static let formatVersion = 1

  /// The members that are read back.
  public var members: [JSON.Member] {
    var transform: [JSON.Member] = [
      JSON.Member("matrix", .numbers(self.transform.matrix.rowMajor)),
      JSON.Member("white", .numbers(self.transform.white)),
      JSON.Member("smallestRatio", .number(self.transform.smallestRatio)),
    ]
    if let polynomial = self.transform.rootPolynomial {
      let coefficients = JSON.array(polynomial.coefficients.map { .numbers($0) })
      transform.append(
        JSON.Member(
          "rootPolynomial", ["degree": .integer(polynomial.degree.rawValue), "coefficients": coefficients]))
    }
    return [
      JSON.Member("format", .string(Self.formatName)), JSON.Member("formatVersion", .integer(Self.formatVersion)),
      JSON.Member("input", .string(input.rawValue)),
      JSON.Member("camera", ["make": JSON(make), "model": JSON(model)]),
      JSON.Member("transform", .object(transform)),
      JSON.Member(
        "flash",
        [
          "whiteLevel": .number(self.transform.white.y), "exposureTime": JSON(exposure.time), "iso": JSON(exposure.iso),
          "fNumber": JSON(exposure.fNumber),
        ]),
      JSON.Member("flashDuration", .string(duration.rawValue)),
      JSON.Member(
        "noise",
        noise.map {
          ["gain": .numbers(SIMD3<Double>($0.gain)), "floor": .numbers(SIMD3<Double>($0.floor))]
        } ?? .null),
      JSON.Member("expectedError", .number(expectedError)),
      // A thousandth of a squared error is nothing.
      JSON.Member("colorErrors", .numbers(colorErrors.squares.map { Double(Int(($0 * 1000).rounded())) / 1000 })),
    ] + (flatField.map { [JSON.Member("flatField", $0.json)] } ?? [])
  }

  /// Reads a profile from the text of its file. Throws ``ProfileError``.
  public init(parsing text: [UInt8]) throws(ProfileError) {
    let json: JSON
    do { json = try JSON(parsing: text) } catch {
      throw ProfileError(description: "\(error); name a profile that 'constant-color calibrate' wrote")
    }
    guard json["format"].string == Self.formatName, let version = json["formatVersion"].double else {
      throw ProfileError(description: "is no calibration profile; name one that 'constant-color calibrate' wrote")
    }
    guard version <= Double(Self.formatVersion) else {
      throw ProfileError(description: "is a profile of a newer kind (version \(version)); use a newer constant-color")
    }
    guard version == version.rounded(), version >= 1 else {
      throw ProfileError(description: "is a profile of a version that never was (\(version)); calibrate again")
    }
    func damaged(_ key: String) -> ProfileError {
      ProfileError(description: "the profile's '\(key)' is missing or makes no sense; calibrate again")
    }
    guard let input = json["input"].string.flatMap({ Input(rawValue: $0) }) else { throw damaged("input") }
    let values = json["transform"]
    guard let matrix = values["matrix"].doubles.flatMap({ Matrix3(rowMajor: $0) }) else { throw damaged("matrix") }
    guard let white = values["white"].vector, white.min() > 1e-6, white.max() < 1e6 else {
      throw damaged("white")
    }
    var polynomial: RootPolynomial?
    if values["rootPolynomial"] != .null {
      let coefficients = values["rootPolynomial"]["coefficients"].elements?.compactMap(\.vector) ?? []
      guard let degree = RootPolynomial.Degree.allCases.first(where: { $0.termCount == coefficients.count }),
        let read = RootPolynomial(degree: degree, coefficients: coefficients),
        // Beyond, pixels would not be finite.
        coefficients.allSatisfy({ $0.min() > -1e9 && $0.max() < 1e9 })
      else { throw damaged("rootPolynomial") }
      polynomial = read
    }
    let ratio = values["smallestRatio"] == .null ? 0.1 : values["smallestRatio"].double ?? -1
    guard (0...1).contains(ratio) else { throw damaged("smallestRatio") }
    let transform = CalibratedTransform(
      matrix: matrix, rootPolynomial: polynomial, white: white, smallestRatio: ratio)
    do { _ = try D65Adaptation(transform) } catch { throw ProfileError(description: "\(error)") }
    let flash = json["flash"]
    guard let duration = json["flashDuration"].string.flatMap({ FlashDuration(rawValue: $0) }) else {
      throw damaged("flashDuration")
    }
    let expectedError = json["expectedError"] == .null ? 3 : json["expectedError"].double ?? -1
    guard (0...100).contains(expectedError) else { throw damaged("expectedError") }
    var errors: ColorErrorMap?
    if json["colorErrors"] != .null {
      guard let read = json["colorErrors"].doubles.flatMap({ ColorErrorMap(squares: $0.map { Float($0) }) }) else {
        throw damaged("colorErrors")
      }
      errors = read
    }
    var noise: NoiseModel?
    if let gain = json["noise"]["gain"].vector, let floor = json["noise"]["floor"].vector {
      noise = NoiseModel(gain: SIMD3<Float>(gain), floor: SIMD3<Float>(floor))
    }
    self.init(
      input: input, make: json["camera"]["make"].string, model: json["camera"]["model"].string, transform: transform,
      exposure: Exposure(
        time: flash["exposureTime"].double, iso: flash["iso"].double, fNumber: flash["fNumber"].double),
      duration: duration, noise: noise, expectedError: expectedError, colorErrors: errors)
    guard json["flatField"] != .null else { return }
    guard let field = MeasuredFlatField(json["flatField"]) else { throw damaged("flatField") }
    flatField = field
  }
}

extension JSON {
  /// A list of numbers.
  public static func numbers(_ values: [Double]) -> JSON { .array(values.map { .number($0) }) }
  /// A list of three numbers.
  public static func numbers(_ value: SIMD3<Double>) -> JSON { .numbers([value.x, value.y, value.z]) }

  /// Three finite numbers.
  var vector: SIMD3<Double>? {
    guard let numbers = doubles, numbers.count == 3, numbers.allSatisfy(\.isFinite) else { return nil }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }
}
