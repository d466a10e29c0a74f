import Raster

/// Filters that run along the rows of a plane and then along its columns, in place.
///
/// Outside the plane there are zeros: with the fourth lane as weight this is normalised convolution (Knutsson and
/// Westin 1993), without any special treatment of edges.
enum LineFilter {
  /// A Gaussian of σ = 1, cut at three.
  case gaussian
  /// Three running means, together close to a Gaussian of σ = 8 (Wells 1986).
  case wide

  /// Applies the filter to both directions of a plane.
  func apply(_ plane: inout [SIMD4<Float>], width: Int, height: Int, execution: Execution) {
    guard width > 0, height > 0, plane.count == width * height else { return }
    let rowsPerPart = max(1, 8_192 / width)
    let columnsPerPart = 16
    plane.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let plane = buffer
      execution.forEach((height + rowsPerPart - 1) / rowsPerPart) { part in
        scratch(width) { line in
          for row in part * rowsPerPart..<min(height, (part + 1) * rowsPerPart) {
            for column in 0..<width { line[column] = plane[row &* width &+ column] }
            run(line, width)
            for column in 0..<width { plane[row &* width &+ column] = line[column] }
          }
        }
      }
      execution.forEach((width + columnsPerPart - 1) / columnsPerPart) { part in
        scratch(height) { line in
          for column in part * columnsPerPart..<min(width, (part + 1) * columnsPerPart) {
            for row in 0..<height { line[row] = plane[row &* width &+ column] }
            run(line, height)
            for row in 0..<height { plane[row &* width &+ column] = line[row] }
          }
        }
      }
    }
  }

  private typealias Line = UnsafeMutablePointer<SIMD4<Float>>

  private func scratch(_ count: Int, _ body: (Line) -> Void) {
    // The line itself, and as much again for the passes to write into.
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 2 * count + 16) { memory in
      if let base = memory.baseAddress { body(base) }
    }
  }

  private func run(_ line: Line, _ count: Int) {
    switch self {
    case .gaussian: Self.gaussian(line, count)
    case .wide:
      for radius in [7, 8, 7] { Self.mean(line, count, radius) }
    }
  }

  private static func gaussian(_ line: Line, _ count: Int) {
    let padded = line + count
    for i in 0..<3 {
      padded[i] = .zero
      padded[count + 3 + i] = .zero
    }
    for i in 0..<count { padded[i &+ 3] = line[i] }
    for i in 0..<count {
      let p = padded + i
      line[i] =
        (p[3] * 0.399_050_28 + (p[2] + p[4]) * 0.242_036_23)
        + ((p[1] + p[5]) * 0.054_005_58 + (p[0] + p[6]) * 0.004_433_05)
    }
  }

  private static func mean(_ line: Line, _ count: Int, _ radius: Int) {
    let source = line + count
    for i in 0..<count { source[i] = line[i] }
    let scale = 1 / Float(2 * radius + 1)
    var sum = SIMD4<Float>.zero
    for i in 0..<min(radius, count) { sum += source[i] }
    for i in 0..<count {
      if i &+ radius < count { sum += source[i &+ radius] }
      line[i] = sum * scale
      if i &- radius >= 0 { sum -= source[i &- radius] }
    }
  }
}
