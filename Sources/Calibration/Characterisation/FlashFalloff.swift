import ColorScience
import ConstantColor
import Glibc

/// How unevenly the flash lit the chart: a smooth surface over the patches.
///
/// Colours are fitted by a matrix whatever their brightness, their brightness then tells the light at each patch; a quadratic
/// in the logarithm goes through it (light of a small source falls off so over a chart), and the colours are fitted anew.
enum FlashFalloff {
  /// A patch for the estimate.
  struct Patch {
    /// Where it is on the chart, in patches from its centre.
    var place: SIMD2<Double>
    /// Camera RGB.
    var rgb: SIMD3<Double>
    /// XYZ under D65.
    var xyz: SIMD3<Double>
    /// The relative standard error of its brightness.
    var uncertainty: Double
  }

  /// The light at each patch, 1 at the chart's centre, and by how much (as natural logarithm) each patch is brighter than
  /// this surface; nil where the patches do not determine it. A patch in shadow stands out by the latter.
  static func estimate(_ patches: [Patch]) -> (light: [Double], deviations: [Double])? {
    var light = [Double](repeating: 1, count: patches.count)
    guard let reference = patches.indices.max(by: { patches[$0].xyz.y < patches[$1].xyz.y }) else { return nil }
    let degree = patches.count >= 12 ? 2 : 1
    var deviations = light
    for _ in 0..<40 {
      let even = patches.indices.map { patches[$0].rgb / light[$0] }
      // The brightest patch stands for white here; only ratios matter.
      let white = even[reference] / (patches[reference].xyz / XYZ.d65.vector)
      guard white.min() > 0 else { return nil }
      let colours = patches.indices.map { ColorSample(rgb: even[$0] / white, xyz: patches[$0].xyz) }
      guard let matrix = TransformFit.fit(colours, degree: .linear, lightnessFactor: 1) else { return nil }
      let brightness = patches.indices.map { index in
        log(max(matrix(patches[index].rgb / white).y, 1e-9) / max(patches[index].xyz.y, 1e-9))
      }
      let places = patches.map { SIMD2($0.place.x / 2.5, $0.place.y / 2.5) }
      let samples = patches.indices.map { index in
        let uncertainty = patches[index].uncertainty
        return SmoothSurface.Sample(
          place: places[index], value: brightness[index], weight: 1 / (uncertainty * uncertainty + 9e-4))
      }
      guard let surface = SmoothSurface.fitted(samples, degree: degree) else { return nil }
      let centre = surface(.zero)
      let fitted = places.map { surface($0) }
      deviations = zip(brightness, fitted).map { $0 - $1 }
      let next = fitted.map { exp(min(max($0 - centre, -3), 3)) }
      let change = zip(next, light).map { abs($0 / $1 - 1) }.max() ?? 0
      light = next
      if change < 1e-5 { break }
    }
    return (light, deviations)
  }
}
