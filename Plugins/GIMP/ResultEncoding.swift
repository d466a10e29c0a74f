import CGimp
import ColorScience
import Development
import GEGL
import GEGLOperation
import Photo
import Raster

/// How the pixels of an image are encoded, and which of the result's colour spaces suits it.
struct ResultEncoding {
  /// The space that the result is rendered into.
  let rendering: RGBSpace
  /// The space of the image's numbers, where it is another.
  let space: ColorSpace?
  /// The type of a sample, as babl calls it.
  let sample: String

  /// That of a new image with a colour space.
  init(_ rendering: RGBSpace) { (self.rendering, space, sample) = (rendering, nil, "float") }

  /// That of an image.
  init(of image: gint32) {
    let precision = gimp_image_get_precision(image)
    sample =
      switch precision {
      case GIMP_PRECISION_U8_LINEAR, GIMP_PRECISION_U8_GAMMA: "u8"
      case GIMP_PRECISION_U16_LINEAR, GIMP_PRECISION_U16_GAMMA: "u16"
      case GIMP_PRECISION_U32_LINEAR, GIMP_PRECISION_U32_GAMMA: "u32"
      case GIMP_PRECISION_HALF_LINEAR, GIMP_PRECISION_HALF_GAMMA: "half"
      case GIMP_PRECISION_DOUBLE_LINEAR, GIMP_PRECISION_DOUBLE_GAMMA: "double"
      default: "float"
      }
    let linear = [
      GIMP_PRECISION_U8_LINEAR, GIMP_PRECISION_U16_LINEAR, GIMP_PRECISION_U32_LINEAR, GIMP_PRECISION_HALF_LINEAR,
      GIMP_PRECISION_FLOAT_LINEAR, GIMP_PRECISION_DOUBLE_LINEAR,
    ]
    let profile = Layer.profile(of: image)
    if let own = RGBSpace.all.first(where: { $0.iccProfile == profile }) {
      (rendering, space) = (own, nil)
    } else if let found = profile.isEmpty ? nil : ColorSpace(icc: profile), found != ColorSpace(named: "sRGB") {
      (rendering, space) = (Self.largest(within: found), found)
    } else {
      (rendering, space) = (profile.isEmpty && linear.contains(precision) ? .linearSRGB : .sRGB, nil)
    }
  }

  /// A rendered picture as the image has it, without alpha.
  ///
  /// - Parameter progress: told which part of it is done, 0...1.
  func picture(_ node: Node, progress: (Double) -> Void) throws -> Buffer {
    let box = node.boundingBox
    let result = try Buffer(box, format: PixelFormat("R'G'B' \(sample)", space: space))
    let encoder = PixelEncoder(rendering)
    let samples: [String: PictureLayout.Sample] = ["u8": .uint8, "u16": .uint16]
    let stored = samples[sample] ?? .float32
    let encoded = try PixelFormat("R'G'B' " + (samples[sample] == nil ? "float" : sample), space: space)
    for band in box.bands(of: 128) {
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      if space != nil {
        try result.write(node.read(band, format: encoded, as: UInt8.self), to: band, format: encoded)
      } else {
        var bytes = [UInt8](repeating: 0, count: band.count * 3 * stored.rawValue)
        try bytes.withUnsafeMutableBytes {
          try encoder.encodeBand(band, node.outputSpace, as: stored, into: $0, Run.execution) { band, format, bytes in
            try node.read(band, format: format, into: bytes)
          }
        }
        try result.write(bytes, to: band, format: encoded)
      }
      progress(Double(band.maxY - box.y) / Double(box.height))
    }
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return result
  }

  /// The format of the confidence: plain numbers.
  func mapFormat() throws -> PixelFormat { try PixelFormat("Y " + sample) }

  /// The largest space whose colours the image can hold, but for rounding.
  private static func largest(within space: ColorSpace) -> RGBSpace {
    [RGBSpace.proPhoto, .rec2020, .displayP3].first { candidate in
      let matrix = ColorSpace(icc: candidate.iccProfile)?.linearMatrix(to: space)
      return matrix?.allSatisfy { $0 > -0.01 } ?? false
    } ?? .sRGB
  }
}
