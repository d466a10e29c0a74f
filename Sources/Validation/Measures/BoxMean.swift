/// The mean of the (2 · radius + 1)² pixels around each; beyond the edge the pixels of the edge are repeated.
public func boxMean(_ values: [SIMD3<Float>], width: Int, height: Int, radius: Int) -> [SIMD3<Float>] {
  guard width > 0, height > 0, radius > 0, values.count == width * height else { return values }
  let weight = 1 / Double((2 * radius + 1) * (2 * radius + 1))
  var means = values
  var columns = [SIMD3<Double>](repeating: .zero, count: width)
  func row(_ y: Int) -> Int { min(max(y, 0), height - 1) * width }
  func add(_ y: Int, _ sign: Double) {
    let start = row(y)
    for x in 0..<width { columns[x] += sign * SIMD3<Double>(values[start + x]) }
  }
  for y in -radius - 1..<radius { add(y, 1) }
  for y in 0..<height {
    // The sums of columns move down by a row: in with the new one, out with the old.
    add(y + radius, 1)
    add(y - radius - 1, -1)
    func column(_ x: Int) -> SIMD3<Double> { columns[min(max(x, 0), width - 1)] }
    var sum = SIMD3<Double>.zero
    for x in -radius - 1..<radius { sum += column(x) }
    for x in 0..<width {
      sum += column(x + radius) - column(x - radius - 1)
      means[y * width + x] = SIMD3<Float>(weight * sum)
    }
  }
  return means
}

/// The same of one number a pixel.
public func boxMean(_ values: [Float], width: Int, height: Int, radius: Int) -> [Float] {
  boxMean(values.map { SIMD3($0, 0, 0) }, width: width, height: height, radius: radius).map(\.x)
}
