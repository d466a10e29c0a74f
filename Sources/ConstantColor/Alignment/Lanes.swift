extension SIMD4 where Scalar == Float {
  /// The lesser of each two lanes; this one's where they do not compare. (The standard library's `pointwiseMin` goes lane
  /// by lane and costs ten times as much.)
  @inline(__always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  /// The greater of each two lanes; this one's where they do not compare.
  @inline(__always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }
}
