import Calibration
import ConstantColor
import GEGL
import GEGLOperation
import JSONValue
import Photo
import Raster

/// How even a surface is that should be, as ``Uniformity/spread(_:)`` of its luminance.
public struct FlatFieldUniformity: Equatable, Sendable {
  /// What surface that is, in a word for programs.
  public var of: String
  /// Without and with the flat field; nil where that is not known.
  public var before, after: Double?

  /// A uniformity from its parts.
  public init(of: String, before: Double?, after: Double?) { (self.of, self.before, self.after) = (of, before, after) }
}

/// The flat field of the profile.
extension PairDevelopment {
  /// The flat field that the picture is divided by; nil where there is none, or it is not wanted.
  public var flatField: CalibrationProfile.MeasuredFlatField? { settings.usesFlatField ? profile?.flatField : nil }

  /// Runs `body` while the picture is not divided by the flat field.
  public func withoutFlatField<Result>(_ body: () throws -> Result) throws -> Result {
    try steps.flatField.set("flat-field", false)
    defer { try? steps.flatField.set("flat-field", .bool(settings.usesFlatField)) }
    return try body()
  }

  /// Measures how even the luminance of some places is; nothing where there is no flat field.
  public func measureUniformity(of name: String, in boxes: [Rectangle]) throws {
    guard flatField != nil else { return }
    func spread() throws -> Double? {
      let source = try NodeSource(steps.adapt, format: PixelFormat("RGBA float", space: steps.adapt.outputSpace))
      return Uniformity.spread(
        boxes.flatMap { box in
          reduced(source, over: box, toAtMost: 256, clipping: .counted, execution: Run.execution).image.pixels.map {
            0.2126 * Double($0.x) + 0.7152 * Double($0.y) + 0.0722 * Double($0.z)
          }
        })
    }
    let before = try withoutFlatField(spread)
    uniformity = FlatFieldUniformity(of: name, before: before, after: try spread())
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
  }

  /// What the user should know of it.
  var flatFieldNotes: [String] {
    guard let measured = flatField else { return [] }
    var notes: [String] = []
    let path = flash.file.path
    if let ours = flash.metadata.focalLength, let theirs = measured.focalLength, abs(ours / theirs - 1) > 0.05 {
      notes.append(
        "\(path): was taken at \(short(ours)) mm, the profile's white sheet at \(short(theirs)) mm, where light falls off "
          + "otherwise; measure the flat field at this focal length, too")
    }
    let extent = measured.field.extent
    let shape = Double(min(flash.width, flash.height)) / Double(max(flash.width, flash.height, 1))
    if abs(shape / extent.min() - 1) > 0.02 {
      notes.append(
        "\(path): has other proportions than the profile's white sheet; the flat field fits only where the longer sides see "
          + "the same")
    }
    return notes
  }

  private func short(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

  /// What the report says of it: null where there is none.
  var flatFieldJSON: JSON {
    guard let measured = flatField else { return .null }
    let (field, extent) = (measured.field, measured.field.extent)
    var light: [Double] = []
    for y in -4...4 {
      for x in -4...4 { light.append(field.light(at: SIMD2(Double(x), Double(y)) / 4 * extent).y) }
    }
    return .object([
      "leastLight": JSON(light.min()), "greatestLight": JSON(light.max()),
      "uniformity": uniformity.map {
        .object(["of": .string($0.of), "before": JSON($0.before), "after": JSON($0.after)])
      } ?? .null,
    ])
  }
}
