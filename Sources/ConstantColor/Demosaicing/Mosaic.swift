import Raster

/// The numbers of a sensor behind a colour filter array, and what they mean.
///
/// Positions count from the top left sample. The picture may be a part of the samples; those around it serve its edges.
public struct Mosaic: Sendable {
  /// The samples and their number.
  public let samples: SensorSamples
  /// The colours of the samples, from the top left one on.
  public let pattern: CFAPattern
  /// Black and white levels, from the top left sample on.
  public let levels: SampleLevels
  /// Which samples are picture.
  public let visible: Rectangle

  /// A mosaic; `visible` is limited to the samples, and by default all of them.
  public init(_ samples: SensorSamples, pattern: CFAPattern, levels: SampleLevels, visible: Rectangle? = nil) {
    self.samples = samples
    self.pattern = pattern
    self.levels = levels
    let all = Rectangle(width: samples.width, height: samples.height)
    self.visible = visible.map { all.intersection($0) } ?? all
  }
}

/// Numbers of a sensor in memory: rows of one or more samples a pixel.
public struct SensorSamples: @unchecked Sendable {
  /// How a sample is stored.
  public enum Kind: Sendable { case uint16, float }

  /// How the samples are stored.
  public let kind: Kind
  /// The number of pixels in a row, and of rows.
  public let width, height: Int
  /// How many samples a pixel has.
  public let channels: Int
  /// Bytes from one row to the next.
  let rowBytes: Int
  let base: UnsafeRawPointer
  private let owner: AnyObject

  /// Samples that live as long as `owner`, which nobody changes; nil where rows would overlap or nothing is there.
  ///
  /// - Parameters:
  ///   - base: the first sample, aligned to its kind.
  ///   - rowBytes: bytes from one row to the next: a multiple of a sample's size.
  public init?(
    _ base: UnsafeRawPointer, kind: Kind, width: Int, height: Int, channels: Int = 1, rowBytes: Int,
    owner: some AnyObject & Sendable
  ) {
    let size = kind == .uint16 ? 2 : 4
    guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20, (1...4).contains(channels),
      rowBytes >= width * channels * size, rowBytes % size == 0, UInt(bitPattern: base) % UInt(size) == 0
    else { return nil }
    self.init(base, kind, width, height, channels, rowBytes, owner)
  }

  /// A part of the samples, in the same memory; nil where it is empty or reaches beyond them.
  public func part(_ area: Rectangle) -> SensorSamples? {
    guard !area.isEmpty, area.x >= 0, area.y >= 0, area.maxX <= width, area.maxY <= height else { return nil }
    let size = kind == .uint16 ? 2 : 4
    return SensorSamples(
      base + area.y * rowBytes + area.x * channels * size, kind, area.width, area.height, channels, rowBytes, owner)
  }

  private init(
    _ base: UnsafeRawPointer, _ kind: Kind, _ width: Int, _ height: Int, _ channels: Int, _ rowBytes: Int,
    _ owner: AnyObject
  ) {
    self.kind = kind
    self.width = width
    self.height = height
    self.channels = channels
    self.rowBytes = rowBytes
    self.base = base
    self.owner = owner
  }

  /// A copy of whole numbers, row after row; missing ones are 0.
  public init(_ samples: [UInt16], width: Int, height: Int, channels: Int = 1) {
    self.init(copying: samples, .uint16, 0, width, height, channels)
  }

  /// A copy of floats, row after row; missing ones are 0.
  public init(_ samples: [Float], width: Int, height: Int, channels: Int = 1) {
    self.init(copying: samples, .float, 0, width, height, channels)
  }

  private init<Sample: BitwiseCopyable>(
    copying samples: [Sample], _ kind: Kind, _ zero: Sample, _ width: Int, _ height: Int, _ channels: Int
  ) {
    self.width = min(max(0, width), 1 << 20)
    self.height = min(max(0, height), 1 << 20)
    self.channels = min(max(1, channels), 4)
    self.kind = kind
    let count = self.width * self.height * self.channels
    let memory = SampleMemory(count * MemoryLayout<Sample>.stride)
    let target = memory.bytes.initializeMemory(as: Sample.self, repeating: zero)
    for (index, sample) in samples.prefix(count).enumerated() { target[index] = sample }
    rowBytes = self.width * self.channels * MemoryLayout<Sample>.stride
    base = memory.base
    owner = memory
  }
}

/// Bytes that are freed with the object.
private final class SampleMemory {
  let base: UnsafeRawPointer
  let bytes: UnsafeMutableRawBufferPointer

  init(_ count: Int) {
    let pointer = UnsafeMutableRawPointer.allocate(byteCount: max(16, count), alignment: 16)
    base = UnsafeRawPointer(pointer)
    bytes = UnsafeMutableRawBufferPointer(start: pointer, count: count)
  }

  deinit { base.deallocate() }
}
