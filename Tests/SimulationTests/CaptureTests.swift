import Calibration
import ColorScience
import GEGL
import Raster
import Simulation
import Testing

@Suite("Capture", .serialized) struct CaptureTests {
  init() { Library.start() }

  private let threads = Execution { count, body in Library.parallelFor(count, body) }

  /// A camera whose red, green and blue are these.
  private func camera(_ sensitivities: [Spectrum], bits: Int = 16, black: Int = 4096) -> CameraModel {
    var sensor = CameraModel.Sensor(fullWell: 6000, bits: bits, black: black)
    sensor.isNoisy = false
    return CameraModel(
      name: "test", make: "Test", model: "Test", sensitivities: sensitivities, sensor: sensor, fNumber: 2,
      focalLength: 10)
  }

  /// The standard observer, as a camera.
  private var observer: [Spectrum] {
    (0..<3).compactMap { channel in
      Spectrum(zip(Spectrum.wavelengths, StandardObserver.colorMatchingFunctions).map { ($0, $1[channel]) })
    }
  }

  private func simulator(
    _ camera: CameraModel, flash: String = "D65", flashLux: Double = 200, width: Int = 160, height: Int = 120,
    seed: UInt64 = 5
  ) throws -> Simulator {
    let light = try #require(Illuminant(named: flash))
    let chart = try #require(ChartReference.colorChecker.reflectances)
    return try #require(
      Simulator(
        camera: camera, flash: light, flashLux: flashLux, width: width, height: height, chart: chart, seed: seed))
  }

  private func condition(
    _ light: String = "4500", lux: Double, _ shake: HandMotion = .none, _ change: (inout Condition) -> Void = { _ in }
  ) throws -> Condition {
    var condition = Condition(id: "test", ambient: try #require(Illuminant(named: light)), lux: lux, shake: shake)
    change(&condition)
    return condition
  }

  private func taken(
    _ simulator: Simulator, _ condition: Condition, _ execution: Execution? = nil
  ) throws -> Simulator.Pair {
    try #require(simulator.pair(condition, execution: execution ?? threads))
  }

  /// The sensor's numbers as parts of saturation.
  private func values(_ frame: Simulator.Frame, _ camera: CameraModel) -> [Double] {
    let sensor = camera.sensor
    return frame.samples.map { (Double($0) - Double(sensor.black)) / Double(sensor.white - sensor.black) }
  }

  // MARK: light

  @Test("A camera that sees as the observer does sees the truth, mirrors apart")
  func colorimetricCamera() throws {
    let camera = camera(observer)
    let simulator = try simulator(camera)
    let dark = try condition(lux: 0)
    let pair = try taken(simulator, dark)
    let truth = simulator.truth(of: dark, execution: threads)
    let seen = values(pair.flash, camera)
    // A white surface has Y = 1 at the illuminance of the centre; green of daylight saturates at 200 lx·s, ISO × t / f².
    let scale = 200 * pair.flash.exposure.product / (ExposureControl.saturation * 4)
    var different = 0
    for index in seen.indices {
      let channel = camera.sensor.pattern[index % 160, index / 160]
      let off = seen[index] - min(scale * Double(truth.lit[index][channel]), 1)
      // Half a number of 16 bit and the anchor's Y in D55, which is 1 to within 3e-5.
      #expect(off > -1e-5 - 3e-5 * seen[index])
      if off > 1e-5 + 3e-5 * seen[index] { different += 1 }
    }
    #expect(different > 50 && different < 160 * 120 / 25)
    // Nothing but the flash: the other frame is black.
    #expect(pair.ambient.samples.allSatisfy { $0 == 4096 })
    #expect(pair.truth.ambient == nil)
  }

  @Test("Light adds up: the flash frame is the room's light times the exposure ratio, and the flash's")
  func exposureRatio() throws {
    let camera = camera(observer)
    let simulator = try simulator(camera, flash: "LED-B4")
    let dark = try taken(simulator, condition(lux: 0)).flash
    let flashOnly = values(dark, camera)
    for lux in [10.0, 200, 800] {
      let pair = try taken(simulator, condition("3000", lux: lux))
      let (flash, ambient) = (values(pair.flash, camera), values(pair.ambient, camera))
      let ratio = pair.truth.exposureRatio
      #expect(ratio == pair.flash.exposure.product / pair.ambient.exposure.product)
      let flashGain = pair.flash.exposure.product / dark.exposure.product
      for index in flash.indices where max(flash[index], ambient[index], flashOnly[index]) < 0.99 {
        // Each of the three is rounded to a number of 16 bit.
        let off = flash[index] - ratio * ambient[index] - flashGain * flashOnly[index]
        #expect(abs(off) < 0.51 / 61439 * (1 + ratio + flashGain))
      }
    }
  }

  @Test("A flickering lamp dims whole rows, by no more than it should")
  func flicker() throws {
    let camera = camera(observer)
    let simulator = try simulator(camera)
    let steady = try values(taken(simulator, condition(lux: 800)).ambient, camera)
    let shaken = values(
      try taken(simulator, condition(lux: 800) { $0.flicker = 0.35 }).ambient, camera)
    var rows: [Double] = []
    for y in 0..<120 {
      let bright = (0..<160).map { y * 160 + $0 }.filter { steady[$0] > 0.1 && steady[$0] < 0.7 && shaken[$0] < 0.99 }
      let ratios = bright.map { shaken[$0] / steady[$0] }
      // Blur mixes neighbouring rows where they differ.
      rows.append(ratios.reduce(0, +) / Double(max(ratios.count, 1)))
      #expect(ratios.allSatisfy { abs($0 - rows[y]) < 0.02 })
    }
    #expect(rows.allSatisfy { abs($0 - 1) <= 0.35 } && rows.contains { $0 > 1.05 } && rows.contains { $0 < 0.95 })
  }

  // MARK: noise

  @Test("Noise is as NoiseProfile says, and the mean is right also where it is dark", arguments: [10.0, 50, 400])
  func noise(_ lux: Double) throws {
    var quiet = CameraModel(
      name: "test", make: "Test", model: "Test", sensitivities: observer,
      sensor: CameraModel.Sensor(fullWell: 6000, bits: 12, black: 256), fNumber: 2, focalLength: 10)
    let noisy = quiet
    quiet.sensor.isNoisy = false
    // So fine that its rounding does not matter.
    (quiet.sensor.bits, quiet.sensor.black) = (16, 4096)
    let condition = try condition("3000", lux: lux)
    let (with, without) = try (
      taken(simulator(noisy), condition), taken(simulator(quiet), condition)
    )
    for (frame, clean) in [(with.flash, without.flash), (with.ambient, without.ambient)] {
      let (found, expected) = (values(frame, noisy), values(clean, quiet))
      for range in [0..<0.02, 0.02..<0.1, 0.1..<0.85] {
        let inside = expected.indices.filter { range.contains(expected[$0]) }
        guard inside.count > 300 else { continue }
        let count = Double(inside.count)
        // In standard deviations.
        let scores = inside.map { index in
          let variance = frame.noise.slope * expected[index] + frame.noise.offset
          return (found[index] - expected[index]) / variance.squareRoot()
        }
        let mean = scores.reduce(0, +) / count
        let variance = scores.reduce(0) { $0 + $1 * $1 } / count
        #expect(abs(mean) < 4 / count.squareRoot(), "\(lux) lx, \(range)")
        #expect(abs(variance - 1) < 5 * (2 / count).squareRoot(), "\(lux) lx, \(range)")
      }
    }
    #expect(with.flash.samples.contains(4095) && !with.ambient.samples.contains(0))
    #expect(without.flash.noise == (0, 0))
  }

  // MARK: geometry

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

  // MARK: repeatability

  @Test("Conditions have names of their own, also near each other")
  func names() {
    let names = Condition.matrix(
      lux: [0.01, 0.5, 1, 200, 200.25], kelvin: [3000, 3000.5, 12_000], tints: Tint.allCases, shake: .none
    ).map(\.id)
    #expect(names.count == 45 && Set(names).count == 45)
    #expect(names.contains("E0200_T3000_green") && names.contains("E0000.5_T12000_magenta"))
  }

  @Test("The same seed gives the same numbers on any threads and in any company, another seed others")
  func repeatability() throws {
    let camera = try #require(CameraModel.named.first { $0.name == "x5" })
    let condition = try condition(lux: 50, .small)
    let backwards = Execution { count, body in for index in (0..<count).reversed() { body(Turns(index..<index + 1)) } }
    let simulator = try simulator(camera, width: 96, height: 72)
    let first = try taken(simulator, condition, .serial)
    for (index, execution) in [threads, backwards].enumerated() {
      let again = try #require(simulator.pair(condition, index: index + 1, execution: execution))
      #expect(again.flash.samples == first.flash.samples && again.ambient.samples == first.ambient.samples)
      #expect(again.flash.neutral == first.flash.neutral && again.truth == first.truth && again.mask == first.mask)
    }
    let scene = simulator.truth(of: condition, execution: .serial)
    #expect(simulator.truth(of: condition, execution: threads).lit == scene.lit)
    let other = try self.simulator(camera, width: 96, height: 72, seed: 6)
    let different = try taken(other, condition)
    #expect(different.flash.samples != first.flash.samples)
    #expect(different.truth.homography != first.truth.homography)
    #expect(different.truth.patches.map(\.centre) != first.truth.patches.map(\.centre))
    #expect(other.truth(of: condition, execution: threads).lit != scene.lit)
    // Neither frame has the other's noise.
    #expect(first.flash.samples != first.ambient.samples)
  }

  @Test("Exposures keep to the camera's range, longest and most sensitive in the dimmest light")
  func exposures() throws {
    let simulator = try simulator(camera(observer), width: 64, height: 48)
    var last = 0.0
    for lux in [100_000.0, 800, 50, 5, 1, 0.1, 0.01] {
      let exposure = try taken(simulator, condition(lux: lux)).ambient.exposure
      #expect((50...6400).contains(exposure.iso) && exposure.perSecond >= 15)
      #expect(exposure.product >= last)
      last = exposure.product
    }
    #expect(last == 6400.0 / 15)
  }
}
