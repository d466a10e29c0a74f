import ColorScience
import JSONValue
import Photo

/// The file of a pair's truth.
extension PairTruth {
  private static let sides = 1e7

  /// Reads a file. Throws `PhotoError`.
  public init(reading path: String) throws {
    let reader = try TruthReader(path)
    let size = try reader.size()
    guard let rows = reader.json["H_flash_to_ambient"].elements, rows.count == 3 else {
      throw reader.wrong("H_flash_to_ambient", "3 × 3 numbers")
    }
    let matrix = rows.flatMap { $0.doubles ?? [] }
    guard matrix.count == 9, matrix.allSatisfy({ abs($0) < Self.sides }), matrix[8] != 0 else {
      throw reader.wrong("H_flash_to_ambient", "3 × 3 numbers")
    }
    let ambient = try reader.inside("ambient").map { try Light($0, lux: nil) }.flatMap { $0.lux > 0 ? $0 : nil }
    let second = try reader.inside("ambient")?.inside("second").map { try Light($0, lux: ambient?.lux ?? 0) }
    guard let flash = reader.inside("flash") else { throw reader.wrong("flash", "a light") }
    let depth = reader.optionalNumber("shadow_depth")
    self.init(
      id: try reader.name("id"), width: size.width, height: size.height, homography: matrix,
      shake: try reader.text("shake"),
      orientation: reader.json["orientation"] == .null ? 1 : try reader.integer("orientation", in: 1...8),
      exposureRatio: try reader.number("exposure_ratio_flash_over_ambient", in: 1e-9...1e9), ambient: ambient,
      secondAmbient: second, flash: try Light(flash, lux: nil),
      shadowDepth: depth.flatMap { $0 > 0 && $0 <= 1 ? $0 : nil }, scene: try reader.name("scene"),
      mask: try reader.name("mask"), black: try reader.integer("black", in: 0...65535),
      white: try reader.integer("white", in: 1...65535), patches: try reader.list("patches").map { try Patch($0) })
    let corners = reader.json["page"].elements?.compactMap(\.doubles) ?? []
    page = corners.count == 4 && corners.allSatisfy { $0.count == 2 } ? corners.map { SIMD2($0[0], $0[1]) } : nil
    let shots = reader.inside("exif")
    flashShot = try shots?.inside("flash").map { try Shot($0) }
    ambientShot = try shots?.inside("ambient").map { try Shot($0) }
  }

  /// Writes the file. Throws `PhotoError`.
  public func write(to path: String) throws { try json.write(to: path) }

  /// The file's contents.
  public var json: JSON {
    let rows = stride(from: 0, to: homography.count - 2, by: 3).map { JSON(Array(homography[$0..<$0 + 3])) }
    return [
      "id": .string(id), "size": .array([.integer(width), .integer(height)]), "H_flash_to_ambient": .array(rows),
      "shake": .string(shake),
      "coordinates": "pixel centres at integers, x right, y down, unrotated raw frame",
      "orientation": .integer(orientation), "exposure_ratio_flash_over_ambient": .number(exposureRatio),
      "ambient": ambient.map { $0.json(second: .some(secondAmbient)) } ?? .null, "flash": flash.json(second: nil),
      "shadow_depth": JSON(shadowDepth), "scene": .string(scene), "mask": .string(mask),
      "mask_bits": .object(Region.names.map { JSON.Member($0.name, .integer(Int($0.region.rawValue))) }),
      "exif": ["flash": flashShot?.json ?? .null, "ambient": ambientShot?.json ?? .null],
      "black": .integer(black), "white": .integer(white), "patches": .array(patches.map(\.json)),
      "page": page.map { corners in .array(corners.map { JSON([$0.x, $0.y]) }) } ?? .null,
    ]
  }
}

extension PairTruth.Light {
  /// - Parameter lux: the illuminance where the file gives none; nil where it must.
  fileprivate init(_ reader: TruthReader, lux: Double?) throws {
    let xy = try reader.vector("xy", count: 2)
    self.init(
      lux: lux != nil && reader.json["lux"] == .null ? lux ?? 0 : try reader.number("lux", in: 0...1e7),
      spectrum: try reader.text("spec"), x: xy[0], y: xy[1], cct: reader.optionalNumber("cct"),
      duv: reader.optionalNumber("duv"))
  }

  /// The light as a set's files have it.
  ///
  /// - Parameter second: what stands under "second": nothing, null, or a light.
  fileprivate func json(second: PairTruth.Light??) -> JSON {
    var members = [
      JSON.Member("lux", .number(lux)), JSON.Member("spec", .string(spectrum)), JSON.Member("xy", JSON([x, y])),
      JSON.Member("cct", JSON(cct)), JSON.Member("duv", JSON(duv)),
    ]
    if let second { members.append(JSON.Member("second", second?.json(second: nil) ?? .null)) }
    return .object(members)
  }
}

extension PairTruth.Shot {
  fileprivate init(_ reader: TruthReader) throws {
    func color(_ name: String) throws -> SIMD3<Double> {
      let values = try reader.vector(name, count: 3)
      return SIMD3(values[0], values[1], values[2])
    }
    self.init(
      exposureTime: try reader.number("exposure_time", in: 1e-9...1e6), iso: try reader.number("iso", in: 1e-3...1e9),
      fNumber: try reader.number("fnumber", in: 0.1...1000), asShotNeutral: try color("as_shot_neutral"),
      white: try color("white_camera_rgb"))
  }

  fileprivate var json: JSON {
    func numbers(_ vector: SIMD3<Double>) -> JSON { JSON([vector.x, vector.y, vector.z]) }
    return [
      "exposure_time": .number(exposureTime), "iso": .number(iso), "fnumber": .number(fNumber),
      "as_shot_neutral": numbers(asShotNeutral), "white_camera_rgb": numbers(white), "true_gain_error": .number(0),
    ]
  }
}

extension PairTruth.Patch {
  private static let mostCorners = 64

  fileprivate init(_ reader: TruthReader) throws {
    guard let kind = Kind(rawValue: try reader.text("kind")) else {
      throw reader.wrong("kind", "one of colorchecker, skin, far and object")
    }
    let corners = reader.json["polygon"].elements?.compactMap(\.doubles) ?? []
    guard (3...Self.mostCorners).contains(corners.count),
      corners.allSatisfy({ $0.count == 2 && abs($0[0]) < 1e6 && abs($0[1]) < 1e6 })
    else { throw reader.wrong("polygon", "a list of corners") }
    let xyz = try reader.vector("XYZ", count: 3)
    self.init(
      name: try reader.text("name"), kind: kind, centre: try reader.point("centre"),
      polygon: corners.map { SIMD2($0[0], $0[1]) }, falloff: try reader.number("falloff", in: 0...1e6),
      xyz: XYZ(xyz[0], xyz[1], xyz[2]))
  }

  fileprivate var json: JSON {
    let lit = XYZ(falloff * xyz.vector)
    func numbers(_ vector: SIMD3<Double>) -> JSON { JSON([vector.x, vector.y, vector.z]) }
    return [
      "name": .string(name), "kind": .string(kind.rawValue), "centre": JSON([centre.x, centre.y]),
      "polygon": .array(polygon.map { JSON([$0.x, $0.y]) }), "falloff": .number(falloff), "XYZ": numbers(xyz.vector),
      "XYZ_falloff": numbers(lit.vector), "Lab": numbers(Lab(xyz).vector), "Lab_falloff": numbers(Lab(lit).vector),
    ]
  }
}
