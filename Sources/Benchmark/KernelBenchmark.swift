import ColorScience
import ConstantColor
import Development
import Glibc
import JSONValue
import Raster

/// The point kernels on one thread, beside copying as many bytes as each reads and writes: what memory allows.
struct KernelBenchmark {
  private let box: Rectangle
  private let times: Int
  private let flash, ambient, result: UnsafeMutableRawBufferPointer

  init(_ box: Rectangle, times: Int) {
    (self.box, self.times) = (box, times)
    func memory(_ pixel: (Int) -> Pixel) -> UnsafeMutableRawBufferPointer {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: box.count * 16, alignment: 64)
      let pixels = MutablePixels(memory.baseAddress, count: box.count)
      for index in 0..<box.count { pixels[index] = pixel(index) }
      return memory
    }
    flash = memory { madeUpPixel($0, brightness: 1) }
    ambient = memory { madeUpPixel($0, brightness: 0.4) }
    result = memory { _ in .zero }
  }

  func run() throws {
    let input = Pixels(flash.baseAddress, count: box.count)
    let other = Pixels(ambient.baseAddress, count: box.count)
    let output = MutablePixels(result.baseAddress, count: box.count)
    let subtraction = AmbientSubtraction(ratio: [0.9, 1, 1.1])
    try time("subtract-ambient", read: 32, written: 16) {
      subtraction.process(flash: input, ambient: other, into: output)
    }
    let ratio = ExposureRatio(red: 1, green: 1, blue: 1, relativeUncertainty: 0, source: .prior)
    let matching = ExposureMatching(ratio, over: box)
    try time("match-exposure", read: 16, written: 16) { matching.apply(to: output, of: box) }
    if let white = CorrelatedColorTemperature(kelvin: 5600, duv: 0.003).chromaticity,
      let adaptation = try? D65Adaptation(flashWhite: white)
    {
      try time("adapt-to-d65", read: 16, written: 16) { adaptation.process(input, into: output) }
    }
    if let adaptation = Self.calibrated {
      try time("adapt-to-d65, root polynomial", read: 16, written: 16) { adaptation.process(input, into: output) }
    }
    if let field = Self.flatField {
      let correction = FlatFieldCorrection(field, box: box, orientation: .upright)
      try time("flat-field", read: 16, written: 16) { correction.process(input, into: output, area: box) }
    }
    let rendering = OutputRendering(gain: 0.9, space: .displayP3)
    try time("render-output", read: 16, written: 16) { rendering.process(input, into: output) }
    let encoder = PixelEncoder(.displayP3)
    let samples = UnsafeMutableRawBufferPointer(rebasing: result[..<(box.count * 6)])
    // What is encoded is a rendered picture.
    rendering.process(input, into: MutablePixels(flash.baseAddress, count: box.count))
    try time("encode to 16 bits", read: 16, written: 6) { encoder.encode(input, as: .uint16, into: samples) }
  }

  /// - Parameters:
  ///   - read: bytes a pixel that the kernel reads.
  ///   - written: bytes a pixel that it writes.
  private func time(_ name: String, read: Int, written: Int, _ kernel: @escaping () -> Void) throws {
    // A copy reads and writes each byte once: half as many bytes are as much traffic.
    let bytes = box.count * (read + written) / 2
    let half = bytes / 2
    guard half <= flash.count, half <= result.count, let from = flash.baseAddress, let also = ambient.baseAddress,
      let to = result.baseAddress
    else { return }
    let found = try leastTimes(
      times,
      [
        kernel,
        {
          memcpy(to, from, half)
          memcpy(to + (half <= result.count - half ? half : 0), also, half)
        },
      ])
    Benchmark.report([
      "kernel": .string(name), "seconds": .number(found[0]), "copySeconds": .number(found[1]),
      "bytes": .integer(2 * bytes), "pixels": .integer(box.count),
    ])
  }

  /// A transform as calibrations find them.
  private static let calibrated: D65Adaptation? = {
    let matrix = Matrix3(rowMajor: [0.55, 0.25, 0.15, 0.25, 0.75, 0, 0, 0.05, 1.04])
    let terms: [SIMD3<Double>] = [
      [0.5, 0.2, 0], [0.2, 0.7, 0.02], [0.12, 0, 0.95], [0.05, 0.05, 0], [0.03, 0, 0.05], [0.05, 0.05, 0.07],
    ]
    guard let matrix, let roots = RootPolynomial(degree: .second, coefficients: terms) else { return nil }
    return try? D65Adaptation(CalibratedTransform(matrix: matrix, rootPolynomial: roots, white: [0.9, 1, 0.8]))
  }()

  /// Light that falls off by a third towards the corners.
  private static let flatField: FlatField? = {
    var terms = [Double](repeating: 0, count: FlatField.termCount)
    // x² and y².
    (terms[2], terms[4]) = (-0.25, -0.25)
    return FlatField(coefficients: [terms, terms, terms], extent: [1, 0.75])
  }()
}
