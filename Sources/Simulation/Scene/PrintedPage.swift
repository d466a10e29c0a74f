/// What is printed on a page: how much of each dot is ink, row by row.
public struct PrintedPage: Equatable, Sendable {
  /// The size in dots.
  public let width, height: Int
  /// Ink of each dot: 0 none, 255 full.
  private let ink: [UInt8]

  /// A page; nil where there are not as many dots as the size says.
  public init?(width: Int, height: Int, ink: [UInt8]) {
    guard width > 0, height > 0, width <= ink.count, ink.count / width == height, ink.count % width == 0 else {
      return nil
    }
    (self.width, self.height, self.ink) = (width, height, ink)
  }

  /// How much ink there is at a place of the page, 0...1; bilinear between dots.
  ///
  /// - Parameter local: -1...1 from left to right and from top to bottom.
  func coverage(_ local: Place) -> Float {
    let place = (local * 0.5 + 0.5) * Place(Float(width), Float(height)) - 0.5
    let base = Place(place.x.rounded(.down), place.y.rounded(.down))
    let t = place - base
    let (x, y) = (Int(base.x), Int(base.y))
    let top = dot(x, y) + t.x * (dot(x + 1, y) - dot(x, y))
    let bottom = dot(x, y + 1) + t.x * (dot(x + 1, y + 1) - dot(x, y + 1))
    return (top + t.y * (bottom - top)) / 255
  }

  private func dot(_ x: Int, _ y: Int) -> Float {
    Float(ink[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)])
  }
}

/// A photograph of a page: what is on it, and how it is taken.
public struct PageShot: Equatable, Sendable {
  /// The print.
  public var print: PrintedPage
  /// From where it is taken.
  public var view: View = .tilted
  /// Whether a colour chart is printed into its lowest quarter.
  public var hasChart = false
  /// Whether its paper mirrors the flash.
  public var isGlossy = false

  /// From where a page is taken.
  public enum View: String, CaseIterable, Sendable {
    /// From straight above, the page turned a little.
    case straight
    /// From the side, so that the page is no rectangle.
    case tilted
    /// So near that its edges are outside.
    case close
  }

  /// A page taken from the side.
  public init(_ print: PrintedPage) { self.print = print }
}
