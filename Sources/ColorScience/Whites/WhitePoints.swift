/// The whites this project speaks of (CIE 1931, 2°).
extension Chromaticity {
  /// D65 as IEC 61966-2-1 (sRGB), ITU-R BT.2020 and Display P3 round it.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// D50 as ISO 22028-2 (ProPhoto) rounds it.
  public static let d50 = Chromaticity(x: 0.3457, y: 0.3585)
  /// CIE standard illuminant A (CIE 15:2018).
  public static let illuminantA = Chromaticity(x: 0.44758, y: 0.40745)
}

extension XYZ {
  /// The D65 white with Y = 1, from its rounded chromaticity: the white of sRGB, so that a neutral in sRGB is
  /// a neutral in CIELAB.
  public static let d65 = XYZ(.d65)
  /// The D50 white with Y = 1, from its rounded chromaticity.
  public static let d50 = XYZ(.d50)
  /// The D50 white of the ICC profile connection space (ICC.1:2022, 7.2.16).
  public static let d50ICC = XYZ(0.9642, 1, 0.8249)
  /// The white of illuminant A with Y = 1.
  public static let illuminantA = XYZ(.illuminantA)
}
