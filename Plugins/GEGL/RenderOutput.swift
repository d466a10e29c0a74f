import ColorScience
import ConstantColor
import GEGL
import GEGLOperation
import Glibc
import Raster

/// Exposes the D65 picture and brings it into the output space.
struct RenderOutput: Composer3 {
  static let name = "constant-color:render-output"
  static let words = Words(
    title: "Render Output",
    description:
      "The D65 picture (input) as a file shows it: one gain, a gentle end for highlights, and colours outside the "
      + "output space brought in at their hue and lightness. With automatic exposure the trusted area is metered (aux). The "
      + "result is as transparent as another picture (aux2) where there is one.",
    aux: ("Confidence", "How much each pixel weighs in automatic exposure"),
    aux2: ("Transparency", "A picture whose transparency the result takes (optional)")
  ).inGIMPFilters

  let rendering = RenderProperties()
  @Found("found-gain", "The gain that was used, in stops")
  var foundGain: Double

  var reach: Reach { rendering.exposure == .auto ? .whole : .margin(0) }

  mutating func prepare(_ preparation: inout Preparation) {
    // The kernel takes sRGB primaries, whatever the input is tagged with.
    preparation.inputSpace = ColorSpace(named: "sRGB")
    preparation.output = rendering.space.colorSpace.flatMap { try? PixelFormat("RGBA float", space: $0) }
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let picture = inputs.input else { return }
    var gain = exp2(rendering.exposureGain)
    if rendering.exposure == .auto {
      gain *= Metering.gain(
        of: reduced(picture, clipping: .counted, execution: run.execution).image,
        confidence: inputs.aux.map {
          reduced($0, over: picture.bounds, clipping: .counted, execution: run.execution).image
        })
    }
    foundGain = log2(gain)
    let outputRendering = OutputRendering(gain: gain, space: rendering.space.rgbSpace)
    run.bands(area, to: output) { band, pixels in
      picture.read(band, into: pixels)
      outputRendering.process(pixels.readable, into: pixels)
      if let shape = inputs.aux2 { pixels.take(transparencyOf: shape.image(band).pixels) }
    }
  }
}

/// How a picture becomes a result.
struct RenderProperties: PropertyGroup {
  @Property("exposure", "How the gain is found", .auto)
  var exposure: ExposureChoice
  @Property("exposure-gain", "Gain in stops, on top of what exposure gives", 0, in: -20...20, ui: -4...4, digits: 2)
  var exposureGain: Double
  @Property("space", "The colour space of the result", .p3)
  var space: SpaceChoice
}

/// How the gain of the result is found.
enum ExposureChoice: String, PropertyChoice {
  case auto, fixed

  static let typeName = "ConstantColorExposureChoice"

  var label: String {
    switch self {
    case .auto: "Metered in the trusted area"
    case .fixed: "Fixed, so that a series is comparable"
    }
  }
}

/// The colour spaces of results.
enum SpaceChoice: String, PropertyChoice {
  case p3, srgb, rec2020, prophoto
  case linearSRGB = "linear-srgb"

  static let typeName = "ConstantColorSpaceChoice"

  var label: String { rgbSpace.name }

  /// The space as numbers.
  var rgbSpace: RGBSpace {
    switch self {
    case .p3: .displayP3
    case .srgb: .sRGB
    case .rec2020: .rec2020
    case .prophoto: .proPhoto
    case .linearSRGB: .linearSRGB
    }
  }

  /// The space as GEGL knows it; first asked for when something is rendered, since babl must be running.
  var colorSpace: ColorSpace? { Self.colorSpaces[self] }

  /// Made once: babl keeps every space for ever, and has room for a hundred.
  private static let colorSpaces = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { choice in choice.makeColorSpace().map { (choice, $0) } })

  private func makeColorSpace() -> ColorSpace? {
    if self == .srgb { return ColorSpace(named: "sRGB") }
    // babl takes curves only by name or from a profile. The space itself is made from its chromaticities: of a profile
    // babl keeps those adapted to D50, which GEGL's savers then write into files as if they were not.
    let space = rgbSpace
    func point(_ chromaticity: Chromaticity) -> (x: Double, y: Double) { (chromaticity.x, chromaticity.y) }
    return ColorSpace(
      name: space.name, white: point(space.white), red: point(space.red), green: point(space.green),
      blue: point(space.blue), curve: ColorSpace(icc: space.iccProfile)?.curve)
  }
}

extension MutablePixels {
  /// Makes these pixels as transparent as others, as many; alpha that is no number counts as 1.
  func take(transparencyOf shape: [Pixel]) {
    for index in 0..<Swift.min(count, shape.count) {
      let alpha = shape[index].w
      self[index].w = alpha.isNaN ? 1 : Swift.min(Swift.max(alpha, 0), 1)
    }
  }
}
