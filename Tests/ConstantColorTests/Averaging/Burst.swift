import ConstantColor
import Raster

/// Ambient frames of one scene whose light and noise are known.
enum Burst {
  static let bounds = Rectangle(width: 240, height: 180)
  static let noise = NoiseModel(gain: SIMD3(repeating: 1e-4), floor: SIMD3(repeating: 1e-6))
  /// The object that moves through a frame.
  static let object = Rectangle(x: 100, y: 60, width: 50, height: 40)

  /// The alpha of a value that there is no reason to trust.
  static let leastTrust: Float = 0.003_906_25

  /// The ambient light without noise.
  static func light(_ x: Int, _ y: Int) -> SIMD3<Float> {
    SimulatedPair.surface(x, y) * SIMD3(1, 0.75, 0.5) * (0.35 * SimulatedPair.shadow(x, y))
  }

  /// A frame: light times `exposure`, changed by `change`, with noise.
  static func frame(
    _ seed: UInt64, exposure: SIMD3<Float> = SIMD3(repeating: 1), clipping: Bool = false,
    _ change: (Int, Int, SIMD3<Float>) -> SIMD3<Float> = { $2 }
  ) -> Image {
    var random = SimulatedNoise(seed: seed)
    return Image(bounds) { x, y in
      let value = random.noisy(change(x, y, light(x, y)) * exposure, noise)
      return clipping && value.max() >= 1
        ? Pixel(rgb: pointwiseMin(value, SIMD3(repeating: 1)), alpha: 0) : Pixel(rgb: value, alpha: 1)
    }
  }

  static func withObject(_ colour: SIMD3<Float>) -> (Int, Int, SIMD3<Float>) -> SIMD3<Float> {
    { x, y, light in object.contains(x: x, y: y) ? colour : light }
  }

  static func average(
    _ frames: [Image], over bounds: Rectangle = bounds, exposures: [Double] = [], bound: AmbientAverage.Bound? = nil,
    execution: Execution = .serial
  ) -> (picture: Image, kernel: AmbientAverage, census: AmbientAverage.Census) {
    let matches = FrameMatch.match(frames, over: bounds, exposures: exposures, execution: execution)
    let kernel = AmbientAverage(frames, matches, over: bounds, execution: execution)
    var picture = Image(bounds)
    let census = picture.withMutablePixels {
      kernel.process(bounds, frames, bound: bound, into: $0, execution: execution)
    }
    return (picture, kernel, census)
  }

  /// Mean and mean square of what a picture differs from the light by, in standard deviations of one frame's noise.
  static func error(_ picture: Image, in area: Rectangle = bounds) -> (mean: Float, variance: Float, worst: Float) {
    var (sum, squares, worst, count) = (0.0, 0.0, Float(0), 0.0)
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let truth = light(x, y)
        let error = (picture[x, y].rgb - truth) / noise.variance(truth).squareRoot()
        for channel in 0..<3 {
          sum += Double(error[channel])
          squares += Double(error[channel] * error[channel])
          worst = max(worst, abs(error[channel]))
          count += 1
        }
      }
    }
    return (Float(sum / count), Float(squares / count), worst)
  }
}

func abs(_ value: SIMD3<Float>) -> SIMD3<Float> { pointwiseMax(value, -value) }
func abs(_ value: Pixel) -> Pixel { pointwiseMax(value, -value) }
