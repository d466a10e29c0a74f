/// The light sources that EXIF numbers (Exif 2.32, tag 37384), which DNG uses for its calibration illuminants.
public enum LightSource {
  /// The correlated colour temperature in kelvin that the DNG SDK takes for a number: named illuminants by their name
  /// (A is 2850 K there), fluorescent lamps by the middle of their class (ISO 12232 / JIS Z 9112); nil for numbers that
  /// say nothing (0 unknown, 255 other) or do not exist.
  public static func kelvin(_ number: Int) -> Double? {
    switch number {
    case 3, 17: 2850  // tungsten, standard light A
    case 24: 3200  // ISO studio tungsten
    case 23: 5000  // D50
    case 1, 4, 9, 18, 20: 5500  // daylight, flash, fine weather, standard light B, D55
    case 10, 19, 21: 6500  // cloudy weather, standard light C, D65
    case 11, 22: 7500  // shade, D75
    case 12: 6400  // daylight fluorescent, 5700 to 7100 K
    case 13: 5050  // day white fluorescent, 4600 to 5500 K
    case 2, 14: 4150  // fluorescent, cool white fluorescent, 3800 to 4500 K
    case 15: 3525  // white fluorescent, 3250 to 3800 K
    case 16: 2925  // warm white fluorescent, 2600 to 3250 K
    default: nil
    }
  }
}
