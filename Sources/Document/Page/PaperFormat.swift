/// A size of paper, in millimetres.
public struct PaperFormat: Equatable, Sendable {
  /// Its name, as "a4"; nil for any other size.
  public let name: String?
  /// Upright: the shorter side is the width.
  public let width, height: Double

  /// A size by its name, as "a4" or "letter", or by its sides, as "120x80"; nil for another text. Sides are 10 to 2000 mm.
  public init?(_ text: String) {
    let text = text.lowercased()
    if let known = PaperFormat.named.first(where: { $0.name == text }) {
      self = known
      return
    }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    guard sides.count == 2, sides.allSatisfy({ (10...2000).contains($0) }) else { return nil }
    self.init(nil, min(sides[0], sides[1]), max(sides[0], sides[1]))
  }

  private init(_ name: String?, _ width: Double, _ height: Double) {
    (self.name, self.width, self.height) = (name, width, height)
  }

  /// The sizes that have names: ISO 216, ANSI, ISO 7810 ID-1.
  public static let named = [
    PaperFormat("a3", 297, 420), PaperFormat("a4", 210, 297), PaperFormat("a5", 148, 210), PaperFormat("a6", 105, 148),
    PaperFormat("b5", 176, 250), PaperFormat("letter", 215.9, 279.4), PaperFormat("legal", 215.9, 355.6),
    PaperFormat("tabloid", 279.4, 431.8), PaperFormat("card", 53.98, 85.6),
  ]

  /// The size of a sheet of which only the proportion is known: A4 or letter where it is within 2.5 % of theirs; otherwise as it
  /// is, with a longer side of 297 mm.
  ///
  /// - Parameter aspectRatio: width divided by height, above 0.
  public static func likely(aspectRatio: Double) -> PaperFormat {
    let upright = min(aspectRatio, 1 / aspectRatio)
    let common = named.filter { $0.name == "a4" || $0.name == "letter" }
    let nearest = common.min { abs($0.width / $0.height - upright) < abs($1.width / $1.height - upright) }
    if let nearest, abs(nearest.width / nearest.height / upright - 1) < 0.025 { return nearest }
    return PaperFormat(nil, max(297 * upright, 1), 297)
  }

  /// Width and height of a sheet that lies as its proportion says.
  public func size(aspectRatio: Double) -> (width: Double, height: Double) {
    aspectRatio > 1 ? (height, width) : (width, height)
  }
}
