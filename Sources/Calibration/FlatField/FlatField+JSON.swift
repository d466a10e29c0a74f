import ConstantColor
import JSONValue

/// A flat field in a profile's file.
extension FlatField {
  /// What is read back: the logarithm of the light as polynomial of the place, x, y, x², xy, y² and so on, without constant.
  var members: [JSON.Member] {
    [
      JSON.Member("degree", .integer(Self.degree)),
      JSON.Member("extent", .numbers([extent.x, extent.y])),
      JSON.Member("coefficients", .array(coefficients.map { .numbers($0) })),
    ]
  }

  /// Reads one; nil where it is damaged.
  init?(_ json: JSON) {
    guard json["degree"].double == Double(Self.degree), let extent = json["extent"].doubles, extent.count == 2,
      let channels = json["coefficients"].elements?.compactMap(\.doubles)
    else { return nil }
    self.init(coefficients: channels, extent: SIMD2(extent[0], extent[1]))
  }
}

extension CalibrationProfile {
  /// A flat field, and under which conditions it was measured.
  public struct MeasuredFlatField: Sendable {
    /// The light at each place.
    public var field: FlatField
    /// Of the sheet's pair; nil where its files do not say.
    public var focalLength: Double?
    /// The spread of the sheet's luminance as it was, and divided by the field; nil where nobody knows.
    public var before, after: Double?

    /// A flat field from its parts.
    public init(field: FlatField, focalLength: Double?, before: Double?, after: Double?) {
      (self.field, self.focalLength, self.before, self.after) = (field, focalLength, before, after)
    }

    /// As it stands in a profile.
    public var json: JSON {
      .object(
        field.members + [
          JSON.Member("focalLength", JSON(focalLength)),
          JSON.Member("uniformity", ["before": JSON(before), "after": JSON(after)]),
        ])
    }

    /// Reads one; nil where it is damaged.
    init?(_ json: JSON) {
      guard let field = FlatField(json) else { return nil }
      self.init(
        field: field, focalLength: json["focalLength"].double, before: json["uniformity"]["before"].double,
        after: json["uniformity"]["after"].double)
    }
  }
}
