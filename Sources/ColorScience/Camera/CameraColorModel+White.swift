import Glibc

/// Between the white of a scene and what the camera makes of it.
extension CameraColorModel {
  /// What a white surface in a light gives: camera RGB with the largest channel 1.
  ///
  /// - Parameter white: the chromaticity of the light.
  /// - Returns: nil where the light is none that the model knows a colour for: a channel would not be above 0.
  public func neutral(of white: Chromaticity) -> SIMD3<Double>? {
    guard let kelvin = Self.kelvin(of: white) else { return nil }
    return Self.scaled(setting(at: kelvin).cameraFromXYZ * XYZ(white).vector)
  }

  /// The chromaticity of the light in which a white surface gives these camera values.
  ///
  /// The matrix that tells depends on the light's temperature, so that it is found by iteration from D50 as in chapter 6
  /// of the DNG specification; where that runs in circles, the temperature between the two calibrations is bisected.
  ///
  /// - Parameter neutral: camera RGB of any scale, all above 0 and finite.
  /// - Returns: nil for a neutral that no light can make.
  public func white(of neutral: SIMD3<Double>) -> Chromaticity? {
    guard let neutral = Self.scaled(neutral) else { return nil }
    func white(at kelvin: Double) -> Chromaticity? {
      guard let xyzFromCamera = setting(at: kelvin).cameraFromXYZ.inverse else { return nil }
      let white = XYZ(xyzFromCamera * neutral)
      // A matrix for the wrong temperature may find a Z below 0; it still says in which direction to go.
      return white.x > 0 && white.y > 0 ? white.chromaticity : nil
    }
    func possible(_ white: Chromaticity?) -> Chromaticity? { white.flatMap { $0.x + $0.y < 1 ? $0 : nil } }
    var last = Chromaticity.d50
    for _ in 0..<30 {
      guard let kelvin = Self.kelvin(of: last), let next = white(at: kelvin) else { break }
      if abs(next.x - last.x) + abs(next.y - last.y) < 1e-9 { return possible(next) }
      last = next
    }
    // Above 0 where the matrix for a reciprocal temperature finds a warmer light than it was made for.
    func excess(_ mired: Double) -> Double? {
      white(at: 1e6 / mired).flatMap(Self.kelvin).map { 1e6 / $0 - mired }
    }
    var (low, high) = (1e6 / cool, 1e6 / warm)
    guard let below = excess(low), let above = excess(high) else { return nil }
    if below <= 0 { return possible(white(at: cool)) }
    if above >= 0 { return possible(white(at: warm)) }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      guard let excess = excess(middle) else { return nil }
      if excess > 0 { low = middle } else { high = middle }
    }
    return possible(white(at: 2e6 / (low + high)))
  }

  /// From camera RGB to XYZ under D65, for a scene in the light of this chromaticity; see ``toD65(neutral:)``.
  public func toD65(white: Chromaticity) -> Matrix3? { neutral(of: white).flatMap { toD65(neutral: $0, in: white) } }

  /// From camera RGB to XYZ under D65, for a scene in whose light white gives this neutral.
  ///
  /// With forward matrices: ForwardMatrix · diagonal(1 / neutral), which gives D50, then Bradford to D65. Without: the inverse
  /// colour matrix, then Bradford from the light to D65. The neutral, scaled to a largest channel of 1, becomes
  /// D65 with Y = 1, as the DNG SDK scales.
  ///
  /// - Returns: nil where ``white(of:)`` is.
  public func toD65(neutral: SIMD3<Double>) -> Matrix3? {
    guard let neutral = Self.scaled(neutral), let white = white(of: neutral) else { return nil }
    return toD65(neutral: neutral, in: white)
  }

  private func toD65(neutral: SIMD3<Double>, in white: Chromaticity) -> Matrix3? {
    guard let kelvin = Self.kelvin(of: white) else { return nil }
    let setting = setting(at: kelvin)
    if let forward = setting.forward {
      guard let referenceFromCamera = setting.cameraFromReference.inverse,
        let toD65 = ChromaticAdaptation.bradford.matrix(from: .d50ICC)
      else { return nil }
      let reference = referenceFromCamera * neutral
      guard all(reference .> 0) else { return nil }
      return usable(toD65 * forward * Matrix3(diagonal: 1 / reference) * referenceFromCamera)
    }
    guard let xyzFromCamera = setting.cameraFromXYZ.inverse else { return nil }
    let source = XYZ(xyzFromCamera * neutral)
    guard source.y > 0, let toD65 = ChromaticAdaptation.bradford.matrix(from: XYZ(source.vector / source.y)) else {
      return nil
    }
    return usable(1 / source.y * (toD65 * xyzFromCamera))
  }

  private func usable(_ matrix: Matrix3) -> Matrix3? { matrix.isFinite ? matrix : nil }

  /// With the largest channel 1; nil unless all are above a thousandth of it.
  private static func scaled(_ neutral: SIMD3<Double>) -> SIMD3<Double>? {
    let largest = neutral.max()
    guard largest > 0, largest.isFinite, all(neutral .> 1e-3 * largest) else { return nil }
    return neutral / largest
  }

  /// The temperature by which matrices are interpolated. Also for lights too far from the locus to have one, by
  /// C. S. McCamy, "Correlated color temperature as an explicit function of chromaticity coordinates" (1992).
  private static func kelvin(of white: Chromaticity) -> Double? {
    if let kelvin = CorrelatedColorTemperature(white)?.kelvin { return kelvin }
    guard white.x > 0, white.y > 0 else { return nil }
    // His polynomial falls with n down to here; warmer lights than that it was not made for.
    let n = max((white.x - 0.3320) / (0.1858 - white.y), -1.28)
    let kelvin = ((449 * n + 3525) * n + 6823.3) * n + 5520.33
    return kelvin.isFinite ? min(max(kelvin, 1000), 100_000) : nil
  }
}
