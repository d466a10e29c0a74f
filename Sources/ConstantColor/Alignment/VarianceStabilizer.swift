import Glibc

/// Turns linear light into a scale on which what does not matter has the size 1 everywhere.
///
/// "What does not matter" has the variance b + a·x + (c·x)²: read noise, shot noise, and contrasts below one per cent. The
/// transform is ∫ dx / √(b + a·x + c²·x²): a generalised Anscombe transform in the shadows, a logarithm in the lights, so
/// that equal reflectance contrasts get equal steps whatever lights them.
struct VarianceStabilizer {
  /// Noise per channel: the variance is `gain` · x + `floor`, of one block of the reduced frame.
  let gain, floor: SIMD4<Float>
  private let offset: SIMD4<Float>

  static let contrast: Float = 0.01

  /// The noise of `frame`, estimated from its smoothest places at every brightness.
  init(_ frame: ReducedFrame) {
    var gain = SIMD4<Float>.zero
    var floor = SIMD4<Float>(repeating: 1)
    let samples = NoiseSamples(frame)
    for channel in 0..<3 { (gain[channel], floor[channel]) = samples.fit(channel) }
    self.gain = gain
    self.floor = floor
    var offset = SIMD4<Float>.zero
    for channel in 0..<3 { offset[channel] = Self.antiderivative(0, gain[channel], floor[channel]) }
    self.offset = offset
  }

  private static func antiderivative(_ x: Float, _ a: Float, _ b: Float) -> Float {
    let c = contrast
    let root = (b + x * (a + c * c * x)).squareRoot()
    return logf(2 * c * root + 2 * c * c * x + a) / c
  }

  /// The stabilised value per channel; the fourth lane is passed on.
  @inline(__always)
  func apply(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    // Below zero there is only noise: the slope at zero goes on.
    let positive = pixel.greater(.zero)
    let c = Self.contrast
    let root = (floor + positive * (gain + positive * (c * c))).squareRoot()
    let argument = root * (2 * c) + positive * (2 * c * c) + gain
    var result = SIMD4<Float>(logf(argument.x), logf(argument.y), logf(argument.z), 0) / c - offset
    result += pixel.lesser(.zero) / floor.squareRoot()
    result.w = pixel.w
    return result
  }
}

/// Mean and noise variance of small squares all over a frame.
private struct NoiseSamples {
  private var means: [SIMD4<Float>] = []
  private var variances: [SIMD4<Float>] = []
  private var average = SIMD4<Float>.zero

  static let side = 8

  init(_ frame: ReducedFrame) {
    let side = Self.side
    let columns = frame.width / side
    let rows = frame.height / side
    guard columns > 0, rows > 0 else { return }
    // About ten thousand squares say enough.
    let step = max(1, Int((Double(columns * rows) / 10_000).squareRoot()))
    for row in stride(from: 0, to: rows, by: step) {
      for column in stride(from: 0, to: columns, by: step) { sample(frame, column * side, row * side) }
    }
    guard !means.isEmpty else { return }
    average = means.reduce(.zero, +) / Float(means.count)
  }

  private mutating func sample(_ frame: ReducedFrame, _ left: Int, _ top: Int) {
    var sum = SIMD4<Float>.zero
    var energy = SIMD4<Float>.zero
    let w = frame.width
    for y in top + 1..<top + Self.side - 1 {
      for x in left + 1..<left + Self.side - 1 {
        let i = y * w + x
        guard frame.flags[i] == 0, frame.pixels[i].w == 1 else { return }
        let p = frame.pixels
        // The difference of two Laplacians: blind to planes and to straight edges along the axes.
        // Immerkær, "Fast noise variance estimation", CVIU 64 (1996).
        let corners = (p[i - w - 1] + p[i - w + 1]) + (p[i + w - 1] + p[i + w + 1])
        let sides = (p[i - w] + p[i + w]) + (p[i - 1] + p[i + 1])
        let response = corners - sides * 2 + p[i] * 4
        energy += response * response
        sum += p[i]
      }
    }
    let count = Float((Self.side - 2) * (Self.side - 2))
    means.append(sum / count)
    variances.append(energy / (36 * count))
  }

  /// Gain and floor of one channel: the lower quartile of the variances in each of 16 brightness classes, then a
  /// weighted line through them.
  func fit(_ channel: Int) -> (gain: Float, floor: Float) {
    let mean = max(average[channel], 0)
    let least = max(mean * mean * 1e-6, 1e-12)
    let order = means.indices.sorted { means[$0][channel] < means[$1][channel] }
    let classes = 16
    var points: [(x: Double, v: Double)] = []
    for index in 0..<classes {
      let members = order[(order.count * index / classes)..<(order.count * (index + 1) / classes)]
      guard members.count >= 4 else { continue }
      let sorted = members.map { variances[$0][channel] }.sorted()
      let brightness = members.map { Double(means[$0][channel]) }.reduce(0, +) / Double(members.count)
      // 1.2: the mean of the distribution over its lower quartile, for 36 correlated samples.
      points.append((max(0, brightness), Double(max(sorted[sorted.count / 4] * 1.2, least))))
    }
    guard !points.isEmpty else { return (0, least) }
    var (s, sx, sxx, sv, sxv) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for point in points {
      let weight = 1 / (point.v * point.v)
      s += weight
      sx += weight * point.x
      sxx += weight * point.x * point.x
      sv += weight * point.v
      sxv += weight * point.x * point.v
    }
    let determinant = s * sxx - sx * sx
    var a = determinant > 1e-9 * s * sxx ? (s * sxv - sx * sv) / determinant : 0
    a = max(0, a)
    var b = (sv - a * sx) / s
    if b < 0 {
      b = 0
      a = sxx > 0 ? sxv / sxx : 0
    }
    return (Float(a), max(Float(b), least))
  }
}
