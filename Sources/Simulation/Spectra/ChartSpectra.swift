import Calibration
import ColorScience
import Glibc

/// The reflectances of charts whose makers tell only colours.
extension ChartReference {
  /// The chart with a reflectance for every patch.
  ///
  /// Where only colours are known, as for charts made since November 2014, each patch gets the pigments of the older edition
  /// changed as smoothly as can be, so that it has the published colour under D65: what it reflects by what it does not, times exp
  /// of a parabola over wavelength, which stays between 0 and 1.
  public var withReflectances: ChartReference? {
    if reflectances != nil { return self }
    guard let older = ChartReference.colorChecker.reflectances, older.count == xyz.count else { return nil }
    let spectra = zip(older, xyz).compactMap { Self.changed($0, to: $1) }
    guard spectra.count == xyz.count else { return nil }
    return ChartReference(name: name, source: source + "; reflectances made to match", reflectances: spectra)
  }

  private static func changed(_ reflectance: Spectrum, to target: XYZ) -> Spectrum? {
    func change(_ c: SIMD3<Double>) -> Spectrum {
      Spectrum { wavelength in
        let x = (wavelength - 555) / 175
        let value = reflectance.value(at: wavelength)
        let odds = value * exp(c.x + c.y * x + c.z * (x * x - 0.3))
        return odds / (odds + 1 - value)
      }
    }
    func color(_ c: SIMD3<Double>) -> SIMD3<Double> { XYZ(reflectance: change(c), under: .d65).vector }
    var c = SIMD3<Double>.zero
    for _ in 0..<30 {
      let now = color(c)
      if (now - target.vector).max() < 1e-10, (now - target.vector).min() > -1e-10 {
        let spectrum = change(c)
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
