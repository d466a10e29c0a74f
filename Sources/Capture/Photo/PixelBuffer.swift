import ColorScience
import GEGL
import GEGLOperation
import Raster

/// The pixels of a photo.
///
/// The corresponding type of CoreVideo is `CVPixelBuffer`. Pixels are read, in whole or in part, as what the caller wants:
/// linear floats, encoded floats, bytes. They lie in tiles that may be swapped to disk.
public struct PixelBuffer: Sendable {
  /// The colour space.
  public let space: RGBSpace
  let buffer: Buffer

  /// The size in pixels.
  public var width: Int { buffer.extent.width }
  /// See ``width``.
  public var height: Int { buffer.extent.height }
  var bounds: Rectangle { buffer.extent }

  /// The result of a node that renders into a space. Throws `RenderingCancelled` when stopped.
  init(_ node: Node, space: RGBSpace) throws {
    self.space = space
    let box = node.boundingBox
    // The node knows its space once it was asked for a pixel.
    let first = Rectangle(x: box.x, y: box.y, width: min(1, box.width), height: min(1, box.height))
    if !first.isEmpty { _ = try node.read(first, format: PixelFormat("RGBA float"), as: Float.self) }
    buffer = try Self.copy(node, box, PixelFormat("RGB float", space: node.outputSpace)) { _ in }
  }

  /// Unbounded linear light of a node that gives D65 with the primaries of sRGB, times a gain.
  init(_ node: Node, gain: Double) throws {
    space = .linearSRGB
    buffer = try Self.copy(node, node.boundingBox, PixelFormat("RGB float")) { pixels in
      let gain = Float(gain)
      for index in pixels.indices { pixels[index] *= gain }
    }
  }

  private static func copy(
    _ node: Node, _ box: Rectangle, _ format: PixelFormat, _ change: (UnsafeMutableBufferPointer<Float>) -> Void
  ) throws -> Buffer {
    let buffer = try Buffer(Rectangle(width: box.width, height: box.height), format: format)
    for band in box.bands(of: 256) {
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      var pixels = try node.read(band, format: format, as: Float.self)
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      pixels.withUnsafeMutableBufferPointer { change($0) }
      let place = Rectangle(x: band.x - box.x, y: band.y - box.y, width: band.width, height: band.height)
      try buffer.write(pixels, to: place, format: format)
    }
    return buffer
  }

  // MARK: reading

  /// Linear light, red, green and blue of each pixel of an area, row by row. Nil: the whole picture.
  ///
  /// - Throws: ``CaptureError/invalidArea(_:)`` for an area that is not inside the picture; so do the others.
  public func linearValues(_ area: PixelArea? = nil) throws -> [Float] { try read(area, "RGB float", as: Float.self) }

  /// The same with the space's curve, as files have it; 0...1 for a rendered picture.
  public func encodedValues(_ area: PixelArea? = nil) throws -> [Float] {
    try read(area, "R'G'B' float", as: Float.self)
  }

  /// The same with the space's curve as bytes, 0...255, for screens.
  public func encodedBytes(_ area: PixelArea? = nil) throws -> [UInt8] { try read(area, "R'G'B' u8", as: UInt8.self) }

  /// The mean colour of an area in CIELAB under D65, 2°, white Y = 1. Of a ``Photo/linearPixelBuffer`` it is what measurements
  /// read.
  public func meanLab(_ area: PixelArea? = nil) throws -> Lab {
    let values = try linearValues(area)
    var sum = SIMD3<Double>.zero
    for index in stride(from: 0, to: values.count - 2, by: 3) {
      sum += SIMD3(Double(values[index]), Double(values[index + 1]), Double(values[index + 2]))
    }
    return Lab(XYZ(space.toXYZ * (sum / Double(max(values.count / 3, 1)))))
  }

  private func read<Sample: BitwiseCopyable>(
    _ area: PixelArea?, _ name: String, as type: Sample.Type
  ) throws -> [Sample] {
    let all = PixelArea(x: 0, y: 0, width: width, height: height)
    let area = area ?? all
    guard let rectangle = area.rectangle(inside: all) else { throw CaptureError.invalidArea(area) }
    return try buffer.read(rectangle, format: PixelFormat(name, space: buffer.format?.space), as: type)
  }
}

/// A rectangle of pixels, x to the right, y down, from (0, 0) at the top left.
public struct PixelArea: Hashable, Sendable, CustomStringConvertible {
  /// Where it begins.
  public var x, y: Int
  /// Its size.
  public var width, height: Int

  /// A rectangle from its parts.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// "width × height at (x, y)"
  public var description: String { "\(width) × \(height) at (\(x), \(y))" }

  /// The area as a rectangle; nil where it has no pixels, or some outside another.
  func rectangle(inside other: PixelArea) -> Rectangle? {
    guard x >= other.x, y >= other.y, width > 0, height > 0, width <= other.width, height <= other.height,
      x - other.x <= other.width - width, y - other.y <= other.height - height
    else { return nil }
    return Rectangle(x: x, y: y, width: width, height: height)
  }
}
