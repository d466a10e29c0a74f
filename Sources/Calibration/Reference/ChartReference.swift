import ColorScience

/// What the patches of a 24-patch chart are: their colours under D65, and where known their reflectances.
public struct ChartReference: Sendable {
  /// The name that `--chart` takes, or the file.
  public var name: String
  /// Where the numbers come from, for the profile.
  public var source: String
  /// The colour of each patch under D65, 2°; the perfect diffuser has Y = 1.
  public var xyz: [XYZ]
  /// The reflectance of each patch; nil where only colours are known.
  public var reflectances: [Spectrum]?
  /// What the reference itself leaves uncertain, in ΔE₀₀ on the chart and on skin: about 0.6 and 1.2 where colours
  /// published under D50 had to be adapted to D65 without knowing the spectra.
  public var extraUncertainty: (chart: Double, skin: Double)?

  /// The patches in order, row by row from dark skin.
  public static let patchNames = [
    "dark skin", "light skin", "blue sky", "foliage", "blue flower", "bluish green", "orange", "purplish blue",
    "moderate red", "purple", "yellow green", "orange yellow", "blue", "green", "red", "yellow", "magenta", "cyan",
    "white", "neutral 8", "neutral 6.5", "neutral 5", "neutral 3.5", "black",
  ]

  /// A chart of known reflectances.
  public init(name: String, source: String, reflectances: [Spectrum]) {
    self.name = name
    self.source = source
    self.reflectances = reflectances
    xyz = reflectances.map { XYZ(reflectance: $0, under: .d65) }
  }

  /// A chart of known colours under D65.
  public init(name: String, source: String, xyz: [XYZ]) {
    self.name = name
    self.source = source
    self.xyz = xyz
  }

  /// A chart of which CIELAB under D50 (ICC PCS) is known: adapted to D65 by Bradford, which spectra would do better.
  public init(name: String, source: String, labD50: [Lab]) {
    let toD65 = ChromaticAdaptation.bradford.matrix(from: .d50ICC, to: .d65) ?? .identity
    self.init(name: name, source: source, xyz: labD50.map { XYZ(toD65 * $0.xyz(white: .d50ICC).vector) })
    extraUncertainty = (0.6, 1.2)
  }

  /// ColorChecker Classic, Passport and Mini made before November 2014.
  public static let colorChecker = ChartReference(
    name: "colorchecker", source: "BabelColor, average reflectances of 30 charts made before November 2014",
    reflectances: ColorCheckerData.reflectancesBefore2014.compactMap {
      Spectrum(firstWavelength: 380, step: 10, $0)
    })

  /// The same made since November 2014.
  public static let colorCheckerSince2014 = ChartReference(
    name: "colorchecker-2014",
    source: "X-Rite, CIELAB D50 of charts made since November 2014, adapted to D65 (Bradford)",
    labD50: ColorCheckerData.labD50Since2014.map { Lab($0.0, $0.1, $0.2) })

  /// The charts that have names.
  public static let named = [colorChecker, colorCheckerSince2014]
}
