/// Why there is no chart, in a sentence for the photographer.
public enum ChartError: Error, Equatable, Sendable {
  /// The corners that were given cannot be those of a chart.
  case corners(String)
  /// The picture has no pixels, or too few or too many.
  case size
  /// The picture holds no light.
  case dark
  /// No grid of even patches was seen.
  case noGrid
  /// Grids were seen, but their colours are not the chart's; the best agreement (0...1).
  case otherColors(agreement: Double)
  /// The work was stopped.
  case cancelled
}

extension ChartError: CustomStringConvertible {
  /// What is wrong and what to do.
  public var description: String {
    let remedy = "; let all 24 patches be seen, sharp and at least a tenth of the picture wide, or name the corners"
    switch self {
    case .corners(let reason): return reason
    case .size: return "the picture is too small to show a chart"
    case .dark: return "no light of the flash is left to find the chart in"
    case .noGrid: return "no 24-patch chart was found" + remedy
    case .otherColors:
      return "no 24-patch chart was found: there are rows of patches, but not in the colours of the chart" + remedy
    case .cancelled: return "stopped"
    }
  }
}
