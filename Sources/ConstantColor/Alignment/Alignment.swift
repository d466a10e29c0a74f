import Raster

/// What the caller asks registration for.
public enum AlignmentChoice: String, CaseIterable, Sendable {
  /// The simplest model the pair gives evidence for.
  case auto
  /// No registration: the frames are taken as they lie.
  case none
  /// A shift at most.
  case translation
  /// A homography, where it is not worse than simpler models.
  case homography
  /// The simplest model the pair gives evidence for, with local refinement where that measurably helps.
  case mesh
}

/// The family of maps that registration settled on, from the simplest to the most general.
public enum AlignmentModel: String, CaseIterable, Comparable, Sendable {
  /// The frames already lie on each other, or nothing better could be shown.
  case identity
  /// A shift: two numbers.
  case translation
  /// Shift, rotation, scale: four numbers.
  case similarity
  /// A plane projective map: eight numbers.
  case homography
  /// A map of one of the kinds above, and a field of small shifts after it.
  case mesh

  private var rank: Int {
    switch self {
    case .identity: 0
    case .translation: 1
    case .similarity: 2
    case .homography: 3
    case .mesh: 4
    }
  }

  /// Whether `a` is the simpler model.
  public static func < (a: AlignmentModel, b: AlignmentModel) -> Bool { a.rank < b.rank }
}

/// How an ambient frame lies to its flash frame, and how far that can be trusted.
public struct Alignment: Equatable, Sendable {
  /// How the map came about.
  public enum Outcome: String, Sendable {
    /// The caller asked for no registration.
    case notAsked = "not-asked"
    /// The map was estimated and passed an independent check.
    case registered
    /// The pair has too little in common to register: too small, empty, or without structure. Identity.
    case noStructure = "no-structure"
    /// An estimate existed, but the independent check preferred a simpler map.
    case fellBack = "fell-back"
    /// The caller cancelled; the value is void.
    case cancelled
  }

  /// From the flash frame to the ambient frame.
  public var homography: Homography
  /// The family the map belongs to.
  public var model: AlignmentModel
  /// How far local structure disagrees with the map: root mean square over the frame, in pixels of the flash frame. NaN
  /// where it is unknown.
  public var residual: Double
  /// The part of the flash frame that the ambient frame covers, 0...1.
  public var overlap: Double
  /// Mean local correlation of structure under the map, 0...1; NaN where it is unknown.
  public var agreement: Double
  /// How the map came about.
  public var outcome: Outcome
  /// What depth asks for beyond the map; nil without local refinement.
  public var field: DisplacementField?
  /// How far each place disagrees with the map and the field; nil where it is unknown.
  public var localResiduals: ResidualMap?

  /// An alignment with these values.
  public init(
    homography: Homography, model: AlignmentModel, residual: Double, overlap: Double, agreement: Double,
    outcome: Outcome
  ) {
    self.homography = homography
    self.model = model
    self.residual = residual
    self.overlap = overlap
    self.agreement = agreement
    self.outcome = outcome
  }

  /// A transform that is given rather than found.
  public init(given homography: Homography, flash: Rectangle, ambient: Rectangle) {
    self.init(
      homography: homography, model: homography == .identity ? .identity : .homography, residual: .nan,
      overlap: Alignment.overlap(of: homography, flash: flash, ambient: ambient), agreement: .nan, outcome: .notAsked)
  }

  /// The frames as they lie.
  static func unmoved(_ outcome: Outcome, flash: Rectangle, ambient: Rectangle) -> Alignment {
    Alignment(
      homography: .identity, model: .identity, residual: .nan,
      overlap: Alignment.overlap(of: .identity, flash: flash, ambient: ambient), agreement: .nan, outcome: outcome)
  }

  /// The share of a 64 × 64 grid over the flash frame whose places lie within the ambient frame.
  static func overlap(of homography: Homography, flash: Rectangle, ambient: Rectangle) -> Double {
    guard !flash.isEmpty, !ambient.isEmpty else { return 0 }
    let steps = 64
    var inside = 0
    for row in 0..<steps {
      for column in 0..<steps {
        let x = Double(flash.x) - 0.5 + Double(flash.width) * (Double(column) + 0.5) / Double(steps)
        let y = Double(flash.y) - 0.5 + Double(flash.height) * (Double(row) + 0.5) / Double(steps)
        guard let place = homography.apply(to: SIMD2(x, y)) else { continue }
        let u = place.x - Double(ambient.x) + 0.5
        let v = place.y - Double(ambient.y) + 0.5
        if u >= 0, v >= 0, u <= Double(ambient.width), v <= Double(ambient.height) { inside += 1 }
      }
    }
    return Double(inside) / Double(steps * steps)
  }
}
