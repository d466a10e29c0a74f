/// What a sensor's numbers mean: the black level of each place, and where each colour clips.
public struct SampleLevels: Sendable {
  /// The size of the repeating pattern of black levels.
  public let columns, rows: Int
  /// The black levels of that pattern, row after row, in raw units.
  public let black: [Float]
  /// What is added to the black level of each column and of each row; empty: nothing.
  public let columnBlack, rowBlack: [Float]
  /// The raw values at which red, green and blue clip.
  public let white: SIMD3<Float>

  /// The levels of a sensor; what makes no sense counts as black 0 and as a white of 1 above black.
  public init(
    columns: Int = 1, rows: Int = 1, black: [Float], columnBlack: [Float] = [], rowBlack: [Float] = [],
    white: SIMD3<Float>
  ) {
    let fits = columns > 0 && rows > 0 && black.count == columns * rows
    self.columns = fits ? columns : 1
    self.rows = fits ? rows : 1
    self.black = (fits ? black : [black.first ?? 0]).map { $0.isFinite ? $0 : 0 }
    self.columnBlack = columnBlack.map { $0.isFinite ? $0 : 0 }
    self.rowBlack = rowBlack.map { $0.isFinite ? $0 : 0 }
    let highest = self.black.max() ?? 0
    let least = SIMD3(repeating: highest + max(1e-6, abs(highest) * 1e-5))
    // NaN fails the comparison.
    self.white = least.replacing(with: white, where: white .> least)
  }

  /// One black level and one white level for everything.
  public init(black: Float, white: Float) {
    self.init(black: [black], white: SIMD3(repeating: white))
  }

  /// The black level at a place.
  public func black(x: Int, y: Int) -> Float {
    columnBlack(x: x, y: y) + rowBlack(y: y)
  }

  /// The part of it that belongs to a single row.
  func rowBlack(y: Int) -> Float { rowBlack.indices.contains(y) ? rowBlack[y] : 0 }

  /// The rest of it.
  func columnBlack(x: Int, y: Int) -> Float {
    patternBlack(x: x, y: y) + (columnBlack.indices.contains(x) ? columnBlack[x] : 0)
  }

  private func patternBlack(x: Int, y: Int) -> Float {
    black[CFAPattern.modulo(y, rows) * columns + CFAPattern.modulo(x, columns)]
  }

  /// What a raw value above black is divided by at a place, for a colour (0 red, 1 green, 2 blue): 1 is clipping.
  ///
  /// The levels of single columns and rows do not count: their sensitivity is the same.
  public func range(x: Int, y: Int, color: Int) -> Float {
    white[min(max(color, 0), 2)] - patternBlack(x: x, y: y)
  }
}
