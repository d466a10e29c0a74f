import Raster

/// What small windows of a pair of frames say about the exposure ratio.
struct EdgeWindows {
  /// One window of 8 × 8 pixels, at one scale.
  struct Window {
    /// Mean flash divided by mean ambient: ratio · (1 + flash light : ambient light).
    var quotient: SIMD4<Float>
    /// The relative standard error of `quotient`; infinite where there is too little light.
    var quotientError: SIMD4<Float>
    /// How the flash frame changes with the ambient frame inside the window.
    var slope: SIMD4<Float>
    /// The relative standard error of `slope`; infinite where nothing changes.
    var slopeError: SIMD4<Float>
  }

  var windows: [Window] = []
  /// The windows of the finest scale that has few enough for statistics on all of them.
  var sample: ArraySlice<Window> = []

  private static let side = 8
  private static let enough = 6000
  /// How much the flash's light typically changes from one side of the picture to the other, relative to itself.
  private static let falloff: Float = 1.5

  /// Windows of all scales: soft shadows are edges only when seen from afar.
  static func measure(flash: Image, ambient: Image, execution: Execution) -> EdgeWindows {
    var result = EdgeWindows()
    guard flash.bounds.width == ambient.bounds.width, flash.bounds.height == ambient.bounds.height else {
      return result
    }
    var (flash, ambient) = (flash, ambient)
    for _ in 0..<5 {
      let bounds = flash.bounds
      guard bounds.width >= side + 4, bounds.height >= side + 4 else { break }
      let step = bounds.count > 400_000 ? 6 : 4
      let rows = (bounds.height - side - 4) / step + 1
      let columns = (bounds.width - side - 4) / step + 1
      let found = execution.map(rows, placeholder: [Window]()) { row in
        var windows: [Window] = []
        flash.withPixels { flash in
          ambient.withPixels { ambient in
            for column in 0..<columns {
              let start = (row * step + 2) * bounds.width + column * step + 2
              let falloff = falloff / Float(max(bounds.width, bounds.height))
              if let window = window(flash, ambient, start: start, stride: bounds.width, falloff: falloff) {
                windows.append(window)
              }
            }
          }
        }
        return windows
      }
      let first = result.windows.count
      for row in found { result.windows += row }
      if result.sample.isEmpty, rows * columns <= enough { result.sample = result.windows[first...] }
      (flash, ambient) = (halved(flash), halved(ambient))
    }
    return result
  }

  /// Half the size; a pixel without trust voids the mean.
  private static func halved(_ image: Image) -> Image {
    let bounds = Rectangle(width: image.bounds.width / 2, height: image.bounds.height / 2)
    let (left, top) = (image.bounds.x, image.bounds.y)
    return Image(bounds) { x, y in
      let (x, y) = (left + 2 * x, top + 2 * y)
      let (a, b, c, d) = (image[x, y], image[x + 1, y], image[x, y + 1], image[x + 1, y + 1])
      var mean = (a + b + c + d) * 0.25
      if !(min(min(a.w, b.w), min(c.w, d.w)) > 0) { mean.w = 0 }
      return mean
    }
  }

