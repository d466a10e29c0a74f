import ColorScience
import Development
import JSONValue
import Photo

/// What became of one product.
struct ProductResult {
  /// What is to be done with it; the worst last.
  enum Verdict: String, CaseIterable, Comparable {
    /// It can be sold by this picture.
    case pass
    /// A swatch is off by more than allowed.
    case outOfTolerance = "out-of-tolerance"
    /// It should be photographed again.
    case retake
    /// No photograph tells its colour.
    case notMeasurable = "not-measurable"
    /// There is no picture.
    case failed

    static func < (one: Verdict, other: Verdict) -> Bool {
      (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
  }

  /// A swatch; of one that is not trusted only what it should be.
  struct Swatch {
    var name: String
    var reference: Lab
    var color: Lab?
    /// ΔE00, and the standard error of the measured colour in the same.
    var difference, uncertainty: Double?
  }

  let pair: PhotoPair
  private(set) var verdict = Verdict.pass
  private(set) var reasons: [String] = []
  var hasFiles = false
  /// Mean confidence of the product, and of the picture, weighted towards its middle.
  var confidence, centerWeightedConfidence: Double?
  /// In stops.
  var gain: Double?
  /// The relative standard error of the card's light.
  var lightError: Double?
  var swatches: [Swatch] = []
  /// The part of the picture that is background.
  var background: Double?
  var uniformity: FlatFieldUniformity?
  /// The part of the product that is lighter than what reflects; nil where no white is known.
  var unmeasurable: Double?
  var findings: [String] = []

  init(_ pair: PhotoPair) { self.pair = pair }

  /// A pair that gave no picture.
  init(failed pair: PhotoPair, message: String) {
    self.init(pair)
    fail(.failed, message)
  }

  /// Notes what is wrong; the worst verdict counts.
  mutating func fail(_ verdict: Verdict, _ reason: String) {
    self.verdict = max(self.verdict, verdict)
    reasons.append(reason)
  }

  /// The largest ΔE00 of the swatches.
  var difference: Double? { swatches.compactMap(\.difference).max() }

  var json: JSON {
    func lab(_ color: Lab?) -> JSON { JSON(color.map { [$0.lightness, $0.a, $0.b] }) }
    return .object([
      "verdict": .string(verdict.rawValue), "reasons": .array(reasons.map { .string($0) }),
      "confidence": JSON(confidence), "gain": JSON(gain), "lightUncertainty": JSON(lightError),
      "swatches": .array(
        swatches.map {
          .object([
            "name": .string($0.name), "reference": lab($0.reference), "lab": lab($0.color),
            "difference": JSON($0.difference), "uncertainty": JSON($0.uncertainty),
          ])
        }),
      "backgroundFraction": JSON(background), "unmeasurableFraction": JSON(unmeasurable),
      "uniformity": uniformity.map { .object(["before": JSON($0.before), "after": JSON($0.after)]) } ?? .null,
    ])
  }
}
