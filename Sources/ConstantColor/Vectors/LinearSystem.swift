import Glibc

/// Systems of linear equations with a few to some hundred unknowns.
package enum LinearSystem {
  /// Solves A·x = b by elimination with row pivoting.
  ///
  /// - Parameters:
  ///   - matrix: A, n rows of n numbers.
  ///   - right: b.
  /// - Returns: x, or nil where A is singular or anything is not finite.
  package static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    solveWithDeterminant(matrix, right)?.solution
  }

  /// The same, with the logarithm of the determinant's absolute value.
  ///
  /// - Parameter leastPivot: a pivot that is not larger counts as 0.
  package static func solveWithDeterminant(
    _ matrix: [[Double]], _ right: [Double], leastPivot: Double = 0
  ) -> (solution: [Double], logDeterminant: Double)? {
    let count = right.count
    guard matrix.count == count, matrix.allSatisfy({ $0.count == count }) else { return nil }
    var rows = zip(matrix, right).map { $0 + [$1] }
    var logDeterminant = 0.0
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > leastPivot, rows[pivot][column].isFinite
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
}

/// A few linear equations, weighted, solved by least squares.
package struct NormalEquations {
  private var matrix: [[Double]]
  private var right: [Double]

  package init(unknowns: Int) {
    right = [Double](repeating: 0, count: unknowns)
    matrix = [[Double]](repeating: right, count: unknowns)
  }

  /// Adds the equation Σ coefficients · unknowns = value.
  package mutating func add(_ coefficients: [Double], _ value: Double, weight: Double = 1) {
    guard coefficients.count == right.count else { return }
    for i in right.indices where coefficients[i] != 0 {
      let factor = weight * coefficients[i]
      for j in right.indices { matrix[i][j] += factor * coefficients[j] }
      right[i] += factor * value
    }
  }

  /// The unknowns, or nil where the equations do not determine them.
  package var solution: [Double]? {
    let largest = right.indices.reduce(0) { max($0, abs(matrix[$1][$1])) }
    return LinearSystem.solveWithDeterminant(matrix, right, leastPivot: 1e-12 * largest)?.solution
  }
}