  /// Regression of flash on ambient within the window. The instrument is the ambient frame two pixels away, whose
  /// noise is independent: the slope is not weakened by noise in the regressor (the method of instrumental variables).
  ///
  /// The flash's own falloff looks like a plane. Taking planes out of both frames keeps it from the slope, but takes
  /// most of a soft shadow, too: each window uses whichever way errs less, given the usual `falloff` a pixel.
  private static func window(
    _ flash: Pixels, _ ambient: Pixels, start: Int, stride: Int, falloff: Float
  ) -> Window? {
    let origin = (flash: flash[start], ambient: ambient[start])
    var f = Moments()
    var a = Moments()
    var z = Moments()
    var (ff, fa, aa, fz, az, zz) = (Pixel.zero, Pixel.zero, Pixel.zero, Pixel.zero, Pixel.zero, Pixel.zero)
    for y in 0..<side {
      let v = Float(y) - 3.5
      for x in 0..<side {
        let index = start + y * stride + x
        let (flashPixel, ambientPixel) = (flash[index], ambient[index])
        let (left, right) = (ambient[index - 2], ambient[index + 2])
        let (above, below) = (ambient[index - 2 * stride], ambient[index + 2 * stride])
        guard flashPixel.w > 0, ambientPixel.w > 0, min(min(left.w, right.w), min(above.w, below.w)) > 0
        else { return nil }
        let u = Float(x) - 3.5
        let df = flashPixel - origin.flash
        let da = ambientPixel - origin.ambient
        let dz = (left + right + above + below) * 0.25 - origin.ambient
        f.add(df, u, v)
        a.add(da, u, v)
        z.add(dz, u, v)
        ff += df * df
        fa += df * da
        aa += da * da
        fz += df * dz
        az += da * dz
        zz += dz * dz
      }
    }
    let n = Float(side * side)
    let meanFlash = origin.flash + f.sum / n
    let meanAmbient = origin.ambient + a.sum / n
    let sums = Sums(
      ff: ff - f.sum * f.sum / n, fa: fa - f.sum * a.sum / n, aa: aa - a.sum * a.sum / n, fz: fz - f.sum * z.sum / n,
      az: az - a.sum * z.sum / n, zz: zz - z.sum * z.sum / n)
    let plain = sums.regression(n - 2)
    let flat = sums.without(f, a, z).regression(n - 4)
    let light = meanFlash - plain.slope * meanAmbient
    let drift = falloff * falloff * light * light * (z.u * z.u + z.v * z.v) / (sums.az * sums.az)
    let isPlain = plain.variance + drift .< flat.variance
    let slope = flat.slope.replacing(with: plain.slope, where: isPlain)
    let slopeVariance = flat.variance.replacing(with: plain.variance + drift, where: isPlain)
    let covariance = sums.without(f, a, z).az.replacing(with: sums.az, where: isPlain)
    let quotient = meanFlash / meanAmbient
    let spread =
      pointwiseMax(
        sums.ff - 2 * quotient * sums.fa + quotient * quotient * sums.aa, Pixel(repeating: 0)) / n + 1e-12
    let isLit = (meanAmbient .> 0.002) .& (meanFlash .> 0.002)
    let infinity = Pixel(repeating: .infinity)
    let hasEdge = (covariance .> 1e-9) .& (slope .> 0) .& isLit
    return Window(
      quotient: quotient.replacing(with: 0, where: .!isLit),
      quotientError: infinity.replacing(
        with: (spread / n).squareRoot() / (quotient * meanAmbient), where: isLit),
      slope: slope.replacing(with: 0, where: .!hasEdge),
      slopeError: infinity.replacing(with: slopeVariance.squareRoot() / slope, where: hasEdge))
  }

  /// Sums that describe a plane over the window.
  private struct Moments {
    var sum = Pixel.zero
    var u = Pixel.zero
    var v = Pixel.zero

    mutating func add(_ value: Pixel, _ x: Float, _ y: Float) {
      sum += value
      u += value * x
      v += value * y
    }

    /// The part of Σ a · b that a linear trend explains; Σ u² over 8 × 8 is 336.
    static func trend(_ a: Moments, _ b: Moments) -> Pixel { (a.u * b.u + a.v * b.v) / 336 }
  }

  /// Central second moments of flash, ambient and instrument.
  private struct Sums {
    var ff, fa, aa, fz, az, zz: Pixel

    func without(_ f: Moments, _ a: Moments, _ z: Moments) -> Sums {
      Sums(
        ff: ff - Moments.trend(f, f), fa: fa - Moments.trend(f, a), aa: aa - Moments.trend(a, a),
        fz: fz - Moments.trend(f, z), az: az - Moments.trend(a, z), zz: zz - Moments.trend(z, z))
    }

    func regression(_ freedom: Float) -> (slope: Pixel, variance: Pixel) {
      let slope = fz / az
      let residual = pointwiseMax(ff - 2 * slope * fa + slope * slope * aa, Pixel(repeating: 0)) / freedom + 1e-12
      return (slope, residual * zz / (az * az))
    }
  }

  /// The median of flash / (ratio · ambient) over all lit windows.
  func medianGain(ratio: ExposureRatio) -> Double {
    let channels = ratio.channels
    var gains: [Float] = []
    for window in windows {
      let gain = window.quotient.rgb / channels
      let lit = (0..<3).filter { gain[$0].isFinite && gain[$0] > 0 }
      if !lit.isEmpty { gains.append(lit.reduce(0) { $0 + gain[$1] } / Float(lit.count)) }
    }
    return Double(gains.median)
  }
}
