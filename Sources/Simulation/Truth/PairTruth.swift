import ColorScience

/// What the simulator knows of a pair and no photographer does.
///
/// Places are in pixels of the frame as it is stored, before its orientation is applied: pixel centres at whole numbers,
/// x to the right, y down. Colours are XYZ under D65 of the 2° observer; the perfect diffuser has Y = 1.
public struct PairTruth: Equatable, Sendable {
  /// The name of the pair, with which its files begin: "E0200_T4500_green".
  public var id: String
  /// The size of the frames in pixels.
  public var width, height: Int
  /// From flash to ambient frame: nine numbers, row by row.
  public var homography: [Double]
  /// How the camera moved: "none", "small", "large", "perspective".
  public var shake: String
  /// EXIF's orientation.
  public var orientation: Int
  /// The true exposure of the flash frame divided by that of the ambient frame.
  public var exposureRatio: Double
  /// The room's light; nil where there is none.
  public var ambient: Light?
  /// A second light in the room; nil where there is only one.
  public var secondAmbient: Light?
  /// The flash.
  public var flash: Light
  /// What part of the ambient light its shadow takes, 0...1; nil where nothing throws one.
  public var shadowDepth: Double?
  /// The file of ``SceneTruth``, and of this pair's mask: one byte a pixel, of ``Region``s.
  public var scene, mask: String
  /// The stored number of no light, and of saturation.
  public var black, white: Int
  /// How the frames were exposed; nil where the file does not tell.
  public var flashShot, ambientShot: Shot?
  /// The corners of a page, from its top left clockwise; nil where the scene is none.
  public var page: [SIMD2<Double>]?
  /// The chart's patches and all other even surfaces.
  public var patches: [Patch]

  /// An exposure, and what white is in its light.
  public struct Shot: Equatable, Sendable {
    /// In seconds.
    public var exposureTime: Double
    public var iso, fNumber: Double
    /// What the camera took for white, and what white is: camera RGB, green 1; zero in the dark.
    public var asShotNeutral, white: SIMD3<Double>
  }

  /// A light.
  public struct Light: Equatable, Sendable {
    /// The illuminance at the centre of the scene, in lux.
    public var lux: Double
    /// Its name: "4500:green", "LED-B4".
    public var spectrum: String
    /// Its chromaticity.
    public var x, y: Double
    /// Its correlated colour temperature in kelvin and its distance from the Planckian locus in CIE 1960 uv; nil far from it.
    public var cct, duv: Double?

    /// A light from its parts.
    public init(lux: Double, spectrum: String, x: Double, y: Double, cct: Double?, duv: Double?) {
      (self.lux, self.spectrum) = (lux, spectrum)
      (self.x, self.y) = (x, y)
      (self.cct, self.duv) = (cct, duv)
    }
  }

  /// An even surface whose colour is known.
  public struct Patch: Equatable, Sendable {
    /// What it is called: "dark skin".
    public var name: String
    /// What it belongs to.
    public var kind: Kind
    /// Its middle.
    public var centre: SIMD2<Double>
    /// The corners, in turn.
    public var polygon: [SIMD2<Double>]
    /// The flash's illuminance at the centre, relative to that at the centre of the scene.
    public var falloff: Double
    /// The surface under D65.
    public var xyz: XYZ

    /// What a patch belongs to.
    public enum Kind: String, Sendable {
      /// The chart, which profiles are made of.
      case colorChecker = "colorchecker"
      case skin
      /// Where the flash hardly reaches.
      case far
      /// Anything else; never on a chart.
      case object
    }

    /// A patch from its parts.
    public init(
      name: String, kind: Kind, centre: SIMD2<Double>, polygon: [SIMD2<Double>], falloff: Double, xyz: XYZ
    ) {
      (self.name, self.kind) = (name, kind)
      (self.centre, self.polygon) = (centre, polygon)
      (self.falloff, self.xyz) = (falloff, xyz)
    }
  }

  /// A pair without patches.
  public init(
    id: String, width: Int, height: Int, homography: [Double], shake: String, orientation: Int, exposureRatio: Double,
    ambient: Light?, secondAmbient: Light? = nil, flash: Light, shadowDepth: Double?, scene: String, mask: String,
    black: Int, white: Int, patches: [Patch] = []
  ) {
    self.id = id
    (self.width, self.height) = (width, height)
    self.homography = homography
    self.shake = shake
    self.orientation = orientation
    self.exposureRatio = exposureRatio
    self.ambient = ambient
    self.secondAmbient = secondAmbient
    self.flash = flash
    self.shadowDepth = shadowDepth
    (self.scene, self.mask) = (scene, mask)
    (self.black, self.white) = (black, white)
    self.patches = patches
  }
}

/// What holds for a pixel of the flash frame; several may hold at once.
public struct Region: OptionSet, Equatable, Sendable {
  /// A bit for each.
  public let rawValue: UInt8

  /// Regions by their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The flash frame, the ambient frame is clipped.
  public static let clippedFlash = Region(rawValue: 1), clippedAmbient = Region(rawValue: 2)
  /// The flash hardly reaches it.
  public static let far = Region(rawValue: 4)
  /// In a shadow of the room's light.
  public static let ambientShadow = Region(rawValue: 8)
  /// Something moved between the frames.
  public static let moving = Region(rawValue: 16)
  /// In a shadow of the flash.
  public static let flashShadow = Region(rawValue: 32)
  /// A reflection of the flash.
  public static let specular = Region(rawValue: 64)
  /// The wall behind everything.
  public static let wall = Region(rawValue: 128)

  /// The names under which they stand in a set's files.
  public static let names: [(name: String, region: Region)] = [
    ("clip_flash", .clippedFlash), ("clip_ambient", .clippedAmbient), ("far", .far), ("ambient_shadow", .ambientShadow),
    ("moving", .moving), ("flash_shadow", .flashShadow), ("specular", .specular), ("wall", .wall),
  ]
}

/// What the simulator knows of a scene, pixel by pixel of the flash frame, row after row.
public struct SceneTruth: Sendable {
  /// The size in pixels.
  public var width, height: Int
  /// The surfaces' XYZ under D65, without any shading.
  public var reflectance: [SIMD3<Float>]
  /// The surfaces lit by the flash alone, as XYZ under D65: what a perfect result shows beside mirror-like reflections, which hide
  /// the colour of what is there.
  public var lit: [SIMD3<Float>]
  /// The flash's illuminance relative to that at the centre.
  public var falloff: [Float]
  /// How much of a pixel lies in the shadow of the room's light, 0...1.
  public var shadow: [Float]
  /// The room's illuminance relative to that at the centre, shadow included.
  public var ambient: [Float]

  /// A scene with nothing in it.
  public init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    let count = max(width, 0) * max(height, 0)
    reflectance = .init(repeating: .zero, count: count)
    lit = reflectance
    falloff = .init(repeating: 0, count: count)
    shadow = falloff
    ambient = falloff
  }
}
