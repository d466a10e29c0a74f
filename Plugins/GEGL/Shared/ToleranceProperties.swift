import GEGLOperation

/// What the confidence is asked, and told.
struct ToleranceProperties: PropertyGroup {
  @Property(
    "tolerance", "The colour error (CIEDE2000) up to which a colour counts as right", 3, in: 0.1...50, ui: 0.5...10,
    digits: 1)
  var tolerance: Double
  @Property(
    "calibration-error",
    "The mean colour error (CIEDE2000) of the way to D65; 0: what the profile says of itself; without one 4 for RAW files, 3 for pictures",
    0, in: 0...50, ui: 0...10, digits: 1)
  var calibrationError: Double
}
