import Calibration
import ColorScience
import GEGL
import Raster
import Simulation
import Testing

/// What tests of simulated captures need: cameras, simulators, conditions, and the pairs that they give.
protocol CaptureFixture {}

extension CaptureFixture {
  var threads: Execution { Execution { count, body in Library.parallelFor(count, body) } }

  /// A camera whose red, green and blue are these.
  func camera(_ sensitivities: [Spectrum], bits: Int = 16, black: Int = 4096) -> CameraModel {
    var sensor = CameraModel.Sensor(fullWell: 6000, bits: bits, black: black)
    sensor.isNoisy = false
    return CameraModel(
      name: "test", make: "Test", model: "Test", sensitivities: sensitivities, sensor: sensor, fNumber: 2,
      focalLength: 10)
  }

  /// The standard observer, as a camera.
  var observer: [Spectrum] {
    (0..<3).compactMap { channel in
      Spectrum(zip(Spectrum.wavelengths, StandardObserver.colorMatchingFunctions).map { ($0, $1[channel]) })
    }
  }

  func simulator(
    _ camera: CameraModel, flash: String = "D65", flashLux: Double = 200, width: Int = 160, height: Int = 120,
    seed: UInt64 = 5
  ) throws -> Simulator {
    let light = try #require(Illuminant(named: flash))
    let chart = try #require(ChartReference.colorChecker.reflectances)
    return try #require(
      Simulator(
        camera: camera, flash: light, flashLux: flashLux, width: width, height: height, chart: chart, seed: seed))
  }

  func condition(
    _ light: String = "4500", lux: Double, _ shake: HandMotion = .none, _ change: (inout Condition) -> Void = { _ in }
  ) throws -> Condition {
    var condition = Condition(id: "test", ambient: try #require(Illuminant(named: light)), lux: lux, shake: shake)
    change(&condition)
    return condition
  }

  func taken(
    _ simulator: Simulator, _ condition: Condition, _ execution: Execution? = nil
  ) throws -> Simulator.Pair {
    try #require(simulator.pair(condition, execution: execution ?? threads))
  }

  /// The sensor's numbers as parts of saturation.
  func values(_ frame: Simulator.Frame, _ camera: CameraModel) -> [Double] {
    let sensor = camera.sensor
    return frame.samples.map { (Double($0) - Double(sensor.black)) / Double(sensor.white - sensor.black) }
  }
}
