import ColorScience

/// What is known beside the pictures.
struct MeasurementConditions {
  /// What the way to D65 is wrong by in the mean, in ΔE₀₀; nil where nobody knows.
  var expectedError: Double?
  /// The relative standard error of the exposure ratio.
  var ratioUncertainty: Double
  /// What turns the pictures' luminance into reflectance, and how well that is known; or why there is none.
  var lightness: Result<LightnessScale, Unmeasured>
}

/// What turns the luminance of a place into reflectance.
struct LightnessScale {
  var factor: Double
  /// Relative standard uncertainties: of what differs between captures, and of what they share.
  var capture, common: Double
}

/// Why there is no number.
struct Unmeasured: Error { var reason: String }

/// The colour of a region.
struct RegionColor {
  let pixels, trusted: Int
  /// The mean confidence of all pixels.
  let confidence: Double
  /// The L* that a* and b* are told at.
  let atLightness: Double?
  let measurements: [Measurement]

  /// The L* at which a* and b* are told where the lightness is not known: they grow in proportion to L* + 16, so that
  /// a* at another one is a* · (L* + 16) / (``assumedLightness`` + 16).
  static let assumedLightness = 60.0
  /// Fewer trusted pixels, or a smaller part of the region, do not stand for it.
  static let fewestPixels = 64
  static let leastShare = 0.25

  init(_ samples: RegionSamples, _ conditions: MeasurementConditions) {
    (pixels, trusted, confidence) = (samples.pixels, samples.trusted, samples.confidence)
    let share = Double(trusted) / Double(max(pixels, 1))
    guard trusted >= Self.fewestPixels, share >= Self.leastShare else {
      let reason =
        pixels < Self.fewestPixels
        ? "the region is too small (\(pixels) pixels)"
        : "only \(trusted) of \(pixels) pixels (\(Int(100 * share)) %) are trusted"
      measurements = Quantity.allCases.map {
        Measurement($0, value: nil, capture: nil, common: nil, reason: reason)
      }
      atLightness = nil
      return
    }
    let scale = try? conditions.lightness.get()
    /// A colour in the units of reflectance, or at the assumed lightness.
    func lab(_ xyz: SIMD3<Double>) -> Lab {
      if let scale { return Lab(XYZ(scale.factor * xyz)) }
      let luminance = Lab(Self.assumedLightness, 0, 0).xyz().y
      return Lab(XYZ(luminance / max(xyz.y, 1e-9) * xyz))
    }
    let mean = samples.light
    let color = lab(mean)
    /// What a small change of the light does to the colour.
    func response(_ change: SIMD3<Double>) -> SIMD3<Double> {
      let step = 0.01
      return (lab(mean + step * change).vector - color.vector) / step
    }
    let ratio = conditions.ratioUncertainty * samples.room
    var capture = Covariance.ofMean(samples.deviations.map(response)) + Covariance.of(response(ratio))
    // The mean of the length of an error in a plane is √(π / 4) of its root mean square.
    let calibration = (conditions.expectedError ?? 0) * (conditions.expectedError ?? 0) * 4 / .pi
    var common = Covariance.chromatic(meanSquare: max(calibration, samples.squaredError), at: color)
    if let scale {
      let response = color.brightnessResponse
      capture = capture + scale.capture * scale.capture * Covariance.of(response)
      common = common + scale.common * scale.common * Covariance.of(response)
    }
    atLightness = color.lightness
    measurements = Quantity.allCases.map { quantity in
      if quantity.needsLightness, case .failure(let why) = conditions.lightness {
        return Measurement(quantity, value: nil, capture: nil, common: nil, reason: why.reason)
      }
      guard let value = quantity.value(of: color), let own = quantity.uncertainty(of: color, capture),
        let shared = quantity.uncertainty(of: color, common)
      else {
        let reason =
          quantity == .ita ? "ITA is defined for yellowish colours only (b* above 0)" : "the colour is not that of skin"
        return Measurement(quantity, value: nil, capture: nil, common: nil, reason: reason)
      }
      return Measurement(quantity, value: value, capture: own, common: shared, reason: nil)
    }
  }
}
