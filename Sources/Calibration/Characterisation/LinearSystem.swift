import Glibc

/// Systems of linear equations of the size of a colour chart.
enum LinearSystem {
  /// Solves A·x = b by elimination with row pivoting.
  ///
  /// - Parameters:
  ///   - matrix: A, n rows of n numbers.
  ///   - right: b.
  /// - Returns: x, or nil where A is singular or anything is not finite.
  static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    solveWithDeterminant(matrix, right)?.solution
  }

  /// The same, with the logarithm of the determinant's absolute value.
  static func solveWithDeterminant(
    _ matrix: [[Double]], _ right: [Double]
  ) -> (solution: [Double], logDeterminant: Double)? {
    let count = right.count
    guard matrix.count == count, matrix.allSatisfy({ $0.count == count }) else { return nil }
    var rows = zip(matrix, right).map { $0 + [$1] }
    var logDeterminant = 0.0
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        rows[pivot][column] != 0, rows[pivot][column].isFinite
      else { return nil }
      rows.swapAt(column, pivot)
      logDeterminant += log(abs(rows[column][column]))
      let top = rows[column]
      for row in (column + 1)..<max(count, column + 1) where rows[row][column] != 0 {
        let factor = rows[row][column] / top[column]
        for place in column...count { rows[row][place] -= factor * top[place] }
      }
    }
    var solution = [Double](repeating: 0, count: count)
    for row in stride(from: count - 1, through: 0, by: -1) {
      var value = rows[row][count]
      for column in (row + 1)..<max(count, row + 1) { value -= rows[row][column] * solution[column] }
      solution[row] = value / rows[row][row]
    }
    return solution.allSatisfy(\.isFinite) ? (solution, logDeterminant) : nil
  }

  /// Solves min Σ wᵢ (rowᵢ·x − bᵢ)².
  static func leastSquares(_ rows: [[Double]], _ right: [Double], weights: [Double]) -> [Double]? {
    guard let count = rows.first?.count else { return nil }
    var normal = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    var side = [Double](repeating: 0, count: count)
    for ((row, value), weight) in zip(zip(rows, right), weights) {
      for i in 0..<count {
        side[i] += weight * row[i] * value
        for j in 0..<count { normal[i][j] += weight * row[i] * row[j] }
      }
    }
    return solve(normal, side)
  }
}
