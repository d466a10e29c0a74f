/// Metadata that tells nothing of people.
extension ExifBlock {
  /// Only what describes the capture: camera and lens model, time, exposure. No place, names, serial numbers, comments or
  /// descriptions; what is not on the list is left out, whatever it is.
  public var withoutPersons: ExifBlock {
    ExifBlock(
      image: image.filter { Self.imageTags.contains($0.number) },
      exposure: exposure.filter { Self.exposureTags.contains($0.number) })
  }

  /// Make, model, orientation, resolution and its unit, software, time.
  private static let imageTags: Set<UInt16> = [271, 272, Tag.orientation, 282, 283, 296, Tag.software, 306]
  /// Exposure, sensitivity, version, times and their zones and fractions, APEX values, distance, metering, light source, flash, focal
  /// length, colour space and size, how the camera was set, lens specification and model.
  private static let exposureTags: Set<UInt16> = [
    33434, 33437, 34850, 34855, 34864, 34865, 34866, 34867, Tag.exifVersion, 36867, 36868, 36880, 36881, 36882, 37377,
    37378, 37379, 37380, 37381, 37382, 37383, 37384, 37385, 37386, 37520, 37521, 37522, Tag.colorSpace, Tag.pixelWidth,
    Tag.pixelHeight, 41985, 41986, 41987, 41988, 41989, 41990, 42034, 42036,
  ]
}
