import ColorScience
import Inspection
import TextOutput

/// A patch in its true colour, and in it what the pictures show of it: the mean result as a field, and a stripe for each pair.
struct PatchStrip {
  private let patch: PatchSeries
  private static let (width, height, edge, field) = (300.0, 92.0, 9.0, 48.0)
  private static let gap = 3.0
  private static let rows: [Method] = [.ambient, .flash, .result]

  init(_ patch: PatchSeries) { self.patch = patch }

  /// The drawing.
  func plot(_ identifier: String) -> Plot {
    let truth = ScreenColor(patch.truth)
    var plot = Plot(
      identifier, width: Self.width, height: Self.height, title: "\(patch.kind.title): \(patch.name)",
      description: description)
    plot.rectangle(0, 0, Self.width, Self.height, fill: truth.css)
    if let ours = patch.meanShown(.result) {
      plot.rectangle(Self.edge, Self.edge, Self.field, Self.height - 2 * Self.edge, fill: ScreenColor(ours).css)
    }
    let left = 2 * Self.edge + Self.field
    let pitch = (Self.height - 2 * Self.edge + 5) / Double(Self.rows.count)
    for (row, method) in Self.rows.enumerated() {
      stripes(
        patch.shownByLight(method), left, Self.edge + Double(row) * pitch, Self.width - left - Self.edge, pitch - 5,
        in: &plot)
    }
    return plot
  }

  private var description: String {
    "Mean colour error: "
      + Method.allCases.map { "\($0.title) \(decimal(patch.error(of: $0), 1))" }.joined(separator: ", ") + " ΔE00."
  }

  /// A stripe a pair, those of one illuminance side by side.
  private func stripes(
    _ groups: [[XYZ]], _ x: Double, _ y: Double, _ width: Double, _ height: Double, in plot: inout Plot
  ) {
    let count = groups.reduce(0) { $0 + $1.count }
    guard count > 0 else { return }
    let gaps = Self.gap * Double(groups.count - 1)
    let pitch = (width - gaps) / Double(count)
    // Lines instead of a picture that is stretched: browsers blend the pixels of such pictures.
    var lines = Markup()
    var left = x
    for group in groups {
      for run in Self.runs(group) {
        let length = pitch * Double(run.count)
        let place = "M\(decimal(left, 2)) \(Plot.text(y + height / 2))h\(decimal(length, 2))"
        lines.empty("path", ["stroke": run.color.css, "d": place])
        left += length
      }
      left += Self.gap
    }
    plot.body.element("g", ["class": "stripes", "stroke-width": Plot.text(height)]) { $0.append(lines) }
  }

  /// Neighbours of the same colour on screens as one.
  private static func runs(_ colors: [XYZ]) -> [(color: ScreenColor, count: Int)] {
    var runs: [(color: ScreenColor, count: Int)] = []
    for color in colors.map({ ScreenColor($0) }) {
      if let last = runs.last, last.color == color {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((color, 1))
      }
    }
    return runs
  }

  /// What the parts of a strip are.
  static func key(_ identifier: String) -> Plot {
    var plot = Plot(
      identifier, width: width, height: height, title: "How to read the fields",
      description:
        "The frame is the truth; the field on the left is the mean of the results; the three strips show a stripe "
        + "for each pair, from dim to bright: standard ambient picture, flash picture, constant colour.")
    plot.rectangle(0.5, 0.5, width - 1, height - 1, kind: "keyframe")
    plot.rectangle(edge, edge, field, height - 2 * edge, kind: "keyfield")
    plot.write("result,", edge + field / 2, 40, .middle, kind: "tiny")
    plot.write("mean", edge + field / 2, 53, .middle, kind: "tiny")
    let left = 2 * edge + field
    let pitch = (height - 2 * edge + 5) / Double(rows.count)
    for (row, name) in ["standard: dim → bright", "flash", "result"].enumerated() {
      let y = edge + Double(row) * pitch
      plot.rectangle(left, y, width - left - edge, pitch - 5, kind: "keyfield")
      plot.write(name, left + 6, y + 14, kind: "tiny")
    }
    return plot
  }
}
