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
}
