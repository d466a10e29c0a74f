import ColorScience
import ConstantColor

/// The transform from camera RGB in one flash's light to XYZ under D65, with what is known of its quality.
///
/// Candidates are a matrix and root polynomials. Each is fitted to the chart and, where the chart's reflectances are
/// known, to what the camera probably sees of other surfaces (``EffectiveSensitivity``): 24 patches alone let a flexible
/// fit run wild between them. A more flexible candidate is taken when patches that it was not fitted
/// to and other surfaces together say that it is better.
public struct Characterisation: Sendable {
  /// A patch as measured in the flash's light.
  public struct Patch: Sendable {
    /// Its index on the chart, 0 (dark skin) ... 23 (black).
    public var index: Int
    /// Camera RGB, signed.
    public var rgb: SIMD3<Double>
    /// The standard error of ``rgb``.
    public var standardError: SIMD3<Double>

    /// A patch from its parts.
    public init(index: Int, rgb: SIMD3<Double>, standardError: SIMD3<Double>) {
      self.index = index
      self.rgb = rgb
      self.standardError = standardError
    }
  }

  /// Statistics of colour errors (ΔE₀₀ at equal luminance).
  public struct Errors: Equatable, Sendable {
    /// Mean, 95th percentile and largest.
    public var mean, percentile95, worst: Double

    /// Statistics of several kinds of surfaces: the mean of their means, and the others of all together.
    init(ofKinds kinds: [[Double]]) {
      self.init(kinds.flatMap { $0 })
      mean = kinds.map { Errors($0).mean }.reduce(0, +) / Double(max(kinds.count, 1))
    }

    init(_ errors: [Double]) {
      let sorted = errors.sorted()
      mean = sorted.reduce(0, +) / Double(max(sorted.count, 1))
      worst = sorted.last ?? 0
      let place = 0.95 * Double(max(sorted.count - 1, 0))
      let index = Int(place)
      let next = min(index + 1, max(sorted.count - 1, 0))
      percentile95 =
        sorted.isEmpty ? 0 : sorted[index] + (place - Double(index)) * (sorted[next] - sorted[index])
    }
  }

  /// What one candidate reaches.
  public struct Candidate: Sendable {
    /// Its degree.
    public var degree: RootPolynomial.Degree
    /// On the patches it was fitted to, and on each patch when fitted to the others.
    public var chart, leaveOneOut: Errors
    /// On reflectances that are on no chart and that it was not fitted to; nil where the chart's spectra are unknown.
    public var outside: Errors?
    /// The leave-one-out error of each patch.
    public var patchErrors: [Double]
    /// All errors with their colours: those of left-out patches, and on other reflectances.
    public var errors: [ColorErrorMap.Sample]

    /// What candidates are compared by: patches and other surfaces count alike.
    var score: Double { leaveOneOut.mean + (outside?.mean ?? leaveOneOut.mean) }
  }

  /// The transform that was chosen.
  public let transform: CalibratedTransform
  /// All candidates, the simplest first.
  public let candidates: [Candidate]
  /// The one that was chosen.
  public let chosen: Candidate
  /// The light at each patch, 1 at the chart's centre.
  public let light: [Double]
  /// The patches that were used, and those that were not, with the reason.
  public let used: [Patch]
  /// See ``used``.
  public let rejected: [(index: Int, reason: String)]
  /// The relative error of the measurements beyond their own error bars that explains them best.
  public let unknownError: Double

  /// The errors to expect by colour.
  ///
  /// A transform that was fitted to all patches is nearer the truth than those that have left one out, and ordinary surfaces
  /// are tamer than the reflectances it was tried on: their errors are about half as large (as simulated cameras have
  /// it, see Scripts/calibrate-confidence).
  ///
  /// - Parameter more: an error that all colours have besides, in ΔE₀₀.
  public func colorErrors(adding more: Double = 0) -> ColorErrorMap {
    let ordinary = 0.5
    return ColorErrorMap(
      chosen.errors.map { ColorErrorMap.Sample(rgb: $0.rgb, error: ordinary * $0.error, weight: $0.weight) },
      adding: more)
  }

  /// The patch with the largest leave-one-out error.
  public var worstPatch: Int? {
    zip(used, chosen.patchErrors).max { $0.1 < $1.1 }?.0.index
  }

