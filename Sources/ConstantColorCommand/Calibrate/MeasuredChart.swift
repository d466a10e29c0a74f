import Calibration

/// The patches as they were measured in the flash's light and in both frames, and which of them can be used.
struct MeasuredChart {
  let geometry: ChartGeometry
  /// In the light of the flash alone.
  let light: [PatchSample]
  /// In both frames as they are.
  private let flash, ambient: [PatchSample]
  /// Why a patch cannot be used, by its index.
  let rejected: [Int: String]

  init(geometry: ChartGeometry, light: [PatchSample], flash: [PatchSample], ambient: [PatchSample]) {
    self.geometry = geometry
    self.light = light
    self.flash = flash
    self.ambient = ambient
    var rejected: [Int: String] = [:]
    for (index, sample) in light.enumerated() {
      rejected[index] = Self.problem(sample, flash[index], ambient[index])
    }
    self.rejected = rejected
  }

  /// The patches to fit to.
  var usable: [Characterisation.Patch] {
    light.filter { rejected[$0.patch] == nil }.map {
      Characterisation.Patch(index: $0.patch, rgb: $0.mean, standardError: $0.standardError)
    }
  }

  /// The same, had the ambient frame been taken away with another exposure ratio.
  func usable(withRatio ratio: Double) -> [Characterisation.Patch] {
    usable.compactMap { patch in
      let (flash, ambient) = (flash[patch.index], ambient[patch.index])
      let error =
        (flash.standardError * flash.standardError
        + ratio * ratio * ambient.standardError * ambient.standardError).squareRoot()
      let light = flash.mean - ratio * ambient.mean
      guard light.min() > 0, error.sum().isFinite else { return nil }
      return Characterisation.Patch(index: patch.index, rgb: light, standardError: error)
    }
  }

  /// A clipped pixel in a hundred is a speck; more bend the mean.
  private static let mostClipped = 0.01
  /// An error of 5 % in one channel is about 4 ΔE₀₀.
  private static let largestError = 0.05
  /// Beyond this much unevenness within a patch, a shadow's edge or a reflection lies on it.
  private static let largestTexture = 0.06

  private static func problem(_ light: PatchSample, _ flash: PatchSample, _ ambient: PatchSample) -> String? {
    guard light.isInside, light.count >= 9 else { return "is not in the picture" }
    if flash.clippedShare > mostClipped { return "is clipped in the flash frame" }
    if ambient.clippedShare > mostClipped { return "is clipped in the ambient frame" }
    let largest = light.mean.max()
    guard largest > 0, light.mean.min() > -0.05 * largest else { return "has no light of the flash" }
    // A saturated colour has a channel near 0, of which a part of the others is what counts.
    let scale = pointwiseMax(light.mean, SIMD3(repeating: 0.15 * largest))
    guard (light.standardError / scale).max() <= largestError else { return "is too noisy" }
    let texture = light.texture / scale
    let chance = 4 * light.standardError / scale
    for channel in 0..<3 where texture[channel] > max(largestTexture, chance[channel]) {
      return "is uneven: a shadow's edge, a reflection or dirt lies on it"
    }
    return nil
  }
}
