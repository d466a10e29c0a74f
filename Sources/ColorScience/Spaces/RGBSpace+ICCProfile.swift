extension RGBSpace {
  /// The ICC profile of the space: a version 4 display profile with exact parametric curves
  /// (ICC.1:2022, sections 7.2, 9.2, 10.18). Colorants are adapted to the D50 of the profile
  /// connection space by Bradford, as the `chad` tag says.
  ///
  /// The bytes depend on nothing but the space.
  public var iccProfile: [UInt8] {
    let d50 = XYZ.d50ICC
    let toD50 = ChromaticAdaptation.bradford.matrix(from: XYZ(white), to: d50) ?? .identity
    let (red, green, blue) = (toD50 * toXYZ).columns
    let curve = ICCElement.parametricCurve(transferFunction)
    let tags: [(String, [UInt8])] = [
      ("desc", ICCElement.text(name)), ("cprt", ICCElement.text("No copyright, use freely")),
      ("wtpt", ICCElement.xyz(d50.vector)), ("chad", ICCElement.numbers(toD50.rowMajor)),
      ("rXYZ", ICCElement.xyz(red)), ("gXYZ", ICCElement.xyz(green)), ("bXYZ", ICCElement.xyz(blue)),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]

    var table: [UInt8] = big(UInt32(tags.count))
    var data: [UInt8] = []
    var known: [(bytes: [UInt8], offset: Int)] = []
    let dataStart = 128 + 4 + 12 * tags.count
    for (signature, bytes) in tags {
      // Tags with the same content share it, as the three curves do.
      let offset = known.first { $0.bytes == bytes }?.offset ?? dataStart + data.count
      if offset == dataStart + data.count {
        known.append((bytes, offset))
        data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
      }
      table += Array(signature.utf8) + big(UInt32(offset)) + big(UInt32(bytes.count))
    }

    var header = big(UInt32(dataStart + data.count)) + big(0) + [4, 0x40, 0, 0]
    header += Array("mntrRGB XYZ ".utf8)
    for part in [2026, 1, 1, 0, 0, 0] as [UInt16] { header += [UInt8(part >> 8), UInt8(part & 255)] }
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 24)
    header += big(1)  // relative colorimetric
    header += ICCElement.fixed(d50.x) + ICCElement.fixed(d50.y) + ICCElement.fixed(d50.z)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }
}

/// The kinds of tag data that the profile needs.
private enum ICCElement {
  /// A multiLocalizedUnicodeType with one English text (10.15).
  static func text(_ text: String) -> [UInt8] {
    let units = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let record = Array("enUS".utf8) + big(UInt32(units.count)) + big(28)
    return Array("mluc".utf8) + big(0) + big(1) + big(12) + record + units
  }

  /// An XYZType (10.31).
  static func xyz(_ values: SIMD3<Double>) -> [UInt8] {
    Array("XYZ ".utf8) + big(0) + fixed(values.x) + fixed(values.y) + fixed(values.z)
  }

  /// An s15Fixed16ArrayType (10.22).
  static func numbers(_ values: [Double]) -> [UInt8] { Array("sf32".utf8) + big(0) + values.flatMap { fixed($0) } }

  /// A parametricCurveType (10.18): type 0 for a plain power, type 3 for one with a linear foot.
  static func parametricCurve(_ function: TransferFunction) -> [UInt8] {
    let isPower = function.d <= 0 || function == .linear
    let parameters = isPower ? [function.gamma] : [function.gamma, function.a, function.b, function.c, function.d]
    return Array("para".utf8) + big(0) + [0, isPower ? 0 : 3, 0, 0] + parameters.flatMap { fixed($0) }
  }

  /// An s15Fixed16Number (4.6).
  static func fixed(_ value: Double) -> [UInt8] {
    let scaled = (value * 65536).rounded()
    guard scaled.magnitude < 2_147_483_647 else { return big(0) }
    return big(UInt32(bitPattern: Int32(scaled)))
  }
}

private func big(_ number: UInt32) -> [UInt8] {
  [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
}
