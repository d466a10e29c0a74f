import ConstantColor
import Glibc
import Raster

/// Finds the sheet of paper in a picture: four straight edges that are light inside, around the lightest thing.
///
/// Candidates for each side are the strongest lines of a Hough transform of signed gradients, or the edge of the picture; every
/// set of four is judged by how much of its sides is an edge, how light the strip inside them is, and its size. The
/// best is then fitted to the edge in the larger picture, to a fraction of a pixel, and is a page if its margin is paper.
public enum PageFinder {
  /// What was found.
  public enum Finding: Equatable, Sendable {
    /// A page. Sides on which it reaches the edge of the picture: 0 top, 1 right, 2 bottom, 3 left.
    case page(PageOutline, cut: [Int])
    /// Paper from edge to edge of the picture.
    case fillsFrame
    case nothing
  }

  /// Looks for a page.
  ///
  /// - Parameter source: linear light, any primaries; as evenly lit as a flash does.
  public static func find(in source: some PixelSource, execution: Execution = .serial) -> Finding {
    find(in: reduced(source, toAtMost: 1_500_000, clipping: .counted, execution: execution), execution: execution)
  }

  /// The same in a picture that was reduced.
  public static func find(in picture: Reduction, execution: Execution = .serial) -> Finding {
    guard picture.image.bounds.width >= 32, picture.image.bounds.height >= 32 else { return .nothing }
    let small = reduced(picture.image, toAtMost: 160_000, clipping: .counted, execution: execution)
    guard small.image.bounds.width >= 32, small.image.bounds.height >= 32, !execution.cancellation.isCancelled else {
      return .nothing
    }
    let field = EdgeField(small.image)
    guard let best = best(in: field, execution: execution) else { return .nothing }
    if best.cut.count == 4 {
      let paper = PaperWhite.find(in: picture, execution: execution)
      guard let paper, min(paper.paperFraction, paper.surfaceFraction) > leastOfFrame else { return .nothing }
      return .fillsFrame
    }
    let coarse = best.outline.enlarged(by: Double(small.factor), from: .zero) ?? best.outline
    let fine = PageRefinement.refine(coarse, cut: best.cut, in: picture.image, reach: 2.5 * Double(small.factor) + 2)
    let origin = SIMD2(Double(picture.rectangle.x), Double(picture.rectangle.y))
    guard let outline = fine.enlarged(by: Double(picture.factor), from: origin) else { return .nothing }
    // Windows, boards and table tops have straight edges, too.
    let paper = PaperWhite.find(in: picture, within: outline, execution: execution)
    guard let margin = paper?.marginFraction, margin > leastMargin else { return .nothing }
    return .page(outline, cut: best.cut)
  }

  /// How much of a sheet's margin is bare paper at least.
  private static let leastMargin = 0.7
  /// How much of a picture is paper at least, and as evenly lit as a flash does, where no edge is seen.
  private static let leastOfFrame = 0.5

  // MARK: candidates

  private struct Candidate {
    var outline: PageOutline
    var cut: [Int]
    var score: Double
  }

  private static func best(in field: EdgeField, execution: Execution) -> Candidate? {
    let (right, bottom) = (Double(field.width - 1), Double(field.height - 1))
    let borders = [
      PageLine(normal: SIMD2(0, 1), distance: 0), PageLine(normal: SIMD2(-1, 0), distance: -right),
      PageLine(normal: SIMD2(0, -1), distance: -bottom), PageLine(normal: SIMD2(1, 0), distance: 0),
    ]
    let sides = zip(PageLine.sides(of: field), borders).map { $0 + [$1] }
    // The lightest thing that is not a speck.
    let order = field.light.sorted()
    let white = order[order.count * 95 / 100]
    let tops = sides[0].indices
    let found = execution.map(tops.count, placeholder: nil) { top -> Candidate? in
      var best: Candidate?
      for right in sides[1].indices {
        for bottom in sides[2].indices {
          for left in sides[3].indices {
            let chosen = [top, right, bottom, left]
            let lines = (0..<4).map { sides[$0][chosen[$0]] }
            let cut = (0..<4).filter { chosen[$0] == sides[$0].count - 1 }
            guard let candidate = judge(lines, cut, field, white), candidate.score > best?.score ?? 0 else { continue }
            best = candidate
          }
        }
      }
      return best
    }
    guard let best = found.compactMap(\.self).max(by: { $0.score < $1.score }), best.score > 0.2 else { return nil }
    return best
  }

  private static func judge(_ lines: [PageLine], _ cut: [Int], _ field: EdgeField, _ white: Float) -> Candidate? {
    var corners: [SIMD2<Double>] = []
    for index in 0..<4 {
      guard let corner = lines[index].meeting(lines[(index + 3) % 4]) else { return nil }
      corners.append(corner)
    }
    guard let outline = PageOutline(corners: corners) else { return nil }
    let frame = Double(field.width * field.height)
    let part = min(outline.area / frame, 1)
    guard part > 0.12, outline.area < 1.6 * frame, isSheet(outline) else { return nil }
    var (edge, light, total) = (0.0, 0.0, 0.0)
    for side in 0..<4 {
      let length = outline.length(side)
      guard let seen = look(along: outline, side, field, white) else { return nil }
      // The edge of the picture is no evidence for a side, nor against it.
      edge += length * (cut.contains(side) ? 0.55 : seen.edge)
      if !cut.contains(side), seen.edge < 0.45 { return nil }
      light += length * seen.light
      total += length
    }
    (edge, light) = (edge / total, light / total)
    guard cut.count < 4 || light > 0.45 else { return nil }
    return Candidate(outline: outline, cut: cut, score: edge * edge * light.squareRoot() * pow(part, 0.35))
  }

  /// What a side shows: the part of it that is an edge, and how light the strip inside it is, relative to white.
  private static func look(
    along outline: PageOutline, _ side: Int, _ field: EdgeField, _ white: Float
  ) -> (edge: Double, light: Double)? {
    let (a, b) = (outline.corners[side], outline.corners[(side + 1) % 4])
    let length = outline.length(side)
    let along = (b - a) / length
    let inward = SIMD2(-along.y, along.x)
    let depth = max(4, 0.012 * length)
    let stations = 48
    var (edges, inside, light, lit) = (0.0, 0.0, 0.0, 0.0)
    for station in 0..<stations {
      let place = a + (b - a) * (0.02 + 0.96 * (Double(station) + 0.5) / Double(stations))
      if let rise = field.rise(at: place, along: inward) {
        inside += 1
        if rise > EdgeField.least { edges += 1 }
      }
      if let level = field.light(at: place + depth * inward) {
        lit += 1
        light += Double(min(exp(level - white), 1))
      }
    }
    guard inside > 0.4 * Double(stations), lit > 0.4 * Double(stations) else { return nil }
    return (edges / inside, light / lit)
  }

  /// Whether a rectangle can look so: angles and sides.
  private static func isSheet(_ outline: PageOutline) -> Bool {
    for index in 0..<4 {
      let (a, b, c) = (outline.corners[index], outline.corners[(index + 1) % 4], outline.corners[(index + 2) % 4])
      let cosine = ((a - b) * (c - b)).sum() / (hypot((a - b).x, (a - b).y) * hypot((c - b).x, (c - b).y))
      guard abs(cosine) < 0.57 else { return false }
    }
    let (across, down) = (outline.length(0) / outline.length(2), outline.length(1) / outline.length(3))
    return (0.45...2.2).contains(across) && (0.45...2.2).contains(down)
  }
}
