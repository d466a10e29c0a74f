import ColorScience
import Glibc
import Raster

/// How dark the ink of a page is and how its paper's lightness spreads, as L* of single pixels relative to paper.
public struct PrintLevels: Equatable, Sendable {
  /// L* of the darkest neutral print, 0...40; 0 where there is none.
  public var ink: Double
  /// L* from which on a pixel is paper, below 100.
  public var paper: Double

  /// Levels from their numbers.
  public init(ink: Double = 0, paper: Double = 96) { (self.ink, self.paper) = (ink, paper) }

  /// Measures a page.
  ///
  /// - Parameter source: linear sRGB primaries, paper 1 (``EvenedPicture``). Rows on a grid are looked at.
  public static func measure(_ source: some PixelSource, execution: Execution = .serial) -> PrintLevels {
    let bounds = source.bounds
    guard !bounds.isEmpty else { return PrintLevels() }
    let bands = 96
    let rows = 4
    let histograms = execution.map(bands, placeholder: []) { band -> [Int] in
      var histogram = [Int](repeating: 0, count: 241)
      let y = bounds.y + band * bounds.height / bands
      for x in stride(from: bounds.x, to: bounds.maxX, by: 4096) {
        let area = Rectangle(x: x, y: y, width: 4096, height: rows).intersection(bounds)
        for pixel in source.image(area).pixels {
          let color = Lab(XYZ(RGBSpace.sRGB.toXYZ * SIMD3<Double>(pixel.rgb)))
          guard color.chroma < 15, color.lightness > -10 else { continue }
          histogram[min(max(Int(2 * color.lightness + 0.5), 0), 240)] += 1
        }
      }
      return histogram
    }
    let histogram = histograms.reduce([Int](repeating: 0, count: 241)) { sum, next in
      next.isEmpty ? sum : zip(sum, next).map { $0 + $1 }
    }
    let all = histogram.reduce(0, +)
    let dark = histogram[..<110].reduce(0, +)
    var levels = PrintLevels()
    if dark * 2000 > all, let place = quantile(0.1, histogram[..<110]) { levels.ink = min(Double(place) / 2, 40) }
    // The lower half of what is around white, doubled, is the paper's noise without print.
    let light = histogram[200...240]
    if light.reduce(0, +) > 0, let spread = quantile(0.68, light) {
      levels.paper = 100 - min(max(2.5 * (Double(spread) / 2 - 100), 4), 12)
    }
    return levels
  }

  private static func quantile(_ part: Double, _ counts: ArraySlice<Int>) -> Int? {
    let all = counts.reduce(0, +)
    var sum = 0
    for index in counts.indices {
      sum += counts[index]
      if Double(sum) >= part * Double(all), all > 0 { return index }
    }
    return nil
  }
}
