import Development
import Photo
import Raster

/// What is to be recorded: a pair, and what is to be looked at in it.
public struct CaptureRequest: Sendable {
  /// The photographs.
  public var flash: String
  /// The same.
  public var ambients: [String]
  /// How they are developed; the threshold is that of pixels and pictures.
  public var settings: DevelopmentSettings
  /// Whose, and where; see ``RecordName``.
  public var subject, site: String
  /// When it was taken; nil: as the file says, or now.
  public var taken: String?
  /// What to measure, in the flash frame; empty: the middle.
  public var regions: [NamedRegion] = []
  /// A grey card in the flash frame.
  public var grey: GreyCard?
  /// Whether the camera stood as far away as for the calibration.
  public var distance: FixedDistance?
  /// How pictures are stored.
  public var format = PictureFormat.png

  /// A part of the picture.
  public struct NamedRegion: Equatable, Sendable {
    /// What it is called; see ``RecordName/isSite(_:)``.
    public var name: String
    /// Where it is.
    public var box: Rectangle

    /// A region from its parts.
    public init(name: String, box: Rectangle) { (self.name, self.box) = (name, box) }
  }

  /// A surface of known reflectance.
  public struct GreyCard: Equatable, Sendable {
    /// Where it is.
    public var box: Rectangle
    /// Its luminous reflectance, 0...1.
    public var reflectance: Double

    /// A card from its parts.
    public init(box: Rectangle, reflectance: Double) { (self.box, self.reflectance) = (box, reflectance) }
  }

  /// A distance that a stand or a spacer keeps.
  public struct FixedDistance: Equatable, Sendable {
    /// In centimetres; nil where it was not measured.
    public var centimetres: Double?

    /// A distance.
    public init(centimetres: Double?) { self.centimetres = centimetres }
  }

  /// A request with everything left open that can be.
  public init(
    flash: String, ambients: [String], settings: DevelopmentSettings, subject: String, site: String
  ) {
    (self.flash, self.ambients, self.settings) = (flash, ambients, settings)
    (self.subject, self.site) = (subject, site)
  }

  /// What tells how light the skin is.
  public var lightness: LightnessReference {
    if grey != nil { return .grey }
    if let distance, settings.exposure == .fixed, settings.profile != nil { return .distance(distance.centimetres) }
    return .none
  }

  /// The threshold, or what it is by default.
  public var threshold: Double { settings.threshold ?? Self.usualThreshold }

  /// Below this a capture is to be taken again.
  public static let usualThreshold = 0.8
}
