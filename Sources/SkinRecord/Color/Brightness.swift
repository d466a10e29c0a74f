import ColorScience
import Glibc
import Raster

/// What tells how light the skin is.
public enum LightnessReference: Equatable, Sendable {
  /// Nothing does.
  case none
  /// A grey card in the picture.
  case grey
  /// The distance of the calibration, kept by a stand or a spacer, with fixed exposure. In centimetres where that is known.
  case distance(Double?)

  /// As it stands in the database and in messages.
  public var text: String {
    switch self {
    case .none: "none"
    case .grey: "grey card"
    case .distance(nil): "fixed distance"
    case .distance(let centimetres?): "fixed distance of \(short(centimetres)) cm"
    }
  }

  private func short(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
  }
}

/// How evenly a lamp beside the lens lights a picture.
enum Unevenness {
  /// What is left even of places side by side: texture and tilt of a card, the flash's own repeatability. Relative.
  static let floor = 0.02
  /// What a grey card's reflectance is right to. Relative.
  static let card = 0.02
  /// What a stand or a spacer keeps a distance to. Relative.
  static let distance = 0.01

  /// The relative standard uncertainty of one place's light from another's.
  ///
  /// By the law of cos⁴ for a small lamp at the lens before a plane, with half of a diagonal of 62°: the fall between the
  /// places may or may not be there.
  static func between(_ place: SIMD2<Double>, _ other: SIMD2<Double>, _ box: Rectangle) -> Double {
    func light(_ place: SIMD2<Double>) -> Double {
      let centre = SIMD2(Double(box.x) + Double(box.width) / 2, Double(box.y) + Double(box.height) / 2)
      let half = hypot(Double(box.width), Double(box.height)) / 2
      let off = (place - centre) / max(half, 1)
      let tangent = 0.6 * 0.6 * (off * off).sum()
      return -2 * log(1 + tangent)
    }
    let fall = light(place) - light(other)
    return (floor * floor + fall * fall / 3).squareRoot()
  }
}

extension Rectangle {
  var middle: SIMD2<Double> { SIMD2(Double(x) + Double(width) / 2, Double(y) + Double(height) / 2) }
}
