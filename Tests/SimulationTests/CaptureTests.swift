import ColorScience
import GEGL
import Raster
import Simulation
import Testing

@Suite("Capture", .serialized) struct CaptureTests: CaptureFixture {
  init() { Library.start() }

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
