import ConstantColor
import Photo
import Simulation
import Validation

/// What the confidence is made of at random pixels, with what became of them: the table that it is calibrated with.
struct TermSamples {
  /// Of each pixel: its pair's number, its regions, how many pixels it stands for, the colour error (ΔE₀₀), the
  /// confidence, and the terms in their order.
  private var rows: [Float] = []
  private var pairs = 0

  private static let columns = 5 + Confidence.termNames.count
  /// How many pixels of a pair there are, nearly; and how much likelier those are that little of a picture is like.
  private static let wanted = 1000.0
  private static let rareFactor = 8.0

  /// Adds a pair.
  mutating func add(
    terms: [[Float]], confidence: [Float], errors: [Float], regions: [Region], reference: SceneReference
  ) {
    let count = reference.width * reference.height
    guard regions.count == count, errors.count == count, confidence.count == count,
      terms.allSatisfy({ $0.count == count })
    else { return }
    var random = SplitMix(seed: UInt64(pairs), 77)
    for index in 0..<count where reference.isInner(index) {
      let isRare = !regions[index].isDisjoint(with: [.moving, .flashShadow])
      let likelihood = min(1, Self.wanted / Double(count) * (isRare ? Self.rareFactor : 1))
      guard random.uniform() < likelihood, terms[0][index] >= 0 else { continue }
      rows += [
        Float(pairs), Float(regions[index].rawValue), Float(1 / likelihood), errors[index], confidence[index],
      ]
      for term in terms { rows.append(term[index]) }
    }
    pairs += 1
  }

  /// Adds those of another set.
  mutating func add(_ other: TermSamples) {
    for start in stride(from: 0, to: other.rows.count, by: Self.columns) {
      rows.append(other.rows[start] + Float(pairs))
      rows += other.rows[start + 1..<start + Self.columns]
    }
    pairs += other.pairs
  }

  /// Writes a NumPy array, a row a pixel.
  func write(to path: String) throws {
    try ByteFile.write(NumPyFile.bytes(of: rows, shape: [rows.count / Self.columns, Self.columns]), to: path)
  }
}
