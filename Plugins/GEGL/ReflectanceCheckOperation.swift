import ConstantColor
import GEGL
import GEGLOperation
import Raster

/// Takes the confidence from what cannot be a reflecting surface.
struct ReflectanceCheckOperation: Composer {
  static let name = "constant-color:reflectance-check"
  static let words = Words(
    title: "Reflectance Check",
    description:
      "The confidence (input), 0 where the picture under D65 (aux) is lighter than any surface of its colour that only "
      + "reflects: fluorescent and optically brightened surfaces, reflections of the flash. Their colour cannot be measured. "
      + "It needs to know how light white is in the picture.",
    aux: ("Picture under D65", "What 'adapt-to-d65' gives: linear, before any gain")
  ).inGIMPFilters

  @Property(
    "white", "The luminance of a white surface in the picture, where a swatch tells it; 0: nothing is checked", 0,
    in: 0...1e6, ui: 0...1)
  var white: Double

  var reach: Reach { .margin(ReflectanceCheck.reach) }

  mutating func prepare(_ preparation: inout Preparation) {
    // The limits are told for sRGB primaries.
    preparation.inputSpace = ColorSpace(named: "sRGB")
    preparation.output = try? PixelFormat("Y float", space: preparation.space)
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let confidence = inputs.input else {
      output.clear(area)
      return
    }
    let check = white > 0 ? ReflectanceCheck(white: white) : nil
    run.sampleBands(area, to: output) { band, values in
      let map = confidence.image(band)
      for index in 0..<min(values.count, band.count) { values[index] = map.pixels[index].x }
      guard let check, let picture = inputs.aux else { return }
      func apply(_ picture: some PixelSource) {
        for (index, isBeyond) in check.map(band, of: picture).enumerated() where isBeyond { values[index] = 0 }
      }
      apply(picture)
    }
  }
}
