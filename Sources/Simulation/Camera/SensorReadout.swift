import Raster

/// From light to a sensor's numbers: electrons come by chance, are read with noise, amplified, and counted.
struct SensorReadout {
  let sensor: CameraModel.Sensor
  /// ISO divided by the base ISO.
  let gain: Double

  private var range: Double { Double(sensor.white - sensor.black) }
  /// Electrons at which the numbers end.
  private var electrons: Double { sensor.fullWell / max(gain, 1e-9) }

  /// What a DNG's NoiseProfile says of it: variance = slope · value + offset; rounding to whole numbers has its part.
  var noiseProfile: (slope: Double, offset: Double) {
    guard sensor.isNoisy else { return (0, 0) }
    let (read, converter, step) = (
      sensor.readNoise / electrons, sensor.converterNoise / max(range, 1), 1 / max(range, 1)
    )
    return (1 / electrons, read * read + converter * converter + step * step / 12)
  }

  /// The mosaic of a picture in parts of saturation.
  func samples(
    _ picture: [SIMD4<Float>], width: Int, height: Int, seed: UInt64, _ pair: UInt64, _ frame: UInt64,
    _ execution: Execution
  ) -> [UInt16] {
    var samples = [UInt16](repeating: 0, count: width * height)
    samples.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let buffer = buffer
      execution.forEach(height) { y in
        var generator = SplitMix(seed: seed, 4, pair, frame, UInt64(y))
        for x in 0..<width {
          let light = max(Double(picture[y * width + x][sensor.pattern[x, y]]), 0)
          buffer[y * width + x] = number(light, &generator)
        }
      }
    }
    return samples
  }

  private func number(_ light: Double, _ generator: inout SplitMix) -> UInt16 {
    guard sensor.isNoisy else { return rounded(light) }
    // A well that is full takes no more.
    let caught = min(generator.poisson(light * electrons), 4 * sensor.fullWell)
    let read = (caught + sensor.readNoise * generator.normal()) / electrons
    return rounded(read + sensor.converterNoise * generator.normal() / max(range, 1))
  }

  private func rounded(_ value: Double) -> UInt16 {
    UInt16(min(max((Double(sensor.black) + value * range).rounded(), 0), Double(sensor.white)))
  }
}
