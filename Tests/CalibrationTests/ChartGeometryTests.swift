import Calibration
import ConstantColor
import Raster
import Testing

@Suite struct ChartGeometryTests {
  private let tilted: [SIMD2<Double>] = [SIMD2(100, 50), SIMD2(420, 90), SIMD2(400, 300), SIMD2(90, 240)]

  @Test func goesThroughItsCorners() throws {
    let chart = try ChartGeometry(corners: tilted)
    for (patch, corner) in zip([0, 5, 23, 18], tilted) {
      #expect(abs(chart.center(of: patch).x - corner.x) < 1e-6)
      #expect(abs(chart.center(of: patch).y - corner.y) < 1e-6)
    }
  }

  @Test func keepsLinesAsAProjectionDoes() throws {
    let chart = try ChartGeometry(corners: tilted)
    // The diagonals of the whole chart meet at the place whose chart coordinates are (2.5, 1.5).
    let (a, b, c, d) = (tilted[0], tilted[1], tilted[2], tilted[3])
    let (u, v, w) = (c - a, d - b, b - a)
    let t = (w.x * v.y - w.y * v.x) / (u.x * v.y - u.y * v.x)
    let middle = try #require(chart.point(at: SIMD2(2.5, 1.5)))
    #expect(abs(middle.x - (a + t * u).x) < 1e-6 && abs(middle.y - (a + t * u).y) < 1e-6)
    // Patches of the first row lie on the line of its ends.
    for patch in 1..<5 {
      let p = chart.center(of: patch) - a
      #expect(abs(p.x * w.y - p.y * w.x) < 1e-4)
    }
  }

  @Test func patchesHaveTheAskedShareOfThePitch() throws {
    let chart = try ChartGeometry(corners: ChartScene.facing(pitch: 40))
    let corners = chart.quadrilateral(of: 8, share: 0.5)
    let (low, high) = (chart.center(of: 8) - 10, chart.center(of: 8) + 10)
    let expected = [low, SIMD2(high.x, low.y), high, SIMD2(low.x, high.y)]
    for (corner, place) in zip(corners, expected) {
      #expect(abs(corner.x - place.x) < 1e-6 && abs(corner.y - place.y) < 1e-6)
    }
  }

  @Test(arguments: [0.0, 90, 180, 270, 33])
  func takesEveryTurn(degrees: Double) throws {
    _ = try ChartGeometry(corners: ChartScene.facing(pitch: 30, degrees: degrees))
  }

  @Test func refusesWhatIsNoChart() {
    func reason(_ corners: [SIMD2<Double>]) -> String {
      do {
        _ = try ChartGeometry(corners: corners)
        return "taken"
      } catch { return "\(error)" }
    }
    #expect(reason(Array(tilted.prefix(3))).contains("four corners"))
    #expect(reason([tilted[1], tilted[0], tilted[3], tilted[2]]).contains("mirrored"))
    #expect(reason([tilted[0], tilted[1], tilted[3], tilted[2]]).contains("cross"))
    #expect(reason([SIMD2(0, 0), SIMD2(100, 0), SIMD2(200, 0), SIMD2(0, 100)]).contains("line"))
    #expect(reason([SIMD2(0, 0), SIMD2(500, 0), SIMD2(120, 90), SIMD2(0, 300)]).contains("inwards"))
    #expect(reason(ChartScene.facing(pitch: 2)).contains("apart"))
    #expect(reason([SIMD2(0, 0), SIMD2(500, 0), SIMD2(503, 3), SIMD2(3, 3)]) != "taken")
    #expect(reason([SIMD2(.nan, 0), SIMD2(500, 0), SIMD2(500, 300), SIMD2(0, 300)]).contains("numbers"))
    #expect(reason([SIMD2(0, 0), SIMD2(.infinity, 0), SIMD2(500, 300), SIMD2(0, 300)]).contains("numbers"))
    #expect(reason(Array(repeating: SIMD2(7, 7), count: 4)) != "taken")
  }
}
