import ColorScience
import Testing

@Suite struct MatrixTests {
  let matrix = Matrix3(SIMD3(2, -1, 0.5), SIMD3(0.25, 3, -2), SIMD3(1, 0, 4))

  @Test func productActsRightFirst() {
    let other = Matrix3(SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 0, 0))
    let vector = SIMD3<Double>(1, 2, 3)
    #expect((matrix * other) * vector == matrix * (other * vector))
    #expect(other * vector == SIMD3(2, 3, 1))
    #expect(matrix * vector == SIMD3(1.5, 0.25, 13))
  }

  @Test func inverseUndoes() throws {
    for scale in [1e-150, 1, 1e150] {
      let product = try (scale * matrix) * #require((scale * matrix).inverse)
      for (number, expected) in zip(product.rowMajor, Matrix3.identity.rowMajor) {
        #expect(abs(number - expected) < 1e-14)
      }
    }
  }

  @Test func singularAndBrokenMatricesHaveNoInverse() throws {
    #expect(Matrix3(SIMD3(1, 2, 3), SIMD3(2, 4, 6), SIMD3(0, 1, 0)).inverse == nil)
    #expect(Matrix3(SIMD3(1, 2, 3), SIMD3(4, 5, 6), SIMD3(7, 8, 9)).inverse == nil)
    #expect((0 * Matrix3.identity).inverse == nil)
    #expect((Double.nan * matrix).inverse == nil)
    #expect((Double.infinity * matrix).inverse == nil)
    #expect(Matrix3(diagonal: SIMD3(1, 1, 1e-13)).inverse == nil)
    #expect((0 * Matrix3.identity).conditionNumber == .infinity)
    #expect(abs(Matrix3.identity.conditionNumber - 3) < 1e-12)
  }

  @Test func determinantAndRows() throws {
    #expect(matrix.determinant == 25.5)
    let again = try #require(Matrix3(rowMajor: matrix.rowMajor))
    #expect(again == matrix)
    #expect(Matrix3(rowMajor: [1, 2, 3]) == nil)
    #expect(matrix.transpose.rowMajor == [2, 0.25, 1, -1, 3, 0, 0.5, -2, 4])
  }
}
