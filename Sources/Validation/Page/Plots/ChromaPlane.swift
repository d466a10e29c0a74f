import ColorScience
import Inspection
import TextOutput

/// Where the patches lie in the plane of a* and b* under all lights: the standard picture beside ours.
struct ChromaPlane {
  private let patches: [PatchSeries]
  private let methods: [Method]
  /// The plane reaches from -reach to reach.
  private let reach: Double

  private static let (left, top, size, gap) = (44.0, 28.0, 400.0, 56.0)

  /// A plane of patches; nil where no picture of them is known.
  init?(_ patches: [PatchSeries]) {
    self.patches = patches.filter { $0.kind != .far }
    let all = self.patches
    methods = [.ambient, .result].filter { method in all.contains { !$0.shown(method).isEmpty } }
    guard !methods.isEmpty else { return nil }
    func extent(_ color: XYZ) -> Double {
      let lab = Lab(color)
      return max(abs(lab.a), abs(lab.b))
    }
    let truths = all.map { extent($0.truth) }.filter(\.isFinite).max() ?? 0
    let clouds = methods.flatMap { method in all.flatMap { $0.shown(method).map(extent) } }.filter(\.isFinite)
    // A few far points would make everything else small; they are drawn at the edge.
    let wide = clouds.isEmpty ? 0 : percentile(clouds, 99)
    reach = min(max((max(truths * 1.1, wide * 1.05) / 10).rounded(.up) * 10, 20), 160)
  }

  /// The drawing.
  func plot(_ identifier: String) -> Plot {
    let width = Self.left + Double(methods.count) * (Self.size + Self.gap) - Self.gap + 12
    var plot = Plot(
      identifier, width: width, height: Self.top + Self.size + 44, title: "Patches in the plane of a* and b*",
      description: description)
    plot.narrowest = min(width, 640)
    for (index, method) in methods.enumerated() {
      panel(method, Self.left + Double(index) * (Self.size + Self.gap), in: &plot)
    }
    return plot
  }

  private var description: String {
    "Each dot is a patch in one pair, each cross the truth. Mean distance from the truth in a* and b*: "
      + methods.map { "\($0.title) \(decimal(distance($0), 1))" }.joined(separator: ", ") + "."
  }

  private func distance(_ method: Method) -> Double? {
    mean(
      patches.flatMap { patch in
        let truth = Lab(patch.truth)
        return patch.shown(method).map { color in
          let step = Lab(color).vector - truth.vector
          return (step.y * step.y + step.z * step.z).squareRoot()
        }
      })
  }

  private func panel(_ method: Method, _ left: Double, in plot: inout Plot) {
    func x(_ a: Double) -> Double { left + (min(max(a / reach, -1), 1) + 1) / 2 * Self.size }
    func y(_ b: Double) -> Double { Self.top + (1 - min(max(b / reach, -1), 1)) / 2 * Self.size }
    plot.rectangle(left, Self.top, Self.size, Self.size, kind: "plane")
    plot.line(x(0), Self.top, x(0), Self.top + Self.size, kind: "grid")
    plot.line(left, y(0), left + Self.size, y(0), kind: "grid")
    let step = reach > 80 ? 40.0 : 20
    for mark in stride(from: -(reach / step).rounded(.down) * step, through: reach, by: step) {
      plot.line(x(mark), Self.top + Self.size, x(mark), Self.top + Self.size + 4, kind: "axis")
      plot.write(short(mark), x(mark), Self.top + Self.size + 17, .middle, kind: "small")
      plot.line(left - 4, y(mark), left, y(mark), kind: "axis")
      plot.write(short(mark), left - 8, y(mark) + 4, .end, kind: "small")
    }
    plot.write("a*", left + Self.size / 2, Self.top + Self.size + 36, .middle, kind: "small")
    plot.write("b*", left + 8, Self.top + 17, kind: "small")
    plot.write(method.title, left, 16, kind: "strong " + method.rawValue)
    for patch in patches {
      var dots = ""
      for color in patch.shown(method) {
        let lab = Lab(color)
        guard lab.a.isFinite, lab.b.isFinite else { continue }
        dots += "M\(Plot.text(x(lab.a))) \(Plot.text(y(lab.b)))h0"
      }
      // The hue of the patch, in a lightness that shows on a light and on a dark page.
      let truth = Lab(patch.truth)
      let color = ScreenColor(Lab(60, truth.a * 0.9, truth.b * 0.9).xyz())
      if !dots.isEmpty { plot.path(dots, stroke: color.css, kind: "dots") }
    }
    for patch in patches {
      let truth = Lab(patch.truth)
      guard truth.a.isFinite, truth.b.isFinite else { continue }
      let place = "M\(Plot.text(x(truth.a) - 4)) \(Plot.text(y(truth.b)))h8m-4 -4v8"
      plot.path(place, kind: "crosshalo")
      plot.path(place, kind: "cross")
    }
  }
}
