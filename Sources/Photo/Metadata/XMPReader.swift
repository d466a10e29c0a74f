import CGExiv2
import Glibc

/// The values of XMP packets that stand in for missing EXIF (ISO 16684-1; Adobe, "XMP Specification", part 2).
struct XMPValues {
  /// What is asked for, with the properties it may stand in.
  enum Key: String, CaseIterable {
    case exposureTime, iso, fNumber, focalLength, flashFired, make, model, serial, lens, orientation, time, burst

    var properties: [String] {
      switch self {
      case .exposureTime: ["Xmp.exif.ExposureTime"]
      case .iso: ["Xmp.exifEX.PhotographicSensitivity", "Xmp.exif.PhotographicSensitivity", "Xmp.exif.ISOSpeedRatings"]
      case .fNumber: ["Xmp.exif.FNumber"]
      case .focalLength: ["Xmp.exif.FocalLength"]
      case .flashFired: ["Xmp.exif.Flash/exif:Fired"]
      case .make: ["Xmp.tiff.Make"]
      case .model: ["Xmp.tiff.Model"]
      case .serial: ["Xmp.exifEX.BodySerialNumber", "Xmp.aux.SerialNumber"]
      case .lens: ["Xmp.exifEX.LensModel", "Xmp.aux.Lens"]
      case .orientation: ["Xmp.tiff.Orientation"]
      case .burst: ["Xmp.GCamera.BurstID"]
      case .time: ["Xmp.exif.DateTimeOriginal", "Xmp.photoshop.DateCreated", "Xmp.xmp.CreateDate"]
      }
    }
  }

  var texts: [Key: String] = [:]

  func text(_ key: Key) -> String? { texts[key] }

  /// "1/60", "0.0167", or the first of "100, 200".
  func number(_ key: Key) -> Double? {
    guard let first = texts[key]?.split(separator: ",").first.flatMap({ trimmed(String($0)) }) else { return nil }
    let parts = first.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let top = parts.first.flatMap({ Double($0) }) else { return nil }
    guard parts.count == 2 else { return top.isFinite ? top : nil }
    guard let bottom = Double(parts[1]), bottom != 0 else { return nil }
    let value = top / bottom
    return value.isFinite ? value : nil
  }

  func flag(_ key: Key) -> Bool? {
    switch texts[key]?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// "2024-05-31T12:34:56.25+02:00" (ISO 8601; seconds, their fraction and the zone may be missing).
  var time: Double? {
    guard let text = texts[.time], let start = text.firstIndex(of: "T") else { return nil }
    let clock = text[text.index(after: start)...]
    let zone = clock.firstIndex { $0 == "+" || $0 == "-" || $0 == "Z" }
    let seconds = clock[..<(zone ?? clock.endIndex)].split(separator: ".", maxSplits: 1)
    guard let whole = seconds.first else { return nil }
    let isShort = whole.split(separator: ":").count == 2
    return Metadata.time(
      text[..<start] + " " + whole + (isShort ? ":00" : ""), fraction: seconds.count == 2 ? String(seconds[1]) : nil,
      zone: zone.map { clock[$0] == "Z" ? "+00:00" : String(clock[$0...]) })
  }
}

/// Finds the XMP packet of a picture, in the file or beside it.
enum XMPReader {
  /// The files that may hold a picture's XMP, in the order in which they count.
  static func sources(of path: String) -> [String] {
    var sources = [path, path + ".xmp", path + ".XMP"]
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex {
      let stem = path.dropLast(name.distance(from: dot, to: name.endIndex))
      sources += [stem + ".xmp", stem + ".XMP"]
    }
    return sources.filter { access($0, R_OK) == 0 }
  }

  /// The values of a picture's or a sidecar's packet; nil where there is none or it is no XMP.
  static func read(_ path: String) -> XMPValues? {
    // Refuses pipes and devices, which exiv2 would wait for.
    guard (try? FileBytes(path)) != nil, ExifReader.isReady else { return nil }
    return ExifReader.mapping { readWithExiv2(path) }
  }

  private static func readWithExiv2(_ path: String) -> XMPValues? {
    guard let metadata = gexiv2_metadata_new() else { return nil }
    defer { g_object_unref(metadata) }
    guard let isOpen = ExifReader.withoutError({ gexiv2_metadata_open_path(metadata, path, $0) }), isOpen != 0,
      gexiv2_metadata_has_xmp(metadata) != 0
    else { return nil }
    var values = XMPValues()
    for key in XMPValues.Key.allCases {
      for property in key.properties where values.texts[key] == nil {
        guard
          let text = ExifReader.withoutError({ gexiv2_metadata_try_get_tag_string(metadata, property, $0) }) ?? nil
        else { continue }
        values.texts[key] = trimmed(String(cString: text))
        g_free(text)
      }
    }
    return values.texts.isEmpty ? nil : values
  }
}
