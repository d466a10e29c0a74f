import ColorScience

/// A patch in its true colour, and in it what the pictures show of it: ours as a field, and a stripe for each pair.
struct PatchStrip {
  private let patch: PatchSeries
  private static let (width, height, edge, field) = (232.0, 88.0, 9.0, 44.0)
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
        patch.shown(method), left, Self.edge + Double(row) * pitch, Self.width - left - Self.edge, pitch - 5, in: &plot)
    }
    return plot
  }

  private var description: String {
    "Mean colour error: "
      + Method.allCases.map { "\($0.title) \(decimal(patch.error(of: $0), 1))" }.joined(separator: ", ") + " ΔE00."
  }

  /// One pixel a pair, stretched to the strip.
  private func stripes(
    _ colors: [XYZ], _ x: Double, _ y: Double, _ width: Double, _ height: Double, in plot: inout Plot
  ) {
    let bytes = colors.flatMap { color in
      let screen = ScreenColor(color)
      return [screen.red, screen.green, screen.blue]
    }
    guard let address = SmallPicture(width: colors.count, height: 1, bytes: bytes).dataAddress else { return }
    plot.body.empty(
      "image",
      [
        "x": Plot.text(x), "y": Plot.text(y), "width": Plot.text(width), "height": Plot.text(height),
        "preserveAspectRatio": "none", "class": "pixels", "href": address,
      ])
  }

  /// What the parts of a strip are.
  static func key(_ identifier: String) -> Plot {
    var plot = Plot(
      identifier, width: width, height: height, title: "How to read the fields",
      description: "The frame is the truth; the field on the left is the mean of our pictures; the three strips show a stripe "
        + "for each pair: standard ambient picture, flash picture, constant colour.")
    plot.rectangle(0.5, 0.5, width - 1, height - 1, kind: "keyframe")
    plot.rectangle(edge, edge, field, height - 2 * edge, kind: "keyfield")
    plot.write("ours,", edge + field / 2, 40, .middle, kind: "tiny")
    plot.write("mean", edge + field / 2, 53, .middle, kind: "tiny")
    let left = 2 * edge + field
    let pitch = (height - 2 * edge + 5) / Double(rows.count)
    for (row, name) in ["ambient: dim → bright", "flash", "ours"].enumerated() {
      let y = edge + Double(row) * pitch
      plot.rectangle(left, y, width - left - edge, pitch - 5, kind: "keyfield")
      plot.write(name, left + 6, y + 14, kind: "tiny")
    }
    return plot
  }
}
