import ConstantColor
import Dispatch
import Glibc
import Raster

/// A pair of frames with exact truth: flash = ratio · ambient + flash light, each with its own noise.
struct SimulatedPair {
  var flash: Image
  var ambient: Image
  /// The flash's light alone, without noise.
  var truth: Image
  var noise: NoiseModel

  struct Options {
    var width = 240
    var height = 180
    var ratio = SIMD3<Float>(1, 1, 1)
    /// Flash light : matched ambient light, in green, where both shine fully.
    var strength: Float = 1
    var noise = NoiseModel(gain: SIMD3(repeating: 1e-4), floor: SIMD3(repeating: 1e-6))
    var hasShadow = true
    var hasFlashFreeArea = false
    var hasPatches = true
    var level: Float = 0.35
    var ambientColor = SIMD3<Float>(1, 0.75, 0.5)
    var seed: UInt64 = 1
  }

  init(_ options: Options) {
    var random = SimulatedNoise(seed: options.seed)
    let bounds = Rectangle(width: options.width, height: options.height)
    noise = options.noise
    flash = Image(bounds)
    ambient = Image(bounds)
    truth = Image(bounds)
    for y in 0..<options.height {
      for x in 0..<options.width {
        let surface = options.hasPatches ? Self.surface(x, y) : SIMD3<Float>(repeating: 0.5)
        let index = y * options.width + x
        let shadow = options.hasShadow ? Self.shadow(x, y) : 1
        // The flash falls off slowly to the right; beyond a third it may be blocked altogether.
        var reach = 1 - 0.3 * Float(x) / Float(options.width)
        if options.hasFlashFreeArea, x < options.width / 3 { reach = 0 }
        let light = surface * options.ambientColor * (shadow * options.level) / options.ratio
        let added = surface * SIMD3<Float>(0.65, 0.75, 0.8) * (options.strength * options.level * reach)
        truth.pixels[index] = Pixel(rgb: added, alpha: 1)
        ambient.pixels[index] = Pixel(rgb: random.noisy(light, options.noise), alpha: 1)
        flash.pixels[index] = Pixel(rgb: random.noisy(light * options.ratio + added, options.noise), alpha: 1)
      }
    }
  }

  /// Patches of 24 pixels with colours between 4 % and 90 %.
  static func surface(_ x: Int, _ y: Int) -> SIMD3<Float> {
    let cell = UInt64(x / 24 &* 31 &+ y / 24 &* 17 &+ 5)
    var random = SimulatedNoise(seed: cell &* 2654435761)
    let base = 0.04 + 0.86 * random.uniform()
    return SIMD3(base * (0.4 + 0.6 * random.uniform()), base, base * (0.4 + 0.6 * random.uniform()))
  }

  /// Bars of shade with soft edges, which no flash casts.
  static func shadow(_ x: Int, _ y: Int) -> Float {
    let phase = Float(x) * 0.55 + Float(y) * 0.35
    return 0.65 + 0.35 * max(-1, min(3 * sinf(phase / 14), 1))
  }

  /// The ambient frame in the flash frame's exposure.
  func matched(_ ratio: SIMD3<Float>) -> Image {
    Image(ambient.bounds) { ambient[$0, $1] * Pixel(rgb: ratio, alpha: 1) }
  }

  /// The signed difference.
  func difference(_ ratio: SIMD3<Float>) -> Image { Self.difference(flash, ambient, ratio) }

  static func difference(_ flash: Image, _ ambient: Image, _ ratio: SIMD3<Float> = SIMD3(repeating: 1)) -> Image {
    var result = Image(flash.bounds)
    flash.withPixels { flash in
      ambient.withPixels { ambient in
        result.withMutablePixels { AmbientSubtraction(ratio: ratio).process(flash: flash, ambient: ambient, into: $0) }
      }
    }
    return result
  }

  /// The estimate of a whole pair whose ambient frame is matched already.
  static func estimate(
    _ flash: Image, _ ambient: Image, noise: NoiseModel, execution: Execution = .serial
  ) -> (picture: Image, kernel: FlashOnlyEstimate, difference: Image) {
    let difference = difference(flash, ambient)
    let kernel = FlashOnlyEstimate(
      difference: reduced(difference, clipping: .counted), flash: reduced(flash), ambient: reduced(ambient),
      flashNoise: noise, ambientNoise: noise)
    var picture = Image(flash.bounds)
    picture.withMutablePixels {
      kernel.process(
        flash.bounds, difference: difference, flash: flash, ambient: ambient, into: $0, execution: execution)
    }
    return (picture, kernel, difference)
  }
}

/// Random numbers that are the same on every machine (SplitMix64, Box and Muller).
struct SimulatedNoise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func uniform() -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Float((z ^ (z >> 31)) >> 40) / 16_777_216
  }

  mutating func gaussian() -> Float {
    let radius = (-2 * logf(max(uniform(), 1e-7))).squareRoot()
    return radius * cosf(2 * .pi * uniform())
  }

  mutating func noisy(_ value: SIMD3<Float>, _ model: NoiseModel) -> SIMD3<Float> {
    value + SIMD3(gaussian(), gaussian(), gaussian()) * model.variance(value).squareRoot()
  }
}

extension Execution {
  /// Every index on its own, several at a time, the last ones first.
  static let scattered = Execution { count, body in
    nonisolated(unsafe) let body = body
    DispatchQueue.concurrentPerform(iterations: max(0, count)) { index in
      body(Turns(count - 1 - index..<count - index))
    }
  }
}

/// Mean and standard deviation of a picture's channels over a rectangle.
func statistics(_ image: Image, _ area: Rectangle) -> (mean: SIMD3<Float>, deviation: SIMD3<Float>) {
  var sum = SIMD3<Double>.zero
  var squares = SIMD3<Double>.zero
  for y in area.y..<area.maxY {
    for x in area.x..<area.maxX {
      let colour = SIMD3<Double>(image[x, y].rgb)
      sum += colour
      squares += colour * colour
    }
  }
  let mean = sum / Double(area.count)
  let variance = pointwiseMax(squares / Double(area.count) - mean * mean, .zero)
  return (SIMD3<Float>(mean), SIMD3<Float>(variance.squareRoot()))
}
