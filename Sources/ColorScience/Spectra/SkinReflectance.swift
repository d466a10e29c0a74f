import Glibc

/// The diffuse reflectance of human skin from its two pigments.
///
/// Two layers, as in S. L. Jacques, "Optical properties of biological tissues: a review", Phys. Med. Biol. 58 (2013):
/// an epidermis of 60 µm that melanin makes a filter, and below it a dermis with blood, thick enough to be infinite
/// for Kubelka and Munk (1931). The gloss of the surface is left out.
public enum SkinReflectance {
  /// The reflectance of skin.
  ///
  /// - Parameters:
  ///   - melanin: the part of the epidermis that is melanosomes: about 0.005 for pale skin, 0.1 for the darkest.
  ///   - blood: the part of the dermis that is blood: 0.002...0.05.
  ///   - oxygenation: the part of the haemoglobin that carries oxygen.
  ///   - vesselRadius: in micrometres, of the vessels that the blood is in, whose middle sees less light where blood absorbs most
  ///     (R. L. P. van Veen et al., Opt. Lett. 27, 2002); 0 for blood spread evenly.
  public static func spectrum(
    melanin: Double, blood: Double, oxygenation: Double = 0.75, vesselRadius: Double = 0
  ) -> Spectrum {
    Spectrum { wavelength in
      // Absorption and scattering coefficients are per centimetre.
      let bloodless = 0.244 + 85.3 * exp(-(wavelength - 154) / 66.2)
      let epidermis = melanin * 6.6e11 * pow(wavelength, -3.33) + (1 - melanin) * bloodless
      // Light passes the epidermis twice.
      let transmittance = exp(-2 * 0.006 * epidermis)
      let dermis = blood * bloodAbsorption(wavelength, oxygenation, vesselRadius) + (1 - blood) * bloodless
      let scattering = 46 * pow(wavelength / 500, -1.421)
      // K = 2 µa and S = ¾ µs′ of diffusion theory.
      let ratio = 2 * dermis / (0.75 * scattering)
      return transmittance * transmittance * (1 + ratio - (ratio * ratio + 2 * ratio).squareRoot())
    }
  }

  /// Whole blood with 150 g of haemoglobin (64 500 g/mol) a litre.
  private static func bloodAbsorption(_ wavelength: Double, _ oxygenation: Double, _ radius: Double) -> Double {
    let place = min(max((wavelength - 400) / 10, 0), Double(extinction.count - 1))
    let index = min(Int(place), extinction.count - 2)
    let share = place - Double(index)
    let (low, high) = (extinction[index], extinction[index + 1])
    let oxygenated = low.0 + share * (high.0 - low.0)
    let deoxygenated = low.1 + share * (high.1 - low.1)
    let absorption = 2.303 * 150 / 64500 * (oxygenation * oxygenated + (1 - oxygenation) * deoxygenated)
    // Across a vessel of radius r the absorbance is 2 µa r.
    let across = 2 * absorption * radius * 1e-4
    return across > 0 ? absorption * (1 - exp(-across)) / across : absorption
  }

  /// Molar extinction of oxygenated and deoxygenated haemoglobin in cm⁻¹ per mol/l (S. Prahl, Oregon Medical Laser
  /// Center, 1998), at 400, 410 ... 700 nm.
  private static let extinction: [(Double, Double)] = [
    (266_232, 223_296), (466_840, 303_956), (480_360, 407_560), (246_072, 528_600), (102_580, 413_280),
    (62_816, 103_292), (44_480, 23_388.8), (33_209.2, 16_156.4), (26_629.2, 14_550), (23_684.4, 16_684),
    (20_932.8, 20_862), (20_035.2, 25_773.6), (24_202.4, 31_589.6), (39_956.8, 39_036.4), (53_236, 46_592),
    (43_016, 53_412), (32_613.2, 53_788), (44_496, 45_072), (50_104, 37_020), (14_400.8, 28_324.4), (3_200, 14_677.2),
    (1_506, 9_443.6), (942, 6_509.6), (610, 5_148.8), (442, 4_345.2), (368, 3_750.12), (319.6, 3_226.56),
    (294, 2_795.12), (277.6, 2_407.92), (276, 2_051.96), (290, 1_794.28),
  ]
}
