import TextOutput

/// What a figure means, in plain words.
struct Definition {
  var term, unit, text: String
  /// Where the measure is defined.
  var source = ""

  /// All figures, in the order in which they stand on the page.
  static func all(tolerance: Double) -> [Definition] {
    [
      Definition(
        term: "variance under change of light", unit: "ΔE*ab²",
        text: "For each patch of chart and skin, how far its colour scatters in CIELAB when only the room's "
          + "light changes: the sum of the variances of L*, a* and b* over all pairs; then the mean over the "
          + "patches. Each picture is first scaled by one number so that its neutral patches have their true "
          + "luminance. A picture that is constant but wrong has a variance of 0, so it is to be read beside "
          + "the colour error. \"a*, b* only\" leaves out L*; \"unscaled\" leaves out that scale.",
        source: "CIELAB: CIE 15:2018, D65, 2° observer."),
      Definition(
        term: "reduction", unit: "%",
        text: "What part of another picture's variance the result does not have. Apple names 87 % for Constant "
          + "Color, for 10 to 800 lux and 3000 to 7500 K with green and magenta shifts."),
      Definition(
        term: "standard ambient picture, flash picture", unit: "",
        text: "The frame without and the frame with flash, each with the white balance that the camera chose, "
          + "through the camera's own matrices: what a camera shows without this program."),
      Definition(
        term: "colour error", unit: "ΔE00",
        text: "CIEDE2000 between what the picture shows and the truth under D65, after scaling it to the "
          + "truth's luminance: it speaks of colour, not of brightness. About 1 is just visible side by side.",
        source: "CIE 142:2001."),
      Definition(
        term: "colour error with lightness", unit: "ΔE00",
        text: "The same after only one scale per picture, so that errors of lightness count."),
      Definition(
        term: "95 %", unit: "as its figure", text: "The value that 95 of 100 patches, or pairs, do not exceed."),
      Definition(
        term: "well lit", unit: "ΔE00",
        text: "The mean colour error of all pixels (3 × 3 means) that the flash lit well, on any surface."),
      Definition(
        term: "right", unit: "%", text: "The share of pixels whose colour error is \(short(tolerance)) ΔE00 or less."),
      Definition(
        term: "confidence", unit: "0 to 1",
        text: "The probability, told with each pixel, that it is right. Where it tells the truth, of all pixels "
          + "with a confidence of 0.8, 80 % are right."),
      Definition(
        term: "too sure", unit: "percentage points",
        text: "Mean confidence minus the share of right pixels; below 0 the confidence is too modest. Parts of the "
          + "picture are: clipped in the flash frame or a reflection of the flash; far, where the flash hardly reaches; well lit "
          + "by the flash; in a shadow of the flash; well lit, in a shadow of the room's light; moving between the frames."
      ),
      Definition(
        term: "reliability gap", unit: "0 to 1",
        text: "The largest distance between mean confidence and share of right pixels in ten equal bins of "
          + "confidence, of bins with 1000 pixels and more; 0 is perfect.",
        source: "Reliability diagram: A. H. Murphy, R. L. Winkler, Applied Statistics 26 (1977)."),
      Definition(
        term: "Brier skill", unit: "up to 1",
        text: "How much smaller the mean square of (confidence − right) is than for somebody who tells the "
          + "overall share everywhere: 1 is perfect, 0 no gain.",
        source: "G. W. Brier, Monthly Weather Review 78 (1950)."),
      Definition(
        term: "AUC", unit: "0 to 1",
        text: "The probability that a right pixel has a higher confidence than a wrong one: 0.5 is chance, 1 "
          + "perfect.",
        source: "T. Fawcett, Pattern Recognition Letters 27 (2006)."),
      Definition(
        term: "alignment", unit: "pixels",
        text: "How far the found geometry lies from the true one: root mean square over the frame, and at its "
          + "worst corner."),
      Definition(
        term: "ambient shadow left", unit: "%",
        text: "What is left of the step that the edge of a shadow of the room's light makes: 0 % is gone, 100 % "
          + "all of it."),
      Definition(
        term: "wild colours far away", unit: "%",
        text: "In the far background, where the flash hardly reaches, the share of pixels that show colours that are "
          + "not there."),
      Definition(
        term: "exposure ratio, error", unit: "%",
        text: "How far the found ratio of the two exposures lies from the true one."),
      Definition(
        term: "Duv", unit: "CIE 1960 uv",
        text: "How far a light lies from the Planckian locus: above 0 greenish, below 0 pinkish.",
        source: "ANSI C78.377."),
    ]
  }
}
