import ColorScience
import ConstantColor
import Development
import GEGL
import Photo
import Raster
import Validation

/// Pictures as XYZ, turned back from upright to how they are stored, where that is how the truth is told.
enum JudgedPicture {
  /// Values of an upright picture in the order of the stored one.
  static func stored<Value>(_ upright: [Value], _ box: Rectangle, _ orientation: Orientation) -> [Value] {
    guard orientation != .upright, upright.count == box.count else { return upright }
    let (width, height) = orientation.swapsSides ? (box.height, box.width) : (box.width, box.height)
    var stored = upright
    for y in 0..<box.height {
      for x in 0..<box.width {
        let place = orientation.stored(x: x, y: y, width: width, height: height)
        stored[place.y * width + place.x] = upright[y * box.width + x]
      }
    }
    return stored
  }

  /// Linear RGB of an upright picture as one in XYZ, turned back by an orientation.
  static func picture(
    _ rgb: [Float], channels: Int, _ box: Rectangle, toXYZ matrix: Matrix3, _ orientation: Orientation
  ) -> XYZPicture {
    let colors = (0..<box.count).map { index in
      let start = channels * index
      let rgb = SIMD3(Double(rgb[start]), Double(rgb[start + 1]), Double(rgb[start + 2]))
      return SIMD3<Float>(matrix * rgb)
    }
    let (width, height) = orientation.swapsSides ? (box.height, box.width) : (box.width, box.height)
    return XYZPicture(width: width, height: height, pixels: stored(colors, box, orientation))
  }

  /// The standard picture: what the camera shows with the white balance that it chose, through its own matrices; or
  /// what a developed picture shows. A camera's picture is one in Display P3, and has no colours beyond. Nil where the camera's colours or its white balance are not known.
  static func standard(
    _ picture: LoadedPicture, _ development: Development, _ orientation: Orientation
  ) throws -> XYZPicture? {
    let box = picture.buffer.extent
    let matrix: Matrix3
    let space: ColorSpace?
    if development.isCameraRGB {
      guard let model = picture.cameraModel, let neutral = picture.asShotNeutral(model),
        let toXYZ = model.toD65(neutral: neutral)
      else { return nil }
      (matrix, space) = (toXYZ, picture.buffer.format?.space)
    } else {
      (matrix, space) = (RGBSpace.sRGB.toXYZ, nil)
    }
    let values = try picture.buffer.read(box, format: PixelFormat("RGB float", space: space), as: Float.self)
    guard development.isCameraRGB, let toP3 = RGBSpace.displayP3.toXYZ.inverse else {
      return self.picture(values, channels: 3, box, toXYZ: matrix, orientation)
    }
    let inP3 = toP3 * matrix
    var shown = values
    for start in stride(from: 0, to: shown.count - 2, by: 3) {
      let rgb = inP3 * SIMD3(Double(values[start]), Double(values[start + 1]), Double(values[start + 2]))
      for channel in 0..<3 { shown[start + channel] = Float(min(max(rgb[channel], 0), 1)) }
    }
    return self.picture(shown, channels: 3, box, toXYZ: RGBSpace.displayP3.toXYZ, orientation)
  }
}

extension Development {
  /// The result before it is rendered into its space: XYZ under D65 with the result's gain, turned back by an
  /// orientation. After ``measure()``.
  func judgedResult(_ orientation: Orientation) throws -> XYZPicture {
    let box = steps.adapt.boundingBox
    let format = try PixelFormat("RGBA float", space: steps.adapt.outputSpace)
    let values = try steps.adapt.read(box, format: format, as: Float.self)
    return JudgedPicture.picture(values, channels: 4, box, toXYZ: gain * RGBSpace.sRGB.toXYZ, orientation)
  }

  /// The confidence map, turned back by an orientation, in the steps of a 16-bit file: what is finer than that no user
  /// sees, and must not count as telling good from bad. After ``measure()``.
  func judgedConfidence(_ orientation: Orientation) throws -> [Float] {
    let box = steps.confidence.boundingBox
    let format = try PixelFormat("Y float", space: steps.confidence.outputSpace)
    let values = try steps.confidence.read(box, format: format, as: Float.self)
    let rounded = values.map { ($0 * 65535).rounded() / 65535 }
    return JudgedPicture.stored(rounded, box, orientation)
  }

  /// The maps that the confidence is made of, turned back by an orientation. After ``measure()``.
  func confidenceTerms(_ orientation: Orientation) throws -> [[Float]] {
    let box = steps.confidence.boundingBox
    let format = try PixelFormat("Y float", space: steps.confidence.outputSpace)
    defer { try? steps.confidence.set("term", .int(0)) }
    return try Confidence.termNames.indices.map { index in
      try steps.confidence.set("term", .int(index + 1))
      let values = try steps.confidence.read(box, format: format, as: Float.self)
      return JudgedPicture.stored(values, box, orientation)
    }
  }
}
