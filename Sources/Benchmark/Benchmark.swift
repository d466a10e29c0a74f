import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc
import JSONValue
import Raster

/// Times what a development is made of, in one process and on memory that is warm, for Scripts/bench:
///
///     Benchmark kernels WIDTH HEIGHT TIMES
///     Benchmark operations WIDTH HEIGHT TIMES THREADS
///
/// prints one JSON object a line, with times in seconds: the least of so many, which whatever else the machine does disturbs the
/// least. What is compared takes turns.
@main enum Benchmark {
  static func main() {
    let numbers = CommandLine.arguments.dropFirst(2).map { Int($0) ?? 0 }
    guard let what = CommandLine.arguments.dropFirst().first, numbers.count >= 3, numbers.allSatisfy({ $0 > 0 }),
      numbers[0] < 1 << 16, numbers[1] < 1 << 16
    else { fail("usage: Benchmark kernels WIDTH HEIGHT TIMES, or operations WIDTH HEIGHT TIMES THREADS", status: 2) }
    let box = Rectangle(width: numbers[0], height: numbers[1])
    switch (what, numbers.count) {
    case ("kernels", 3): attempt { try KernelBenchmark(box, times: numbers[2]).run() }
    case ("operations", 4):
      // Room for all pictures, so that nothing is swapped on either side.
      Library.start(.init(threads: numbers[3], tileCacheBytes: UInt64(box.count) * 16 * 8)) {
        register(constantColorOperations)
      }
      attempt { try OperationBenchmark(box, times: numbers[2]).run() }
    default: fail("there is no benchmark '\(what)' with \(numbers.count) numbers", status: 2)
    }
  }

  /// One line of the result.
  static func report(_ members: KeyValuePairs<String, JSON>) {
    print(JSON.object(members).text(indented: false))
  }

  private static func attempt(_ work: () throws -> Void) {
    do { try work() } catch { fail("\(error)", status: 1) }
  }

  private static func fail(_ sentence: String, status: Int32) -> Never {
    let line = Array("Benchmark: \(sentence)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
  }
}

/// How long each of some things takes, in seconds: the least of so many times, after one that does not count. They take turns.
func leastTimes(_ times: Int, _ works: [() throws -> Void]) throws -> [Double] {
  let clock = ContinuousClock()
  var least = [Double](repeating: .infinity, count: works.count)
  for turn in 0...times {
    for (index, work) in works.enumerated() {
      let taken = try clock.measure(work).components
      guard turn > 0 else { continue }
      least[index] = min(least[index], Double(taken.seconds) + Double(taken.attoseconds) * 1e-18)
    }
  }
  return least
}

/// A made-up picture: colours that change slowly, some of them outside sRGB, with noise of two per cent as in a photograph;
/// one pixel in a hundred, in runs, is a highlight.
func madeUpPixel(_ index: Int, brightness: Float) -> Pixel {
  var bits = UInt32(truncatingIfNeeded: index) &* 0x9E37_79B9
  bits ^= bits >> 15
  bits = bits &* 0x85EB_CA6B
  bits ^= bits >> 13
  func wave(_ period: Int, _ shift: UInt32) -> Float {
    let place = Float(index % period) / Float(period)
    return (0.05 + 0.9 * abs(2 * place - 1)) * (1 + 0.04 * (Float(bits >> shift & 0xFF) / 255 - 0.5))
  }
  let light: Float = index / 64 % 100 == 0 ? 2 * brightness : brightness
  return Pixel(rgb: light * SIMD3(wave(5003, 0), wave(7001, 8), wave(9973, 16)), alpha: 1)
}
