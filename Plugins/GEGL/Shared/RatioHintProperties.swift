import GEGLOperation

/// What is known of the exposure ratio beforehand.
struct RatioHintProperties: PropertyGroup {
  @Property(
    "exposure-ratio-hint", "What the camera's metadata say of the ratio: where the search begins; 0: unknown", 0,
    in: 0...1e6, ui: 0...16, gamma: 2, digits: 3)
  var ratio: Double
  @Property(
    "hint-uncertainty",
    "The relative standard error of exposure-ratio-hint: 0.05 where numbers are rounded to thirds of a stop", 0.05,
    in: 0.001...1, ui: 0.005...0.1, digits: 3)
  var uncertainty: Double
}
