import ColorScience
import JSONValue
import TextOutput

/// What a place of a picture shows: its numbers, and the colour that they mean.
///
/// Colours are unbounded: nothing is clipped, negative values stay, and what cannot be said of a colour is nil.
public struct PixelReading: Equatable, Sendable {
  /// The place, and the radius of the square around it of which this is the mean.
  public let x, y, radius: Int
  /// The linear values of the picture.
  public let numbers: PixelMean
  /// The linear values, with sRGB primaries under D65, that colours are told of: `numbers` themselves, or what becomes
  /// of them further on; nil where they have no known colour.
  public let color: PixelMean?
  /// Why colours are unknown, or of what they are told; for people.
  public let note: String?

  /// A reading of a picture whose pixels are linear light with sRGB primaries under D65.
  public init(x: Int, y: Int, radius: Int = 0, _ numbers: PixelMean) {
    self.init(x: x, y: y, radius: radius, numbers, color: numbers, note: nil)
  }

  /// A reading of a picture whose numbers are no colours under D65, such as a camera's.
  ///
  /// - Parameters:
  ///   - color: the same place after the adaptation to D65; nil where there is none.
  ///   - note: tells people what `color` is, or why there is none.
  public init(x: Int, y: Int, radius: Int = 0, _ numbers: PixelMean, color: PixelMean?, note: String?) {
    (self.x, self.y, self.radius) = (x, y, radius)
    self.numbers = numbers
    self.color = color.flatMap { $0.isFinite ? $0 : nil }
    self.note = note
  }

  /// The linear values; nil where they are not numbers.
  public var linear: SIMD3<Double>? { numbers.isFinite ? numbers.rgb : nil }

  /// The values of sRGB with its curve, 0...1 within its gamut; negative values go through the mirrored curve.
  public var srgb: SIMD3<Double>? {
    let curve = RGBSpace.sRGB.transferFunction
    return color.map { SIMD3(curve.encode($0.rgb.x), curve.encode($0.rgb.y), curve.encode($0.rgb.z)) }
  }

  /// The same in the steps of 8 bits: 0...255 within the gamut of sRGB, and beyond it outside.
  public var srgb8: SIMD3<Int>? {
    srgb.map { value in
      func step(_ value: Double) -> Int { Int(min(max((value * 255).rounded(), -1e9), 1e9)) }
      return SIMD3(step(value.x), step(value.y), step(value.z))
    }
  }

  /// The tristimulus values, Y = 1 for the white.
  public var xyz: XYZ? { color.map { XYZ(RGBSpace.linearSRGB.toXYZ * $0.rgb) } }

  /// The chromaticity; nil for black and for what no light can be.
  public var chromaticity: Chromaticity? { xyz?.chromaticity }

  /// CIELAB under D65.
  public var lab: Lab? { xyz.map { Lab($0) } }

  /// The correlated colour temperature and Duv; nil where they mean nothing.
  public var temperature: CorrelatedColorTemperature? { chromaticity.flatMap { CorrelatedColorTemperature($0) } }

  /// The reading with fixed keys; what is unknown is null.
  public var json: JSON {
    func list(_ vector: SIMD3<Double>?) -> JSON { JSON(vector.map { [$0.x, $0.y, $0.z] }) }
    return [
      "x": .integer(x), "y": .integer(y), "radius": .integer(radius), "linear": list(linear), "srgb": list(srgb),
      "xyz": list(xyz?.vector), "xy": JSON(chromaticity.map { [$0.x, $0.y] }), "lab": list(lab?.vector),
      "cct": JSON(temperature?.kelvin), "duv": JSON(temperature?.duv),
    ]
  }

  /// The header of ``csvRow``.
  public static let csvHeader =
    "x,y,radius,linear_r,linear_g,linear_b,srgb_r,srgb_g,srgb_b,X,Y,Z,cie_x,cie_y,L,a,b,cct,duv"

  /// The reading as a row of comma-separated values; what is unknown is empty.
  public var csvRow: String {
    func cells(_ values: [Double?]) -> [String] {
      values.map { $0.flatMap { $0.isFinite ? $0.description : nil } ?? "" }
    }
    func three(_ vector: SIMD3<Double>?) -> [Double?] { [vector?.x, vector?.y, vector?.z] }
    let colors = three(linear) + three(srgb) + three(xyz?.vector)
    let rest = [chromaticity?.x, chromaticity?.y] + three(lab?.vector) + [temperature?.kelvin, temperature?.duv]
    return ([String(x), String(y), String(radius)] + cells(colors + rest)).joined(separator: ",")
  }

  /// The reading for people, a quantity a line.
  public var text: String {
    let side = 2 * radius + 1
    var lines = ["(\(x), \(y))" + (radius > 0 ? ", mean of \(numbers.count) pixels, \(side) × \(side)" : "")]
    func row(_ name: String, _ values: String) { lines.append("  " + leftAligned(name, 8) + values) }
    func three(_ vector: SIMD3<Double>, _ word: (Double) -> String) -> String {
      [vector.x, vector.y, vector.z].map { rightAligned(word($0), 11) }.joined()
    }
    row("linear", three(numbers.rgb) { significant($0) })
    if let srgb, let srgb8 {
      let isInside = srgb8.x >= 0 && srgb8.y >= 0 && srgb8.z >= 0 && max(srgb8.x, srgb8.y, srgb8.z) <= 255
      row("sRGB", three(srgb) { decimal($0, 4) })
      row("8 bit", three(SIMD3<Double>(srgb8)) { decimal($0, 0) } + (isInside ? "" : "   beyond sRGB"))
    }
    if let xyz { row("XYZ", three(xyz.vector) { significant($0) }) }
    if let chromaticity {
      row("xy", [chromaticity.x, chromaticity.y].map { rightAligned(decimal($0, 4), 11) }.joined())
    }
    if let lab { row("Lab", three(lab.vector) { decimal($0, 2) } + "   D65") }
    if let temperature {
      let sign = temperature.duv > 0 ? "+" : ""
      row(
        "CCT", rightAligned(decimal(temperature.kelvin, 0) + " K", 11) + ", Duv \(sign)" + decimal(temperature.duv, 4))
    }
    if numbers.alpha != 1 { row("alpha", rightAligned(significant(numbers.alpha), 11)) }
    if numbers.unusable > 0 {
      lines.append(
        "  \(numbers.unusable) of \(numbers.count) pixels are not finite" + (linear == nil ? "" : " and left out"))
    }
    if let note { lines.append("  " + note) }
    return lines.joined(separator: "\n")
  }
}
