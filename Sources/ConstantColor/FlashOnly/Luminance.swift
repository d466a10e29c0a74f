extension SIMD3 where Scalar == Float {
  /// The weighted mean of the channels, weighed like a Bayer mosaic, whose two green pixels have half of
  /// the noise. It stands for no observer and holds in any RGB space.
  @inline(__always) var brightness: Float { x * 0.25 + y * 0.5 + z * 0.25 }

  /// The variance of ``brightness``, if these are the channels' variances.
  @inline(__always) var brightnessVariance: Float { x * 0.0625 + y * 0.25 + z * 0.0625 }

  /// Whether every element is a number and not infinite.
  @inline(__always) var isFinite: Bool { (self * 0 .== SIMD3.zero) == SIMDMask(repeating: true) }
}
