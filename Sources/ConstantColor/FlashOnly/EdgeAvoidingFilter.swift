/// One level of the edge-avoiding à-trous filter, with weights that know the noise.
///
/// Dammertz et al., "Edge-avoiding À-Trous wavelet transform for fast global illumination filtering",
/// HPG 2010: a 3 × 3 binomial kernel whose taps lie `step` pixels apart, each tap weighed by how alike
/// the guides of both pixels are. Here "alike" is measured in units of noise: a difference that the noise of
/// both pixels explains does not separate them, a larger one does. So strong signals stay as they are
/// and weak ones are averaged, without a strength to set.
///
/// Two groups of planes are averaged at the same time, since they share most of the work: one *narrowly*, kept apart by
/// every edge of brightness, the other *widely*, over brightnesses up to a factor of two or so, because the colour of a
/// surface does not change with its shading.
///
/// Every result depends on the pixels around it alone, not on where a tile begins.
struct EdgeAvoidingFilter {
  typealias Plane = UnsafeMutablePointer<Float>

  /// Planes of the guide: brightness, and two chromaticities.
  var brightness: Plane
  var chroma: (Plane, Plane)
  /// The variance that separates two brightnesses, and that of two chromaticities.
  var brightnessVariance: Plane
  var chromaVariance: Plane
  /// 1 where a pixel may lend its value to others, 0 where it is clipped or unknown.
  var validity: Plane
  /// The size of the tile, and floats from one row to the next.
  var width, height, stride: Int

  /// Relative difference of brightness that does not separate pixels of the wide group.
  private static let tolerance: Float = 0.3

  /// What is averaged narrowly; `variance` is relative to that of an unfiltered pixel.
  struct Narrow {
    var values: (Plane, Plane)
    var variance: Plane
  }

  /// What is averaged widely.
  struct Wide {
    var values: (Plane, Plane, Plane, Plane, Plane, Plane)
    var variance: Plane
  }

  /// Filters both groups inside the tile, `inset` pixels from its edges.
  func apply(
    narrow: (from: Narrow, to: Narrow), wide: (from: Wide, to: Wide), step: Int, inset: Int
  ) {
    let (source, wideSource) = (narrow.from, wide.from)
    forEachVector(inset) { place in
      let here = guide(place)
      var (sum, wideSum) = (NarrowSums(), WideSums())
      let centre = Vector8(at: validity + place) * 4
      sum.add(source, place, centre)
      wideSum.add(wideSource, place, centre)
      forEachNeighbour(place, step) { other, kernel in
        let alike = likeness(here, guide(other))
        let scale = Vector8(at: validity + other) * kernel
        sum.add(source, other, bell(alike.narrow) * scale)
        wideSum.add(wideSource, other, bell(alike.wide) * scale)
      }
      sum.store(source, narrow.to, place, overlap: step > 1 ? 1.5 : 1)
      wideSum.store(wideSource, wide.to, place, overlap: step > 1 ? 1.5 : 1)
    }
  }

  /// Filters the wide group alone.
  func apply(wide: (from: Wide, to: Wide), step: Int, inset: Int) {
    let source = wide.from
    forEachVector(inset) { place in
      let here = guide(place)
      var sum = WideSums()
      sum.add(source, place, Vector8(at: validity + place) * 4)
      forEachNeighbour(place, step) { other, kernel in
        sum.add(source, other, bell(likeness(here, guide(other)).wide) * Vector8(at: validity + other) * kernel)
      }
      sum.store(source, wide.to, place, overlap: step > 1 ? 1.5 : 1)
    }
  }

  // MARK: Weights

  private struct Guide {
    var brightness, red, blue, brightnessVariance, chromaVariance: Vector8
  }

  @inline(__always)
  private func guide(_ place: Int) -> Guide {
    Guide(
      brightness: Vector8(at: brightness + place), red: Vector8(at: chroma.0 + place),
      blue: Vector8(at: chroma.1 + place), brightnessVariance: Vector8(at: brightnessVariance + place),
      chromaVariance: Vector8(at: chromaVariance + place))
  }

  /// The squared distance of two guides in units of their noise.
  @inline(__always)
  private func likeness(_ here: Guide, _ there: Guide) -> (narrow: Vector8, wide: Vector8) {
    let (level, red, blue) = (
      here.brightness - there.brightness, here.red - there.red, here.blue - there.blue
    )
    let sum = (here.brightness + there.brightness) * (0.5 * Self.tolerance)
    let variance = here.brightnessVariance + there.brightnessVariance
    let wideVariance = variance + sum * sum
    let chromaVariance = here.chromaVariance + there.chromaVariance
    // All quotients by one division, which is what takes longest here.
    let (brightness, chroma) = (level * level * chromaVariance, red * red + blue * blue)
    let scale = 1 / (variance * wideVariance * chromaVariance)
    return (
      (brightness + chroma * variance) * (scale * wideVariance),
      (brightness + chroma * wideVariance) * (scale * variance)
    )
  }

