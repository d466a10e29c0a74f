import ColorScience
import Simulation
import Testing
import Validation

@Suite("Series") struct SeriesTests {
  private func pair(_ id: String, lux: Double, tint: Double) -> PairMeasurement {
    let patches = (0..<6).map { index in
      PairTruth.Patch(
        name: "\(index)", kind: index < 4 ? .colorChecker : .skin, centre: .zero, polygon: [], falloff: 1,
        xyz: XYZ(Double(index + 1) / 10 * XYZ.d65.vector))
    }
    let light = PairTruth.Light(lux: lux, spectrum: "4500:green", x: 0.36, y: 0.36, cct: 4500, duv: 0.01)
    var pair = PairMeasurement(id: id, patches: patches, light: light)
    let shown = patches.map { XYZ($0.xyz.vector * SIMD3(tint, 1, 1)) }
    pair.shown[.result] = PairMeasurement.Shown(patches: PatchMeasurement(patches, shown: shown))
    return pair
  }

  @Test("Conditions are figures of their own and together; other pairs only tell about confidence")
  func figures() throws {
    var series = SeriesMeasurement(name: "steady", tolerance: 3)
    series.add(pair("E1", lux: 10, tint: 1))
    series.add(pair("E2", lux: 10, tint: 1.02))
    series.add(pair("E3", lux: 50, tint: 1))
    var dark = pair("dark", lux: 0, tint: 3)
    dark.isCondition = false
    series.add(dark)
    let figures = series.figures
    #expect(figures.conditions.map(\.id) == ["E1", "E2", "E3"])
    #expect(figures.conditions[0].tint == "green" && figures.conditions[0].chartError[.result] == 0)
    #expect(figures.methods.keys.map(\.rawValue) == ["result"])
    let result = try #require(figures.methods[.result])
    #expect(result.variance > 0 && result.varianceByLux.map(\.lux) == [10])
    #expect(result.colorError[.chart]?.count == 12 && result.colorError[.far] == nil)
    #expect(figures.confidence == nil && figures.reduction(against: .ambient) == nil)
  }

  @Test("The worst three are kept, the worst first")
  func worst() {
    var series = SeriesMeasurement(name: "steady", tolerance: 3)
    for (id, error) in [("a", 1.0), ("b", 4), ("c", 2), ("d", 3), ("e", 0.5)] {
      series.add(WorstCase(id: id, reason: "", pictures: []), error: error)
    }
    #expect(series.figures.worst.map(\.id) == ["b", "d", "c"])
    #expect(!series.isAmongWorst(1.5) && series.isAmongWorst(2.5))
  }

  @Test("Pictures for a page are at most 480 pixels wide")
  func small() {
    let picture = XYZPicture(
      width: 1000, height: 500, pixels: .init(repeating: SIMD3<Float>(XYZ.d65.vector), count: 500_000))
    let small = WorstPictures.small(picture, gain: 1)
    #expect(small.width == 333 && small.height == 166 && small.bytes.count == 3 * 333 * 166)
    #expect(small.bytes.allSatisfy { $0 >= 254 })
    let map = WorstPictures.small(map: [0, 0.5, 1, .nan], width: 2, height: 2)
    #expect(map.bytes == [0, 0, 0, 128, 128, 128, 255, 255, 255, 0, 0, 0])
    let errors = WorstPictures.small(errors: [0, 9, .nan, 100], width: 2, height: 2, tolerance: 3)
    #expect(errors.bytes.prefix(6) == [0, 0, 0, 255, 255, 255])
  }
}
