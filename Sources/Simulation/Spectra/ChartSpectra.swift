import Calibration
import ColorScience
import Glibc

/// The reflectances of charts whose makers tell only colours.
extension ChartReference {
  /// The chart with a reflectance for every patch.
  ///
  /// Where only colours are known, as for charts made since November 2014, each patch gets the pigments of the older edition
  /// behind the smoothest filter (exp of a parabola over wavelength) that gives it the published colour under D65.
  public var withReflectances: ChartReference? {
    if reflectances != nil { return self }
    guard let older = ChartReference.colorChecker.reflectances, older.count == xyz.count else { return nil }
    let spectra = zip(older, xyz).compactMap { Self.filtered($0, to: $1) }
    guard spectra.count == xyz.count else { return nil }
    return ChartReference(name: name, source: source + "; reflectances made to match", reflectances: spectra)
  }

  private static func filtered(_ reflectance: Spectrum, to target: XYZ) -> Spectrum? {
    func filter(_ c: SIMD3<Double>) -> Spectrum {
      Spectrum { wavelength in
        let x = (wavelength - 555) / 175
        return exp(c.x + c.y * x + c.z * (x * x - 0.3))
      }
    }
    func color(_ c: SIMD3<Double>) -> SIMD3<Double> { XYZ(reflectance: reflectance * filter(c), under: .d65).vector }
    var c = SIMD3<Double>.zero
    for _ in 0..<30 {
      let now = color(c)
      if (now - target.vector).max() < 1e-10, (now - target.vector).min() > -1e-10 {
        let spectrum = reflectance * filter(c)
        return spectrum.values.allSatisfy { (0...1).contains($0) } ? spectrum : nil
      }
      func slope(_ step: SIMD3<Double>) -> SIMD3<Double> { (color(c + 1e-5 * step) - now) / 1e-5 }
      let jacobian = Matrix3(slope([1, 0, 0]), slope([0, 1, 0]), slope([0, 0, 1])).transpose
      guard let inverse = jacobian.inverse else { return nil }
      c += inverse * (target.vector - now)
    }
    return nil
  }
}
