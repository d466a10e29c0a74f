/// One level of the edge-avoiding à-trous filter, with weights that know the noise.
///
/// Dammertz et al., "Edge-avoiding À-Trous wavelet transform for fast global illumination filtering",
/// HPG 2010: a 3 × 3 binomial kernel whose taps lie `step` pixels apart, each tap weighed by how alike
/// the guides of both pixels are. Here "alike" is measured in units of noise: a difference that the noise of
/// both pixels explains does not separate them, a larger one does. So strong signals stay as they are
/// and weak ones are averaged, without a strength to set.
///
/// Every result depends on the pixels around it alone, not on where a tile begins.
struct EdgeAvoidingFilter {
  /// Planes of the guide: brightness, and two chromaticities.
  var brightness: UnsafeMutablePointer<Float>
  var chroma: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>)
  /// The variance that separates two brightnesses, and that of two chromaticities.
  var brightnessVariance: UnsafeMutablePointer<Float>
  var chromaVariance: UnsafeMutablePointer<Float>
  /// 1 where a pixel may lend its value to others, 0 where it is clipped or unknown.
  var validity: UnsafeMutablePointer<Float>
  /// Relative difference of brightness that does not separate; 0 keeps all brightness edges.
  var brightnessTolerance: Float

  private typealias Vector = Planes.Vector

  /// Filters `planes` from `source` to `target` inside the tile, `inset` pixels from its edges.
  ///
  /// - Parameters:
  ///   - source, target: first planes of two groups of `count` + 1; the last one is the variance relative
  ///     to that of an unfiltered pixel.
  func apply(_ planes: Planes, count: Int, from source: Int, to target: Int, step: Int, inset: Int) {
    switch count {
    case 6: run6(planes, source, target, step, inset)
    default: run4(planes, source, target, step, inset)
    }
  }

  @inline(__always)
  private func weight(_ here: Guide, _ place: Int, kernel: Float) -> Vector {
    let there = guide(place)
    let difference = here.brightness - there.brightness
    let sum = (here.brightness + there.brightness) * (0.5 * brightnessTolerance)
    let first = here.chroma.0 - there.chroma.0
    let second = here.chroma.1 - there.chroma.1
    let distance =
      difference * difference / (here.brightnessVariance + there.brightnessVariance + sum * sum)
      + (first * first + second * second) / (here.chromaVariance + there.chromaVariance)
    // Tukey's biweight: smooth, cheap, and exactly zero beyond three standard deviations.
    let bell = (1 - distance * (1.0 / 9)).replacing(with: 0, where: distance .>= 9)
    return bell * bell * Planes.load(validity + place) * kernel
  }

  private struct Guide {
    var brightness: Vector
    var chroma: (Vector, Vector)
    var brightnessVariance: Vector
    var chromaVariance: Vector
  }

  @inline(__always)
  private func guide(_ place: Int) -> Guide {
    Guide(
      brightness: Planes.load(brightness + place),
      chroma: (Planes.load(chroma.0 + place), Planes.load(chroma.1 + place)),
      brightnessVariance: Planes.load(brightnessVariance + place),
      chromaVariance: Planes.load(chromaVariance + place))
  }

  @inline(__always)
  private func run6(_ planes: Planes, _ source: Int, _ target: Int, _ step: Int, _ inset: Int) {
    let (a, b, c, d, e, f, v) = (
      planes[source], planes[source + 1], planes[source + 2], planes[source + 3], planes[source + 4],
      planes[source + 5], planes[source + 6]
    )
    forEachVector(planes, step, inset) { place, taps in
      var sums = (Vector(), Vector(), Vector(), Vector(), Vector(), Vector())
      var variance = Vector()
      var total = Vector()
      taps { place, weight in
        sums.0 += weight * Planes.load(a + place)
        sums.1 += weight * Planes.load(b + place)
        sums.2 += weight * Planes.load(c + place)
        sums.3 += weight * Planes.load(d + place)
        sums.4 += weight * Planes.load(e + place)
        sums.5 += weight * Planes.load(f + place)
        variance += weight * weight * Planes.load(v + place)
        total += weight
      }
      let scale = 1 / total
      let isLost = total .<= 0
      Planes.store((sums.0 * scale).replacing(with: Planes.load(a + place), where: isLost), planes[target] + place)
      Planes.store((sums.1 * scale).replacing(with: Planes.load(b + place), where: isLost), planes[target + 1] + place)
      Planes.store((sums.2 * scale).replacing(with: Planes.load(c + place), where: isLost), planes[target + 2] + place)
      Planes.store((sums.3 * scale).replacing(with: Planes.load(d + place), where: isLost), planes[target + 3] + place)
      Planes.store((sums.4 * scale).replacing(with: Planes.load(e + place), where: isLost), planes[target + 4] + place)
      Planes.store((sums.5 * scale).replacing(with: Planes.load(f + place), where: isLost), planes[target + 5] + place)
      storeVariance(variance, scale, isLost, v, planes[target + 6], place, step)
    }
  }

  @inline(__always)
  private func run4(_ planes: Planes, _ source: Int, _ target: Int, _ step: Int, _ inset: Int) {
    let (a, b, c, d, v) = (
      planes[source], planes[source + 1], planes[source + 2], planes[source + 3], planes[source + 4]
    )
    forEachVector(planes, step, inset) { place, taps in
      var sums = (Vector(), Vector(), Vector(), Vector())
      var variance = Vector()
      var total = Vector()
      taps { place, weight in
        sums.0 += weight * Planes.load(a + place)
        sums.1 += weight * Planes.load(b + place)
        sums.2 += weight * Planes.load(c + place)
        sums.3 += weight * Planes.load(d + place)
        variance += weight * weight * Planes.load(v + place)
        total += weight
      }
      let scale = 1 / total
      let isLost = total .<= 0
      Planes.store((sums.0 * scale).replacing(with: Planes.load(a + place), where: isLost), planes[target] + place)
      Planes.store((sums.1 * scale).replacing(with: Planes.load(b + place), where: isLost), planes[target + 1] + place)
      Planes.store((sums.2 * scale).replacing(with: Planes.load(c + place), where: isLost), planes[target + 2] + place)
      Planes.store((sums.3 * scale).replacing(with: Planes.load(d + place), where: isLost), planes[target + 3] + place)
      storeVariance(variance, scale, isLost, v, planes[target + 4], place, step)
    }
  }

  /// After the first level neighbours share pixels: for binomial kernels the true variance is about
  /// half as large again as if they were independent.
  @inline(__always)
  private func storeVariance(
    _ sum: Vector, _ scale: Vector, _ isLost: SIMDMask<SIMD8<Int32>>, _ before: UnsafeMutablePointer<Float>,
    _ after: UnsafeMutablePointer<Float>, _ place: Int, _ step: Int
  ) {
    let old = Planes.load(before + place)
    let new = pointwiseMin(sum * scale * scale * (step > 1 ? 1.5 : 1), old)
    Planes.store(new.replacing(with: old, where: isLost), after + place)
  }

  @inline(__always)
  private func forEachVector(
    _ planes: Planes, _ step: Int, _ inset: Int, _ body: (Int, ((Int, Vector) -> Void) -> Void) -> Void
  ) {
    let stride = planes.stride
    for y in inset..<max(inset, planes.height - inset) {
      var x = inset
      while x < planes.width - inset {
        let place = y * stride + x
        let here = guide(place)
        body(place) { tap in
          tap(place, Planes.load(validity + place) * 4)
          for row in -1...1 {
            for column in -1...1 where row != 0 || column != 0 {
              let other = place + (row * stride + column) * step
              tap(other, weight(here, other, kernel: row == 0 || column == 0 ? 2 : 1))
            }
          }
        }
        x += 8
      }
    }
  }
}
