import ColorScience

/// The colours of the 24-patch ColorChecker, roughly: what tells its patches from any other rectangles.
///
/// Good enough to recognise a chart and its orientation in any edition; not for characterising a camera.
public enum ChartColors {
  /// The patches in linear sRGB (D65, white = 1), in the order of ``ChartReference/patchNames``.
  public static let linearSRGB: [SIMD3<Double>] = encoded.map { code in
    let curve = RGBSpace.sRGB.transferFunction
    return SIMD3(curve.decode(code.x / 255), curve.decode(code.y / 255), curve.decode(code.z / 255))
  }

  /// The maker's 8-bit sRGB values, as D. Pascale collects them in "RGB coordinates of the Macbeth ColorChecker"
  /// (BabelColor, 2006), table 1.
  private static let encoded: [SIMD3<Double>] = [
    [115, 82, 68], [194, 150, 130], [98, 122, 157], [87, 108, 67], [133, 128, 177], [103, 189, 170],
    [214, 126, 44], [80, 91, 166], [193, 90, 99], [94, 60, 108], [157, 188, 64], [224, 163, 46],
    [56, 61, 150], [70, 148, 73], [175, 54, 60], [231, 199, 31], [187, 86, 149], [8, 133, 161],
    [243, 243, 242], [200, 200, 200], [160, 160, 160], [122, 122, 121], [85, 85, 85], [52, 52, 52],
  ]
}
