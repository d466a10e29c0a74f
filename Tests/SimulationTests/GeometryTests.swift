import ColorScience
import GEGL
import Raster
import Simulation
import Testing

/// Where the frames of a pair see what.
@Suite("Geometry", .serialized) struct GeometryTests: CaptureFixture {
  init() { Library.start() }

  @Test(
    "The homography tells where the ambient frame sees what the flash frame sees",
    arguments: [HandMotion.large, .perspective])
  func homography(_ shake: HandMotion) throws {
    // Almost one colour only, so that a mosaic is a picture (cameras of one colour are refused); and the flash, in the
    // room's light, next to nothing.
    let (width, height) = (320, 240)
    let seen = observer
    func almostGreen(_ other: Spectrum) -> Spectrum {
      Spectrum { seen[1].value(at: $0) + 0.002 * other.value(at: $0) }
    }
    let grey = camera([almostGreen(seen[0]), seen[1], almostGreen(seen[2])])
    let simulator = try simulator(grey, flash: "4500", flashLux: 0.01, width: width, height: height)
    let pair = try taken(simulator, condition(lux: 200, shake))
    let (flash, ambient) = (smoothed(values(pair.flash, grey), width), smoothed(values(pair.ambient, grey), width))
    let h = pair.truth.homography
    #expect(abs(h[2]) + abs(h[5]) > 0.3)
    for top in [20, 130] {
      for left in [20, 170] {
        let right = flow(flash, ambient, width, h, left..<left + 130, top..<top + 90)
        // Nine rays a pixel do not see thin lines evenly.
        #expect(max(abs(right.x), abs(right.y)) < 0.06, "\(right)")
        // The test would see a third of a pixel.
        let off = flow(flash, ambient, width, shifted(h), left..<left + 130, top..<top + 90)
        #expect(abs(off.x - right.x + 0.3) < 0.1 && abs(off.y - right.y - 0.3) < 0.1, "\(off)")
      }
    }
  }

  /// A homography, and then a shift by 0.3 pixels to the right and up.
  private func shifted(_ h: [Double]) -> [Double] {
    var shifted = h
    for column in 0..<3 {
      shifted[column] += 0.3 * h[6 + column]
      shifted[3 + column] -= 0.3 * h[6 + column]
    }
    return shifted
  }

  /// Blurred until straight lines between pixels are good enough.
  private func smoothed(_ values: [Double], _ width: Int) -> [Double] {
    var values = values
    for _ in 0..<8 {
      for step in [1, width] {
        let source = values
        for index in step..<values.count - step {
          values[index] = (source[index - step] + 2 * source[index] + source[index + step]) / 4
        }
      }
    }
    return values
  }

  /// What is missing to the homography in a rectangle, in pixels (B. Lucas and T. Kanade, 1981).
  private func flow(
    _ flash: [Double], _ ambient: [Double], _ width: Int, _ h: [Double], _ columns: Range<Int>, _ rows: Range<Int>
  ) -> SIMD2<Double> {
    func sample(_ x: Double, _ y: Double) -> Double {
      let (column, row) = (Int(x), Int(y))
      let (u, v) = (x - Double(column), y - Double(row))
      let index = row * width + column
      let top = ambient[index] + u * (ambient[index + 1] - ambient[index])
      let bottom = ambient[index + width] + u * (ambient[index + width + 1] - ambient[index + width])
      return top + v * (bottom - top)
    }
    var (xx, xy, yy, xr, yr) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for y in rows {
      for x in columns {
        let w = h[6] * Double(x) + h[7] * Double(y) + h[8]
        let u = (h[0] * Double(x) + h[1] * Double(y) + h[2]) / w
        let v = (h[3] * Double(x) + h[4] * Double(y) + h[5]) / w
        let index = y * width + x
        let (gx, gy) = ((flash[index + 1] - flash[index - 1]) / 2, (flash[index + width] - flash[index - width]) / 2)
        let rest = flash[index] - sample(u, v)
        (xx, xy, yy) = (xx + gx * gx, xy + gx * gy, yy + gy * gy)
        (xr, yr) = (xr + gx * rest, yr + gy * rest)
      }
    }
    let determinant = xx * yy - xy * xy
    return SIMD2((yy * xr - xy * yr) / determinant, (xx * yr - xy * xr) / determinant)
  }

  @Test("What moves is where the mask says, with its shadow beside it")
  func moving() throws {
    let camera = camera(observer)
    let simulator = try simulator(camera)
    let still = try taken(simulator, condition(lux: 200))
    let moved = try taken(simulator, condition(lux: 200) { $0.moves = true })
    #expect(moved.flash.samples == still.flash.samples)
    let moving = moved.mask.indices.filter { moved.mask[$0].contains(.moving) }
    let changed = moved.mask.indices.filter {
      abs(Int(moved.ambient.samples[$0]) - Int(still.ambient.samples[$0])) > 300
    }
    try #require(moving.count > 60 && changed.count > 60)
    let centre = moving.reduce(into: SIMD2<Int>.zero) { $0 &+= SIMD2($1 % 160, $1 / 160) } / moving.count
    for index in changed {
      #expect(abs(index % 160 - centre.x) < 20 && abs(index / 160 - centre.y) < 16)
    }
    #expect(still.mask.allSatisfy { !$0.contains(.moving) })
  }
}
