import CGimp
import ColorScience
import Development
import GEGL
import Raster

/// What a development has added to an image: GIMP's numbers of it, -1 for what was not asked for.
struct Outcome {
  var image, result: gint32
  var confidence: gint32 = -1
  var fallback: gint32 = -1
  var meanConfidence: Double
  var notes: [String]
}

extension DevelopedPair {
  /// Adds the pictures to an image, above the flash layer, as one undo step.
  func add(to image: gint32, above flash: Layer, _ options: Options) throws -> Outcome {
    guard gimp_image_is_valid(image) != 0, gimp_item_get_image(flash.id) == image else {
      throw InputError("\(flash.name): is not a layer of the image; choose one that is")
    }
    gimp_image_undo_group_start(image)
    defer { gimp_image_undo_group_end(image) }
    let group = gimp_item_get_parent(flash.id)
    return try add(
      to: image, Place(group: group, index: gimp_image_get_item_position(image, flash.id), offset: flash.offset),
      options)
  }

  /// Makes a new image of the pictures.
  func makeImage(_ encoding: ResultEncoding, _ options: Options) throws -> Outcome {
    let size = result.extent
    let image = gimp_image_new_with_precision(
      gint(clamping: size.width), gint(clamping: size.height), GIMP_RGB, GIMP_PRECISION_FLOAT_GAMMA)
    guard image >= 0 else { throw GEGLError("GIMP cannot make an image of \(size.width) × \(size.height) pixels") }
    do {
      gimp_image_undo_disable(image)
      let profile = encoding.rendering.iccProfile
      if let object = gimp_color_profile_new_from_icc_profile(profile, gsize(profile.count), nil) {
        _ = gimp_image_set_color_profile(image, object)
        g_object_unref(UnsafeMutableRawPointer(object))
      }
      attachMetadata(to: image)
      let outcome = try add(to: image, Place(group: -1, index: 0, offset: (0, 0)), options)
      gimp_image_undo_enable(image)
      return outcome
    } catch {
      _ = gimp_image_delete(image)
      throw error
    }
  }

  private func attachMetadata(to image: gint32) {
    guard !exif.isEmpty, let metadata = gimp_metadata_new() else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(metadata)) }
    let bytes = Array("Exif\0\0".utf8) + exif
    guard gimp_metadata_set_from_exif(metadata, bytes, gint(clamping: bytes.count), nil) != 0 else { return }
    _ = gimp_image_set_metadata(image, metadata)
  }

  private struct Place {
    let group: gint32
    let index: gint
    let offset: (x: Int, y: Int)
  }

  private func add(to image: gint32, _ place: Place, _ options: Options) throws -> Outcome {
    var outcome = Outcome(image: image, result: -1, meanConfidence: meanConfidence, notes: notes)
    let isMask = try options.confidencePlace() == .mask
    // First, so that GIMP selects the result when all is done again.
    if let confidence, !isMask { outcome.confidence = try addChannel(confidence, to: image, place) }
    if let fallback {
      outcome.fallback = try addLayer(fallback, "Fallback: ambient frame, white-balanced", to: image, place)
      _ = gimp_item_set_visible(outcome.fallback, 0)
    }
    outcome.result = try addLayer(result, "Constant color", to: image, place)
    if let confidence, isMask { outcome.confidence = try addMask(confidence, to: outcome.result) }
    _ = gimp_image_set_active_layer(image, outcome.result)
    return outcome
  }

  private func addLayer(_ pixels: Buffer, _ name: String, to image: gint32, _ place: Place) throws -> gint32 {
    let size = pixels.extent
    let layer = gimp_layer_new(
      image, name, gint(clamping: size.width), gint(clamping: size.height), GIMP_RGB_IMAGE, 100,
      gimp_image_get_default_new_layer_mode(image))
    guard layer >= 0 else { throw GEGLError("GIMP cannot make a layer") }
    do { try Layer(id: layer).write(pixels) } catch {
      _ = gimp_item_delete(layer)
      throw error
    }
    _ = gimp_layer_set_offsets(layer, gint(clamping: place.offset.x), gint(clamping: place.offset.y))
    _ = gimp_image_insert_layer(image, layer, place.group, place.index)
    return layer
  }

  private func addMask(_ map: Buffer, to layer: gint32) throws -> gint32 {
    let mask = gimp_layer_create_mask(layer, GIMP_ADD_MASK_WHITE)
    guard mask >= 0 else { throw GEGLError("GIMP cannot make a layer mask") }
    do { try Layer(id: mask).write(map) } catch {
      _ = gimp_item_delete(mask)
      throw error
    }
    _ = gimp_layer_add_mask(layer, mask)
    return mask
  }

  /// A channel has the size of the image, whatever that of the layer.
  private func addChannel(_ map: Buffer, to image: gint32, _ place: Place) throws -> gint32 {
    let (width, height) = (guint(bitPattern: gimp_image_width(image)), guint(bitPattern: gimp_image_height(image)))
    var black = GimpRGB()
    let channel = gimp_channel_new(image, "Confidence", width, height, 50, &black)
    guard channel >= 0 else { throw GEGLError("GIMP cannot make a channel") }
    do { try Layer(id: channel).write(map, at: place.offset) } catch {
      _ = gimp_item_delete(channel)
      throw error
    }
    _ = gimp_image_insert_channel(image, channel, 0, 0)
    _ = gimp_item_set_visible(channel, 0)
    return channel
  }
}
