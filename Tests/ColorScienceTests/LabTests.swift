import ColorScience
import Testing

@Suite struct LabTests {
  let referenceWhite = XYZ(0.95047, 1, 1.08883)

  @Test(arguments: ReferenceValues.lab) func agreesWithReference(_ row: [Double]) {
    let lab = Lab(XYZ(row[0], row[1], row[2]), white: referenceWhite)
    #expect(maximumDifference(lab.vector, SIMD3(row[3], row[4], row[5])) < 1e-6)
  }

  @Test func thereAndBack() {
    for xyz in [XYZ(0.2, 0.3, 0.1), XYZ(0.001, 0.002, 0.003), XYZ(-0.01, -0.02, 0.4), XYZ(3, 2, 1), XYZ(0, 0, 0)] {
      #expect(maximumDifference(Lab(xyz).xyz().vector, xyz.vector) < 1e-14)
    }
  }

  @Test func whiteAndBlack() {
    #expect(maximumDifference(Lab(.d65).vector, SIMD3(100, 0, 0)) < 1e-12)
    #expect(maximumDifference(Lab(XYZ(0, 0, 0)).vector, .zero) < 1e-12)
    #expect(maximumDifference(Lab(.d50, white: .d50).vector, SIMD3(100, 0, 0)) < 1e-12)
  }

  @Test func hueIsAnAngle() {
    #expect(Lab(50, 10, 0).hue == 0)
    #expect(Lab(50, 0, 10).hue == 90)
    #expect(Lab(50, 0, -10).hue == 270)
    #expect(Lab(50, 0, 0).hue == 0)
    #expect(Lab(50, 3, 4).chroma == 5)
  }

  @Test(arguments: [XYZ(0.3, 0.2, 0.1), XYZ(0.01, 0.012, 0.015), XYZ(0.0005, 0.0003, 0.0004), XYZ(-0.001, 0.1, 0.9)])
  func jacobianIsTheDerivative(_ xyz: XYZ) {
    let jacobian = Lab.jacobian(at: xyz)
    for axis in 0..<3 {
      var step = SIMD3<Double>.zero
      step[axis] = 1e-7
      let numeric = (Lab(XYZ(xyz.vector + step)).vector - Lab(XYZ(xyz.vector - step)).vector) / 2e-7
      let exact = jacobian * (step / 1e-7)
      #expect(maximumDifference(numeric, exact) < 1e-5 * (1 + maximumDifference(exact, .zero)))
    }
  }
}

@Suite struct CIEDE2000Tests {
  @Test(arguments: ReferenceValues.sharma2005) func agreesWithSharma(_ row: [Double]) {
    let (first, second) = (Lab(row[0], row[1], row[2]), Lab(row[3], row[4], row[5]))
    #expect(abs(first.ciede2000(to: second) - row[6]) < 1e-4)
    #expect(abs(second.ciede2000(to: first) - row[6]) < 1e-4)
  }

  @Test(arguments: ReferenceValues.ciede2000) func agreesWithReference(_ row: [Double]) {
    let difference = Lab(row[0], row[1], row[2]).ciede2000(to: Lab(row[3], row[4], row[5]))
    #expect(abs(difference - row[6]) < 1e-6)
  }

  @Test func extremesStayDefined() {
    #expect(Lab(1e9, 1e9, 0).ciede2000(to: Lab(0, 0, 0)).isFinite)
    #expect(Lab(.nan, 0, 0).ciede2000(to: Lab(0, 0, 0)).isNaN)
    #expect(Lab(40, 20, -30).ciede2000(to: Lab(40, 20, -30)) == 0)
  }

  @Test(arguments: [Lab(50, 0, 0), Lab(30, 40, -10), Lab(70, -5, 60), Lab(45, 12, -60), Lab(90, 0.5, 0.2)])
  func metricMeasuresSmallSteps(_ lab: Lab) {
    let metric = lab.ciede2000Metric
    let steps: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, -0.3, 0.8], [-0.2, 0.9, 0.4]]
    for step in steps {
      let half = step * 0.5e-4
      let moved = Lab((lab.vector + half).x, (lab.vector + half).y, (lab.vector + half).z)
      let back = Lab((lab.vector - half).x, (lab.vector - half).y, (lab.vector - half).z)
      let measured = back.ciede2000(to: moved) / 1e-4
      let predicted = (step * (metric * step)).sum().squareRoot()
      #expect(abs(measured - predicted) < 2e-3 * predicted)
    }
  }
}

func maximumDifference(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  let difference = a - b
  return max(abs(difference.x), abs(difference.y), abs(difference.z))
}