  /// Tukey's biweight: smooth, cheap, and exactly zero beyond three standard deviations.
  @inline(__always)
  private func bell(_ distance: Vector8) -> Vector8 {
    let bell = Vector8.zero.greater(1 - distance * (1.0 / 9))
    return bell * bell
  }

  // MARK: Sums

  private struct NarrowSums {
    var (a, b, variance, total) = (Vector8(), Vector8(), Vector8(), Vector8())

    @inline(__always)
    mutating func add(_ source: Narrow, _ place: Int, _ weight: Vector8) {
      a += weight * Vector8(at: source.values.0 + place)
      b += weight * Vector8(at: source.values.1 + place)
      variance += weight * weight * Vector8(at: source.variance + place)
      total += weight
    }

    @inline(__always)
    func store(_ source: Narrow, _ target: Narrow, _ place: Int, overlap: Float) {
      let mean = Mean(total, place)
      mean.store(a, source.values.0, target.values.0)
      mean.store(b, source.values.1, target.values.1)
      mean.storeVariance(variance, source.variance, target.variance, overlap)
    }
  }

  private struct WideSums {
    var (a, b, c, d, e, f) = (Vector8(), Vector8(), Vector8(), Vector8(), Vector8(), Vector8())
    var (variance, total) = (Vector8(), Vector8())

    @inline(__always)
    mutating func add(_ source: Wide, _ place: Int, _ weight: Vector8) {
      a += weight * Vector8(at: source.values.0 + place)
      b += weight * Vector8(at: source.values.1 + place)
      c += weight * Vector8(at: source.values.2 + place)
      d += weight * Vector8(at: source.values.3 + place)
      e += weight * Vector8(at: source.values.4 + place)
      f += weight * Vector8(at: source.values.5 + place)
      variance += weight * weight * Vector8(at: source.variance + place)
      total += weight
    }

    @inline(__always)
    func store(_ source: Wide, _ target: Wide, _ place: Int, overlap: Float) {
      let mean = Mean(total, place)
      mean.store(a, source.values.0, target.values.0)
      mean.store(b, source.values.1, target.values.1)
      mean.store(c, source.values.2, target.values.2)
      mean.store(d, source.values.3, target.values.3)
      mean.store(e, source.values.4, target.values.4)
      mean.store(f, source.values.5, target.values.5)
      mean.storeVariance(variance, source.variance, target.variance, overlap)
    }
  }

  /// Divides sums by their weights; where nothing weighs, what was there before stays.
  private struct Mean {
    let scale: Vector8
    let isLost: SIMDMask<SIMD8<Int32>>
    let place: Int

    @inline(__always)
    init(_ total: Vector8, _ place: Int) {
      scale = 1 / total
      isLost = total .<= 0
      self.place = place
    }

    @inline(__always)
    func store(_ sum: Vector8, _ before: Plane, _ after: Plane) {
      (sum * scale).replacing(with: Vector8(at: before + place), where: isLost).store(at: after + place)
    }

    /// After the first level neighbours share pixels: for binomial kernels the true variance is about
    /// half as large again as if they were independent.
    @inline(__always)
    func storeVariance(_ sum: Vector8, _ before: Plane, _ after: Plane, _ overlap: Float) {
      let old = Vector8(at: before + place)
      let new = (sum * scale * scale * overlap).lesser(old)
      new.replacing(with: old, where: isLost).store(at: after + place)
    }
  }

  // MARK: Places

  @inline(__always)
  private func forEachNeighbour(_ place: Int, _ step: Int, _ body: (Int, Float) -> Void) {
    let (above, below) = (place &- step &* stride, place &+ step &* stride)
    body(above &- step, 1)
    body(above, 2)
    body(above &+ step, 1)
    body(place &- step, 2)
    body(place &+ step, 2)
    body(below &- step, 1)
    body(below, 2)
    body(below &+ step, 1)
  }

  @inline(__always)
  private func forEachVector(_ inset: Int, _ body: (Int) -> Void) {
    for y in inset..<max(inset, height - inset) {
      var x = inset
      while x < width - inset {
        body(y &* stride &+ x)
        x &+= 8
      }
    }
  }
}
