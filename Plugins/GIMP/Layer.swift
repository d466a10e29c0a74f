import CGimp
import Development
import GEGL
import Photo
import Raster

/// A layer of GIMP's, or another drawable.
struct Layer {
  let id: gint32

  /// The layers of an image from the top, those in groups after their group.
  static func all(of image: gint32) -> [Layer] {
    var count: gint = 0
    guard let list = gimp_image_get_layers(image, &count) else { return [] }
    defer { g_free(list) }
    return UnsafeBufferPointer(start: list, count: Int(count)).flatMap { Layer(id: $0).withChildren }
  }

  private var withChildren: [Layer] {
    var count: gint = 0
    guard gimp_item_is_group(id) != 0, let list = gimp_item_get_children(id, &count) else { return [self] }
    defer { g_free(list) }
    return [self] + UnsafeBufferPointer(start: list, count: Int(count)).flatMap { Layer(id: $0).withChildren }
  }

  /// Its name.
  var name: String {
    guard let text = gimp_item_get_name(id) else { return "layer" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Where it begins in its image.
  var offset: (x: Int, y: Int) {
    var x: gint = 0
    var y: gint = 0
    _ = gimp_drawable_offsets(id, &x, &y)
    return (Int(x), Int(y))
  }

  /// Its pixels, copied, with its image's colour profile. Throws ``InputError`` for what is no RGB picture.
  ///
  /// - Parameter origin: the place in the image that is (0, 0) of the picture.
  func picture(origin: (x: Int, y: Int)) throws -> LoadedPicture {
    guard gimp_item_is_valid(id) != 0, gimp_item_is_drawable(id) != 0 else {
      throw InputError("there is no layer \(id); name one of the image")
    }
    guard gimp_drawable_is_rgb(id) != 0 else {
      throw InputError("\(name): is not RGB; convert the image (Image, Mode, RGB)")
    }
    guard let pointer = gimp_drawable_get_buffer(id) else { throw GEGLError("\(name): GIMP does not give its pixels") }
    let source = Buffer(owned: pointer)
    guard let format = source.format else { throw GEGLError("\(name): GIMP does not give its pixels") }
    let copy = try source.copy(at: offset.x - origin.x, offset.y - origin.y)
    // The numbers are encoded by the image's profile, or by sRGB, whatever libgimp calls them.
    let isLinear = !format.encoding.contains { $0 == "'" || $0 == "~" }
    let sample = format.encoding.split(separator: " ").last ?? "float"
    let channels = (isLinear ? "RGB" : "R'G'B'") + (format.hasAlpha ? "A" : "")
    try copy.reinterpret(as: PixelFormat("\(channels) \(sample)"))
    return try LoadedPicture(name: name, pixels: copy, profile: Layer.profile(of: gimp_item_get_image(id)))
  }

  /// The ICC profile of an image; empty where it has none.
  static func profile(of image: gint32) -> [UInt8] {
    guard let profile = gimp_image_get_color_profile(image) else { return [] }
    defer { g_object_unref(UnsafeMutableRawPointer(profile)) }
    var length: gsize = 0
    guard let bytes = gimp_color_profile_get_icc_profile(profile, &length) else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(length)))
  }

  /// Puts the numbers of a buffer into it as they are, whatever GIMP calls their encoding; what lies outside is left out.
  ///
  /// - Parameter place: where the buffer's first pixel goes.
  func write(_ pixels: Buffer, at place: (x: Int, y: Int) = (0, 0)) throws {
    guard let pointer = gimp_drawable_get_buffer(id) else { throw GEGLError("GIMP does not take the pixels") }
    let target = Buffer(owned: pointer)
    guard let own = target.format, let stored = pixels.format, own.bytesPerPixel == stored.bytesPerPixel else {
      throw GEGLError("GIMP's layer is of another kind than the result")
    }
    let box = pixels.extent
    for band in box.bands(of: 128) {
      let numbers = try pixels.read(band, format: stored, as: UInt8.self)
      let area = Rectangle(
        x: place.x + band.x - box.x, y: place.y + band.y - box.y, width: band.width, height: band.height)
      try target.write(numbers, to: area, format: own)
    }
    target.flush()
    _ = gimp_drawable_update(
      id, gint(clamping: place.x), gint(clamping: place.y), gint(clamping: box.width), gint(clamping: box.height))
  }
}
