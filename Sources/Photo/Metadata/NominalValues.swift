import Glibc

/// The round numbers that cameras show and write, and the exact values that they set.
///
/// Shutters, apertures and sensitivities move in thirds of a stop (some in halves): a shutter at
/// "1/60 s" is open for 1/64 s, "f/5.6" is 2^(5/2) = 5.657, "ISO 125" is 100 · 2^(1/3). Taking the
/// round numbers as exact puts up to a tenth of a stop into an exposure ratio.
enum NominalValues {
  /// Seconds; exact values are 2^(k/3) or 2^(k/2). Nil for what is no round number.
  static func exactTime(_ time: Double) -> Double? {
    let thirds: [Double] = [
      8000, 6400, 5000, 4000, 3200, 2500, 2000, 1600, 1250, 1000, 800, 640, 500, 400, 320, 250, 200, 160, 125, 100, 80,
      60, 50, 40, 30, 25, 20, 15, 13, 10, 8, 6, 5, 4, 3, 2.5, 2, 1.6, 1.3,
    ]
    let long = [0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.3, 1.6, 2, 2.5, 3.2, 4, 5, 6, 8, 10, 13, 15, 20, 25, 30]
    let halves: [Double] = [6000, 3000, 1500, 750, 350, 180, 90, 45]
    if thirds.contains(where: { isClose(time * $0, 1) }) || long.contains(where: { isClose(time, $0) }) {
      return exp2((log2(time) * 3).rounded() / 3)
    }
    if halves.contains(where: { isClose(time * $0, 1) }) || isClose(time, 0.7) || isClose(time, 1.5) {
      return exp2((log2(time) * 2).rounded() / 2)
    }
    return nil
  }

  /// The f-number; exact values are 2^(k/6) or 2^(k/4). Nil for what is no round number.
  static func exactAperture(_ number: Double) -> Double? {
    let thirds = [
      1, 1.1, 1.2, 1.25, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3.2, 3.5, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9, 10, 11, 13, 14, 16,
      18, 20, 22, 25, 29, 32, 36, 40, 45, 51, 57, 64,
    ]
    let halves = [1.7, 2.4, 3.3, 4.8, 6.7, 9.5, 19, 27, 38]
    if thirds.contains(where: { isClose(number, $0) }) { return exp2((log2(number) * 6).rounded() / 6) }
    if halves.contains(where: { isClose(number, $0) }) { return exp2((log2(number) * 4).rounded() / 4) }
    return nil
  }

  /// The sensitivity; exact values are 100 · 2^(k/3). Nil for what is no round number.
  static func exactISO(_ iso: Double) -> Double? {
    // Doubled and halved, with the places where the series is rounded anew: 640 to 1250, 125 to 64.
    let series: [Double] = [64, 100, 125, 160, 250, 320, 500, 640, 1000, 1250]
    let nominal = (-4...14).contains { octave in series.contains { isClose(iso, $0 * exp2(Double(octave))) } }
    return nominal ? 100 * exp2((log2(iso / 100) * 3).rounded() / 3) : nil
  }

  /// Equal but for the rounding of a decimal fraction such as 0.0167.
  private static func isClose(_ value: Double, _ nominal: Double) -> Bool { abs(value / nominal - 1) < 0.003 }
}
