import TextOutput

/// Bars of the variance under change of light, by illuminance and picture.
struct VarianceBars {
  private let groups: [(name: String, bars: [(method: Method, value: Double)], reduction: Double?)]
  private let largest: Double

  private static let (left, length, thickness, pitch, gap) = (92.0, 440.0, 15.0, 18.0, 14.0)

  /// Bars of a series; nil where no variance is known.
  init?(_ series: SeriesFigures) {
    let methods = [Method.ambient, .flash, .result].filter { series.methods[$0] != nil }
    let levels = series.luxLevels
    func bars(_ value: (MethodFigures) -> Double?) -> [(method: Method, value: Double)] {
      methods.compactMap { method in
        guard let number = series.methods[method].flatMap(value), number.isFinite, number >= 0 else { return nil }
        return (method, number)
      }
    }
    var groups = [(name: "all light", bars: bars { $0.variance }, reduction: series.reduction(against: .ambient))]
    if levels.values.count <= 8 {
      let reductions = series.reductionByLux(against: .ambient, at: levels)
      for (lux, reduction) in zip(levels.values, reductions) {
        groups.append((short(lux.rounded()) + " lx", bars { $0.variance(near: lux) }, reduction))
      }
    }
    self.groups = groups.filter { !$0.bars.isEmpty }
    largest = self.groups.flatMap { $0.bars.map(\.value) }.max() ?? 0
    guard largest > 0 else { return nil }
  }

  /// The drawing.
  func plot(_ identifier: String) -> Plot {
    let heights = groups.map { Double($0.bars.count) * Self.pitch + Self.gap }
    var plot = Plot(
      identifier, width: 780, height: heights.reduce(0, +) + 10, title: "Variance under change of light",
      description: description)
    plot.narrowest = 560
    var y = 6.0
    for (group, height) in zip(groups, heights) {
      let middle = y + (height - Self.gap) / 2
      plot.write(group.name, Self.left - 12, middle + 4, .end, kind: "strong")
      for (method, value) in group.bars {
        let length = value / largest * Self.length
        plot.rectangle(Self.left, y, max(length, 1.5), Self.thickness, kind: "bar " + method.rawValue)
        var text = "\(decimal(value, value < 9.95 ? 2 : 1)) \(method.title)"
        if method == .result, let reduction = group.reduction {
          text += reduction >= 0 ? ", \(percent(reduction)) less" : ", \(percent(-reduction)) more"
        }
        plot.write(
          text, Self.left + length + 7, y + 12, kind: method == .result ? "small strong" : "small")
        y += Self.pitch
      }
      y += Self.gap
    }
    plot.line(Self.left, 0, Self.left, y - Self.gap + 4, kind: "axis")
    return plot
  }

  private var description: String {
    groups.map { group in
      group.name + ": " + group.bars.map { "\($0.method.title) \(decimal($0.value, 2))" }.joined(separator: ", ")
    }.joined(separator: "; ") + " ΔE*ab²."
  }
}