  /// Characterises a camera under a flash.
  ///
  /// - Parameters:
  ///   - patches: the patches that are fit for use; those in shadow are found here.
  ///   - reference: what they are.
  /// - Throws: ``CalibrationError`` where they do not suffice.
  public init(_ patches: [Patch], reference: ChartReference) throws(CalibrationError) {
    var patches = patches
    var rejected: [(index: Int, reason: String)] = []
    var light: [Double]
    // One after the other, since a shadow bends the surface that it is judged by.
    while true {
      guard patches.count >= Self.fewest else { throw .tooFewPatches(patches.count, rejected) }
      guard
        let falloff = FlashFalloff.estimate(
          patches.map { patch in
            FlashFalloff.Patch(
              place: SIMD2(Double(patch.index % 6) - 2.5, Double(patch.index / 6) - 1.5), rgb: patch.rgb,
              xyz: reference.xyz[patch.index].vector, uncertainty: patch.standardError.y / max(patch.rgb.y, 1e-9))
          })
      else { throw .noFit }
      light = falloff.light
      // An outlier is one among the others, too: where a tone curve scatters all of them, or sensitivities that are far
      // from XYZ (layered sensors, warm LEDs), none is in shadow.
      let spread = 1.4826 * falloff.deviations.map { abs($0) }.sorted()[patches.count / 2]
      let limits = patches.map { max(0.2, 5 * $0.standardError.y / max($0.rgb.y, 1e-9), 6 * spread) }
      let excess = zip(falloff.deviations, limits).map { abs($0) / $1 }
      guard let worst = excess.indices.max(by: { excess[$0] < excess[$1] }), excess[worst] > 1 else { break }
      let isDark = falloff.deviations[worst] < 0
      rejected.append(
        (patches[worst].index, isDark ? "lies in a shadow, or is not the patch it should be" : "carries a reflection"))
      patches.remove(at: worst)
    }
    self.light = light
    self.rejected = rejected
    used = patches

    let chart = zip(patches, light).map { patch, light in
      ChartMeasurement(
        rgb: patch.rgb / light, error: patch.standardError / light, xyz: reference.xyz[patch.index].vector,
        reflectance: reference.reflectances?[patch.index], isNeutral: patch.index >= 18)
    }
    guard let model = ChartModel(chart) else { throw .noFit }
    // Each patch is predicted from a model that has not seen it.
    let others = chart.indices.compactMap { index in
      ChartModel(Array(chart[..<index] + chart[(index + 1)...]), unknownError: model.unknownError)
    }
    guard others.count == chart.count else { throw .noFit }
    var candidates: [(Candidate, ChartFit)] = []
    // Without spectra nothing says what a third-degree fit does between the patches.
    for degree in model.others.isEmpty ? [.linear, .second] : RootPolynomial.Degree.allCases {
      guard let fit = model.fit(degree) else { continue }
      let errors = zip(chart, others).compactMap { patch, other in
        other.fit(degree).map { XYZ($0(patch.rgb)).colorError(to: XYZ(patch.xyz)) }
      }
      guard errors.count == chart.count else { continue }
      let outside = model.outsideErrors(degree)
      let samples = zip(chart, errors).map { patch, error in
        ColorErrorMap.Sample(rgb: patch.rgb / model.white, error: error)
      }
      let candidate = Candidate(
        degree: degree, chart: Errors(chart.map { XYZ(fit($0.rgb)).colorError(to: XYZ($0.xyz)) }),
        leaveOneOut: Errors(errors), outside: outside.map { Errors(ofKinds: $0.map { $0.map(\.error) }) },
        patchErrors: errors, errors: samples + (outside ?? []).flatMap { $0 })
      candidates.append((candidate, fit))
    }
    guard let linear = candidates.first?.1, let best = candidates.min(by: { $0.0.score < $1.0.score }) else {
      throw .noFit
    }
    unknownError = model.unknownError
    self.candidates = candidates.map(\.0)
    chosen = best.0
    transform = CalibratedTransform(
      matrix: linear.matrix, rootPolynomial: best.0.degree == .linear ? nil : best.1.polynomial, white: best.1.white,
      smallestRatio: best.1.smallestRatio)
    guard chosen.leaveOneOut.mean <= Self.largestError else { throw .badFit(chosen.leaveOneOut.mean) }
  }

  /// Fewer patches do not determine a transform and tell its quality.
  static let fewest = 12
  /// Beyond this mean leave-one-out error a profile is no better than none: what is assumed of developed pictures, and
  /// what camera matrices reach, is nearer. Ordinary cameras stay below 3 with a 3×3 matrix under any white light.
  static let largestError = 4.5
}

/// Why no profile was made; the description is one line for people.
public enum CalibrationError: Error, CustomStringConvertible {
  /// Too few patches can be used.
  case tooFewPatches(Int, [(index: Int, reason: String)])
  /// The equations have no solution.
  case noFit
  /// The colours do not fit the chart: the mean leave-one-out error.
  case badFit(Double)

  /// What is wrong and what to do.
  public var description: String {
    switch self {
    case .tooFewPatches(let count, let rejected):
      let list = rejected.prefix(3).map { "\(ChartReference.patchNames[$0.index]) \($0.reason)" }.joined(
        separator: "; ")
      return "only \(count) of the 24 patches can be used" + (list.isEmpty ? "" : " (\(list))")
        + "; photograph the chart again, evenly lit by the flash and not overexposed"
    case .noFit: return "the patches do not determine a colour transform; check the corners and the chart's edition"
    case .badFit(let error):
      return
        "the colours do not fit the chart (mean error \((error * 10).rounded() / 10) ΔE00): a profile would be no better than "
        + "none; check the corners, their order, the chart's edition, that nothing shines on it, and use RAW files"
    }
  }
}
