import ColorScience
import Glibc

/// A colour as screens show it: sRGB, 8 bits a channel; what lies outside is clipped.
public struct ScreenColor: Equatable, Sendable {
  /// The samples.
  public var red, green, blue: UInt8

  /// A colour from its samples.
  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// A colour from its tristimulus values under D65.
  public init(_ color: XYZ) {
    let linear = RGBSpace.sRGB.fromXYZ * color.vector
    func byte(_ value: Double) -> UInt8 {
      let encoded = RGBSpace.sRGB.transferFunction.encode(value.isFinite ? min(max(value, 0), 1) : 0)
      return UInt8(min(max((encoded * 255).rounded(), 0), 255))
    }
    self.init(red: byte(linear.x), green: byte(linear.y), blue: byte(linear.z))
  }

  /// As style sheets write it.
  public var css: String {
    func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return "#" + digits(red) + digits(green) + digits(blue)
  }

  /// The text colour that reads well on it.
  public var ink: String {
    let luma = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
    return luma > 120 ? "#111" : "#fff"
  }
}

/// Colours for errors: light yellow for small ones, dark blue for large ones, on a logarithmic scale. Cividis (J. R. Nuñez,
/// C. R. Anderton, R. S. Renslow, PLOS ONE 13 (2018)), reversed: it looks the same with and without red-green blindness.
public struct ErrorScale: Sendable {
  /// The error at its lower end.
  public let lowest = 0.5
  /// The error at its upper end.
  public let highest: Double

  /// A scale on which all of some errors have a place.
  public init(_ errors: [Double]) {
    let largest = errors.filter(\.isFinite).max() ?? 0
    highest = [10, 20, 30, 50, 100].first { $0 >= largest } ?? 200
  }

  /// 0...1 along the scale.
  public func place(_ error: Double) -> Double {
    guard error > lowest else { return 0 }
    return min(log2(error / lowest) / log2(highest / lowest), 1)
  }

  /// The colour of an error.
  public func color(_ error: Double) -> ScreenColor { Self.color(at: place(error)) }

  /// Errors to write beside it.
  public var marks: [Double] { [0.5, 1, 2, 3, 5, 10, 20, 50, 100, 200].filter { $0 <= highest } }

  /// The colour at a place.
  public static func color(at place: Double) -> ScreenColor {
    let position = (1 - min(max(place.isFinite ? place : 1, 0), 1)) * Double(cividis.count - 1)
    let index = min(Int(position), cividis.count - 2)
    let part = position - Double(index)
    func mixed(_ low: Double, _ high: Double) -> UInt8 { UInt8(low + (high - low) * part) }
    let (low, high) = (cividis[index], cividis[index + 1])
    return ScreenColor(red: mixed(low.x, high.x), green: mixed(low.y, high.y), blue: mixed(low.z, high.z))
  }

  private static let cividis: [SIMD3<Double>] = [
    [0, 34, 78], [0, 46, 106], [26, 56, 111], [50, 67, 109], [67, 78, 108], [83, 90, 109], [97, 101, 111],
    [111, 112, 115], [125, 124, 120], [140, 136, 120], [155, 148, 118], [171, 160, 114], [188, 174, 108],
    [205, 187, 99], [222, 201, 88], [240, 216, 70], [254, 232, 56],
  ]
}
