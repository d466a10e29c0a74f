import Raster

/// What is known of a RAW file before its samples are unpacked.
public struct RawInfo: Equatable, Sendable {
  /// What the sensor is.
  public enum Sensor: String, Sendable {
    /// Bayer's array of 2 × 2.
    case bayer = "Bayer"
    /// Fujifilm's array of 6 × 6.
    case xTrans = "X-Trans"
    /// Another array of red, green and blue.
    case mosaic = "other mosaic"
    /// All colours at every pixel: a linear DNG.
    case linear = "linear"
  }

  /// The camera.
  public let make, model: String
  /// The size of the picture as stored, before the orientation is applied.
  public let width, height: Int
  /// How the stored picture is turned to be upright.
  public let orientation: Orientation
  /// What the sensor is.
  public let sensor: Sensor
  /// Bits of a sample.
  public let bits: Int
  /// How white looked in the light of the shot, as the camera judged: camera RGB with green 1; nil unknown.
  public let asShotNeutral: SIMD3<Double>?
  /// From CIE XYZ under D65 to camera RGB, row by row, of LibRaw's table of cameras; nil where that does not know it.
  public let cameraFromXYZ: [Double]?
  /// Whether the file is a DNG.
  public let isDNG: Bool
  /// By how much the picture of half size is smaller: 2, or 3 for X-Trans.
  public let halfSizeSide: Int

  /// How white looks to the sensor, as well as the file says: in the light of the shot, else under D65, else equal numbers.
  public var whiteInCamera: SIMD3<Double> {
    // Equal numbers are none: cameras write them where nothing was measured, and photographers to see the sensor's own.
    if let neutral = asShotNeutral, neutral != SIMD3(repeating: 1), neutral.min() > 0.05, neutral.max() < 20 {
      return neutral
    }
    guard let m = cameraFromXYZ, m.count == 9 else { return SIMD3(repeating: 1) }
    let (x, z) = (0.3127 / 0.3290, (1 - 0.3127 - 0.3290) / 0.3290)
    let white = SIMD3(
      m[0] * x + m[1] + m[2] * z, m[3] * x + m[4] + m[5] * z, m[6] * x + m[7] + m[8] * z)
    return white.min() > 0 ? white / white.y : SIMD3(repeating: 1)
  }
}
