import ColorScience
import Glibc
import Raster

/// The mean colour of a swatch, from the pixels that can be trusted.
struct SwatchSample {
  /// How many pixels there are, and how many count.
  let pixels, trusted: Int
  /// The mean of linear sRGB under D65, before any gain, without the darkest and the lightest tenth.
  let color: SIMD3<Double>
  /// The standard error of ``color``: from the scatter of parts of the swatch, since neighbouring pixels share their noise.
  let standardError: SIMD3<Double>

  /// Fewer trusted pixels, or a smaller part, do not stand for a swatch.
  private static let (fewest, leastShare) = (64, 0.5)

  /// - Parameters:
  ///   - light: linear sRGB under D65 of a rectangle, row after row.
  ///   - threshold: the confidence from which a pixel counts.
  init(_ light: [Pixel], confidence: [Float], width: Int, threshold: Double) {
    pixels = light.count
    let height = light.count / max(width, 1)
    var counted: [(place: Int, rgb: SIMD3<Double>, luminance: Double)] = []
    for index in light.indices where index < confidence.count && Double(confidence[index]) >= threshold {
      let rgb = SIMD3<Double>(light[index].rgb)
      guard (rgb * 0).sum() == 0 else { continue }
      counted.append((index, rgb, (Self.luminance * rgb).sum()))
    }
    trusted = counted.count
    let order = counted.map(\.luminance).sorted()
    guard !order.isEmpty else {
      (color, standardError) = (.zero, .zero)
      return
    }
    // A speck, a scratch, or the swatch's border do not count.
    let range = order[order.count / 10]...order[(order.count - 1) * 9 / 10]
    var parts = [(sum: SIMD3<Double>, count: Double)](repeating: (.zero, 0), count: 16)
    for (place, rgb, luminance) in counted where range.contains(luminance) {
      let part = place / width * 4 / max(height, 1) * 4 + place % width * 4 / max(width, 1)
      parts[min(part, 15)].sum += rgb
      parts[min(part, 15)].count += 1
    }
    let total = parts.reduce(0) { $0 + $1.count }
    let mean = parts.reduce(.zero) { $0 + $1.sum } / max(total, 1)
    color = mean
    let means = parts.filter { $0.count >= 4 }.map { $0.sum / $0.count }
    let scatter = means.reduce(SIMD3<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) }
    let count = Double(means.count)
    standardError = count > 1 ? (scatter / (count * (count - 1))).squareRoot() : mean
  }

  private static let luminance = SIMD3(0.2126, 0.7152, 0.0722)

  /// Whether there are enough pixels that count.
  var isTrusted: Bool {
    trusted >= Self.fewest && Double(trusted) >= Self.leastShare * Double(pixels) && light > 0
  }

  /// The luminance, and its relative standard error.
  var light: Double { (Self.luminance * color).sum() }
  var relativeError: Double {
    let error = Self.luminance * standardError
    return light > 0 ? (error * error).sum().squareRoot() / light : .infinity
  }

  /// The colour after a gain.
  func lab(gain: Double) -> Lab { Lab(XYZ(RGBSpace.sRGB.toXYZ * (gain * color))) }

  /// What the standard error of the colour is in ΔE00.
  func uncertainty(gain: Double) -> Double {
    let lab = lab(gain: gain)
    return (0..<3).reduce(0) { sum, channel in
      var other = color
      other[channel] += standardError[channel]
      let difference = Lab(XYZ(RGBSpace.sRGB.toXYZ * (gain * other))).ciede2000(to: lab)
      return sum + difference * difference
    }.squareRoot()
  }
}
