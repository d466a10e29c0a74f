import ColorScience
import ConstantColor
import Glibc
import Raster
import TextOutput

/// The flat field of a camera and its flash, measured on a pair of photographs of a white sheet that fills the frame.
public struct FlatFieldMeasurement: Sendable {
  /// What was measured.
  public let flatField: FlatField
  /// The spread of the sheet's luminance over the frame (``Uniformity/spread(_:)``) as it is, and divided by the flat field.
  public let uniformity: (before: Double, after: Double)
  /// How the sheet looks in the flash's light at the middle of the frame, in the pictures' numbers.
  public let sheet: SIMD3<Double>

  /// Measures a sheet.
  ///
  /// - Parameters:
  ///   - light: the flash's light alone: the difference of the frames.
  ///   - flash, ambient: the frames as they were taken, of which 1 is clipped.
  ///   - roomLight: the ambient frame in the flash frame's exposure.
  ///   - orientation: how the stored frames are turned to be upright.
  ///   - transform: from the pictures' numbers to XYZ under D65, for the sheet's colour.
  /// - Throws: ``FlatFieldError`` where the sheet is none.
  public init(
    light: some PixelSource, flash: some PixelSource, ambient: some PixelSource, roomLight: some PixelSource,
    orientation: Orientation, transform: CalibratedTransform, execution: Execution = .serial
  ) throws(FlatFieldError) {
    let clipped = ClippedFraction.measure(flash: flash, ambient: ambient, execution: execution)
    guard clipped <= Self.mostClipped else { throw .clipped(clipped) }
    let cells = reduced(light, toAtMost: Self.cells, clipping: .counted, execution: execution)
    let room = reduced(roomLight, over: light.bounds, toAtMost: Self.cells, clipping: .counted, execution: execution)
    let (columns, rows) = (cells.image.bounds.width, cells.image.bounds.height)
    guard columns >= 16, rows >= 16, room.image.pixels.count == columns * rows else { throw .tooSmall }

    let colours = cells.image.pixels.map { SIMD3<Double>($0.rgb) }
    let levels = colours.map { $0.max() }.sorted()
    let median = levels[levels.count / 2]
    guard median >= Self.leastLight else { throw .dark(max(median, 0)) }
    let rooms = room.image.pixels.map { Double($0.rgb.max()) }.sorted()
    guard rooms[rooms.count / 2] <= median else { throw .bright(rooms[rooms.count / 2] / median) }
    guard colours.allSatisfy({ $0.min() > 0.001 * median }) else { throw .uneven(1) }

    let box = light.bounds
    let places = colours.indices.map { index in
      let corner = SIMD2(Double(index % columns), Double(index / columns)) * Double(cells.factor)
      // The middle of the cell; the last ones may be cut.
      let end = SIMD2(
        min(corner.x + Double(cells.factor), Double(box.width)),
        min(corner.y + Double(cells.factor), Double(box.height)))
      return FlatField.place(
        ofUpright: (corner + end - SIMD2(1, 1)) / 2, width: box.width, height: box.height, orientation: orientation)
    }
    let surfaces = try Self.surfaces(colours, places)
    let longest = Double(max(box.width, box.height))
    let upright = SIMD2(Double(box.width), Double(box.height)) / longest
    let extent = orientation.swapsSides ? SIMD2(upright.y, upright.x) : upright
    guard
      let field = FlatField(coefficients: surfaces.map { Array($0.coefficients.dropFirst()) }, extent: extent)
    else { throw .steep }
    flatField = field
    sheet = SIMD3(exp(surfaces[0](.zero)), exp(surfaces[1](.zero)), exp(surfaces[2](.zero)))
    let seen = transform(sheet)
    let color = Lab(XYZ(seen / max(seen.y, 1e-9)))
    guard color.chroma <= Self.mostChroma else { throw .colored(color.chroma) }

    func luminance(_ rgb: SIMD3<Double>) -> Double { transform(rgb).y }
    guard let before = Uniformity.spread(colours.map(luminance)),
      let after = Uniformity.spread(zip(colours, places).map { luminance($0 / field.light(at: $1)) })
    else { throw .uneven(1) }
    guard after <= Self.mostUneven else { throw .uneven(after) }
    uniformity = (before, after)
  }

  /// The logarithms of the light, channel by channel.
  private static func surfaces(
    _ colours: [SIMD3<Double>], _ places: [SIMD2<Double>]
  ) throws(FlatFieldError) -> [SmoothSurface] {
    var surfaces: [SmoothSurface] = []
    for channel in 0..<3 {
      let samples = zip(colours, places).map { SmoothSurface.Sample(place: $1, value: log($0[channel])) }
      guard let start = SmoothSurface.upper(samples, degree: 2, quantile: 0.5),
        let surface = start.refined(samples, degree: FlatField.degree, within: 0.3, pull: 1e-3),
        surface.degree == FlatField.degree
      else { throw .uneven(1) }
      // What lies on the sheet, or beside it, is off by more than the sheet itself.
      let limit = max(0.04, 6 * surface.spread)
      let off = Double(samples.count { abs($0.value - surface($0.place)) > limit }) / Double(samples.count)
      guard off <= Self.mostOff else { throw .covered(off) }
      surfaces.append(surface)
    }
    return surfaces
  }

  /// How many cells the frame is looked at in.
  private static let cells = 4000
  /// A clipped pixel in a thousand is a hot pixel; more are a hot spot.
  private static let mostClipped = 0.001
  /// The least light of the flash, of the sensor's range.
  private static let leastLight = 0.03
  /// A sheet with more chroma, at L* = 100, is coloured paper. Brightened paper has up to about 12.
  private static let mostChroma = 15.0
  /// A sheet that is less even after the division is no sheet.
  private static let mostUneven = 0.03
  /// The part of the frame that may be something else.
  private static let mostOff = 0.01
}

/// Why a pair of photographs gives no flat field; the description is one line for people, without the files' names.
public enum FlatFieldError: Error, Equatable, CustomStringConvertible {
  /// The part of the pixels that are clipped.
  case clipped(Double)
  /// The light of the flash, of the sensor's range.
  case dark(Double)
  /// The room's light by the flash's.
  case bright(Double)
  /// The spread that is left.
  case uneven(Double)
  /// The part of the frame that is something else than the sheet.
  case covered(Double)
  /// The chroma of the sheet.
  case colored(Double)
  /// The light falls too far.
  case steep
  /// The frame has too few pixels.
  case tooSmall

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .clipped(let part):
      "\(percent(part)) of the sheet is overexposed; photograph it with less exposure, or from farther away"
    case .dark(let light):
      "the flash gives the sheet only \(percent(light)) of the sensor's range; expose more, or go nearer"
    case .bright(let ratio):
      "the room's light on the sheet is \((ratio * 10).rounded() / 10) times the flash's; darken the room"
    case .uneven: "this is no evenly white sheet; photograph one that fills the frame, flat and without print or folds"
    case .covered(let part):
      "\(percent(part)) of the frame is no white sheet, or in shadow; let the sheet fill the frame, with nothing on it"
    case .colored(let chroma):
      "the sheet is coloured (chroma \((chroma * 10).rounded() / 10)); take a white or grey one"
    case .steep: "the light falls too far over the frame; photograph the sheet from straight before it"
    case .tooSmall: "the frame is too small for a flat field; use the camera's full size"
    }
  }
}
