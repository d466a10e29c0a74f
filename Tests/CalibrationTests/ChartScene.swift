import Calibration
import ConstantColor
import Raster
import TestSupport

/// A drawn chart whose place and colours are known: the truth of these tests.
struct ChartScene {
  var size = (width: 480, height: 360)
  /// The centres of dark skin, bluish green, black and white.
  var corners: [SIMD2<Double>] = []
  /// The part of the pitch that is patch; the rest is the black frame.
  var patch = 0.86
  /// Values of the camera for a white of 1.
  var gains = SIMD3<Double>(0.42, 0.8, 0.55)
  /// How much the light changes from the left to the right edge of the picture, relative to its middle.
  var falloff = 0.0
  /// The standard deviation of a pixel.
  var noise = 0.0
  var seed: UInt64 = 1
  /// Rectangles beside the chart: centre, half the size, colour.
  var distractors: [(center: SIMD2<Double>, half: SIMD2<Double>, color: SIMD3<Double>)] = []
  var background = SIMD3<Double>(0.18, 0.22, 0.2)
  /// Patches that are painted over with one colour.
  var hidden: [Int: SIMD3<Double>] = [:]
  /// What replaces the colours of the chart.
  var colors = ChartColors.linearSRGB

  /// A chart seen from in front: its middle, its pitch in pixels, turned by an angle (degrees, clockwise).
  static func facing(
    center: SIMD2<Double> = SIMD2(240, 180), pitch: Double, degrees: Double = 0
  ) -> [SIMD2<Double>] {
    let map = Homography.similarity(rotation: degrees * .pi / 180, scale: pitch, shift: center)
    return [SIMD2(-2.5, -1.5), SIMD2(2.5, -1.5), SIMD2(2.5, 1.5), SIMD2(-2.5, 1.5)].map {
      map.apply(to: $0) ?? .zero
    }
  }

  /// The picture: the mean of 3 × 3 points in each pixel, so that edges are as soft as a camera's.
  var image: Image {
    guard let chart = try? ChartGeometry(corners: corners), let toChart = chart.homography.inverse else {
      return Image(Rectangle(width: 0, height: 0))
    }
    var random = SplitMix(state: seed)
    return Image(Rectangle(width: size.width, height: size.height)) { x, y in
      var sum = SIMD3<Double>.zero
      for dy in -1...1 {
        for dx in -1...1 {
          let point = SIMD2(Double(x) + Double(dx) / 3, Double(y) + Double(dy) / 3)
          sum += color(at: point, place: toChart.apply(to: point))
        }
      }
      let light = 1 + falloff * (Double(x) / Double(size.width) - 0.5)
      var value = sum / 9 * gains * light
      if noise > 0 { value += noise * SIMD3(random.normal(), random.normal(), random.normal()) }
      return Pixel(rgb: SIMD3<Float>(value), alpha: 1)
    }
  }

  private func color(at point: SIMD2<Double>, place: SIMD2<Double>?) -> SIMD3<Double> {
    if let place, place.x > -0.7, place.x < 5.7, place.y > -0.7, place.y < 3.7 {
      let cell = SIMD2(place.x.rounded(), place.y.rounded())
      let inside = abs(place.x - cell.x) < patch / 2 && abs(place.y - cell.y) < patch / 2
      guard inside, cell.x >= 0, cell.x <= 5, cell.y >= 0, cell.y <= 3 else { return SIMD3(repeating: 0.03) }
      let index = Int(cell.y) * 6 + Int(cell.x)
      return hidden[index] ?? colors[index]
    }
    for distractor in distractors {
      let offset = point - distractor.center
      if abs(offset.x) < distractor.half.x, abs(offset.y) < distractor.half.y { return distractor.color }
    }
    return background
  }
}

/// Runs in small pieces and in reverse order, to see that results do not depend on how work is shared out.
let pieces = Execution { count, body in
  for first in stride(from: 0, to: count, by: 3).reversed() { body(Turns(first..<min(first + 3, count))) }
}
