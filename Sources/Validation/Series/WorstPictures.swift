import ColorScience
import Simulation

/// Small pictures of what a validation looked at.
public enum WorstPictures {
  private static let widest = 360

  /// A picture with one gain, in sRGB.
  public static func small(_ picture: XYZPicture, gain: Double) -> SmallPicture {
    let matrix = RGBSpace.sRGB.fromXYZ
    let gain = Float(gain)
    return small(picture.width, picture.height, picture.pixels) { color in
      let rgb = matrix * SIMD3<Double>(gain * color)
      return SIMD3(encoded(rgb.x), encoded(rgb.y), encoded(rgb.z))
    }
  }

  /// Colour errors: black is none, orange the tolerance, white three times the tolerance and more.
  public static func small(errors: [Float], width: Int, height: Int, tolerance: Double) -> SmallPicture {
    let limit = Float(3 * tolerance)
    // Means of a few pixels must not be those of a single absurd one.
    let values = errors.map { SIMD3<Float>(repeating: $0.isFinite ? min($0, limit) : 0) }
    return small(width, height, values) { value in heat(Double(value.x / limit)) }
  }

  /// A map of 0...1 in linear grey, as the files of confidence maps have it.
  public static func small(map: [Float], width: Int, height: Int) -> SmallPicture {
    small(width, height, map.map { SIMD3<Float>(repeating: $0) }) { value in SIMD3(repeating: byte(Double(value.x))) }
  }

  private static func small(
    _ width: Int, _ height: Int, _ values: [SIMD3<Float>], _ color: (SIMD3<Float>) -> SIMD3<UInt8>
  ) -> SmallPicture {
    let factor = max(1, (width + widest - 1) / widest)
    let (columns, rows) = (width / factor, height / factor)
    guard columns > 0, rows > 0, values.count >= width * height else {
      return SmallPicture(width: 0, height: 0, bytes: [])
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = SIMD3<Float>.zero
        for y in row * factor..<(row + 1) * factor {
          for x in column * factor..<(column + 1) * factor { sum += values[y * width + x] }
        }
        let shown = color(sum / Float(factor * factor))
        bytes += [shown.x, shown.y, shown.z]
      }
    }
    return SmallPicture(width: columns, height: rows, bytes: bytes)
  }

  private static func encoded(_ linear: Double) -> UInt8 {
    byte(TransferFunction.sRGB.encode(min(max(linear, 0), 1)))
  }

  private static func byte(_ value: Double) -> UInt8 { value > 0 ? UInt8(min(value, 1) * 255 + 0.5) : 0 }

  /// Black, violet, orange (at a third), yellow, white.
  private static func heat(_ value: Double) -> SIMD3<UInt8> {
    let stops: [SIMD3<Double>] = [
      SIMD3(0, 0, 0), SIMD3(0.45, 0.1, 0.45), SIMD3(0.95, 0.5, 0.1), SIMD3(0.98, 0.75, 0.2), SIMD3(1, 0.9, 0.5),
      SIMD3(1, 1, 0.8), SIMD3(1, 1, 1),
    ]
    let place = min(max(value, 0), 1) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    let mixed = stops[index] + (place - Double(index)) * (stops[index + 1] - stops[index])
    return SIMD3(byte(mixed.x), byte(mixed.y), byte(mixed.z))
  }
}
