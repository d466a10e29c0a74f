import ColorScience
import GEGL
import Photo
import Raster

/// Encodes linear light as the numbers of a file or a layer: three a pixel, by the curve of a colour space.
///
/// Not by babl, which has several ways for a conversion and takes the one that was the fastest in this run: they differ by up to
/// 1e-5, and so would the same result, from run to run.
public struct PixelEncoder: Sendable {
  private let curve: TransferFunction
  /// The curve at `index / cells`: linear between them is right to 1e-6, at the knee, elsewhere to 1e-7.
  private let table: [Float]

  private static let cells = 1 << 16
  /// How many pixels a thread encodes at a time.
  private static let part = 1 << 15

  /// An encoder for a space; linear where `isLinear`, whatever its curve.
  public init(_ space: RGBSpace, isLinear: Bool = false) {
    curve = isLinear ? .linear : space.transferFunction
    let curve = curve
    table =
      curve == .linear ? [] : (0...Self.cells + 1).map { Float(curve.encode(Double($0) / Double(Self.cells))) }
  }

  /// Encodes pixels, whose alpha does not count. 8 and 16 bits hold 0...1, rounded; NaN becomes 0 there.
  ///
  /// - Parameter samples: memory for `3 · pixels.count` samples; what does not fit in is left out.
  public func encode(
    _ pixels: Pixels, as sample: PictureLayout.Sample, into samples: UnsafeMutableRawBufferPointer,
    _ execution: Execution = .serial
  ) {
    let count = min(pixels.count, samples.count / (3 * sample.rawValue))
    nonisolated(unsafe) let (pixels, samples) = (pixels, samples)
    table.withUnsafeBytes { table in
      nonisolated(unsafe) let table = table
      execution.forEach((count + Self.part - 1) / Self.part) { index in
        let range = index * Self.part..<min((index + 1) * Self.part, count)
        // The kind of sample is chosen here, not for each of them.
        switch sample {
        case .uint8: encode(pixels, range, table) { PictureLayout.Sample.uint8.store($0, in: samples, at: $1) }
        case .uint16: encode(pixels, range, table) { PictureLayout.Sample.uint16.store($0, in: samples, at: $1) }
        case .float32: encode(pixels, range, table) { PictureLayout.Sample.float32.store($0, in: samples, at: $1) }
        }
      }
    }
  }

  @inline(__always) private func encode(
    _ pixels: Pixels, _ range: Range<Int>, _ table: UnsafeRawBufferPointer, _ store: (Float, Int) -> Void
  ) {
    let one = Pixel(1, 1, 1, .infinity)
    for index in range {
      var pixel = pixels[index]
      // Alpha does not count: it is what compares with nothing.
      pixel.w = 0
      if !table.isEmpty, all((pixel .>= .zero) .& (pixel .<= one)) {
        let place = pixel * Float(Self.cells)
        for channel in 0..<3 {
          let cell = Int32(place[channel])
          // Both ends of the cell at once.
          let ends = table.loadUnaligned(fromByteOffset: Int(cell) &* 4, as: SIMD2<Float>.self)
          store(ends.x + (ends.y - ends.x) * (place[channel] - Float(cell)), 3 &* index &+ channel)
        }
      } else {
        for channel in 0..<3 { store(value(pixel[channel], table), 3 &* index &+ channel) }
      }
    }
  }

  @inline(never) private func value(_ linear: Float, _ table: UnsafeRawBufferPointer) -> Float {
    guard !table.isEmpty else { return linear }
    guard linear >= 0, linear <= 1 else { return Float(curve.encode(Double(linear))) }
    let place = linear * Float(Self.cells)
    let cell = Int(place)
    let ends = table.loadUnaligned(fromByteOffset: cell * 4, as: SIMD2<Float>.self)
    return ends.x + (ends.y - ends.x) * (place - Float(cell))
  }
}

extension PictureLayout.Sample {
  /// Stores a value; 8 and 16 bits hold 0...1, rounded, with NaN as 0. The caller keeps the index within the memory.
  @inline(__always) func store(_ value: Float, in samples: UnsafeMutableRawBufferPointer, at index: Int) {
    let part = value > 0 ? min(value, 1) : 0
    switch self {
    case .uint8: samples.storeBytes(of: UInt8(part * 255 + 0.5), toByteOffset: index, as: UInt8.self)
    case .uint16: samples.storeBytes(of: UInt16(part * 65535 + 0.5), toByteOffset: index * 2, as: UInt16.self)
    case .float32: samples.storeBytes(of: value, toByteOffset: index * 4, as: Float.self)
    }
  }
}

extension PixelEncoder {
  /// Encodes what `read` gives of a band: rows of "RGBA float", linear light, in the space's babl form.
  public func encodeBand(
    _ band: Rectangle, _ pixelSpace: ColorSpace?, as sample: PictureLayout.Sample,
    into samples: UnsafeMutableRawBufferPointer, _ execution: Execution = .serial,
    read: (Rectangle, PixelFormat, UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let format = try PixelFormat("RGBA float", space: pixelSpace)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: band.count * MemoryLayout<Pixel>.size, alignment: MemoryLayout<Pixel>.alignment)
    defer { memory.deallocate() }
    try read(band, format, memory)
    encode(Pixels(memory.baseAddress, count: band.count), as: sample, into: samples, execution)
  }
}
