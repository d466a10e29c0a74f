import Calibration
import ConstantColor
import Raster
import Testing

@Suite struct ChartSamplingTests {
  private let corners = ChartScene.facing(pitch: 50, degrees: 12)

  private func largest(_ vector: SIMD3<Double>) -> Double { max(abs(vector.x), abs(vector.y), abs(vector.z)) }

  @Test func measuresTheColorsOfThePatches() throws {
    let scene = ChartScene(corners: corners)
    let samples = ChartSampling.sample(scene.image, geometry: try ChartGeometry(corners: corners))
    #expect(samples.map(\.patch) == Array(0..<24))
    for sample in samples {
      #expect(largest(sample.mean - scene.colors[sample.patch] * scene.gains) < 1e-5)
      #expect(largest(sample.variance) < 1e-9 && largest(sample.gradient) < 1e-5 && largest(sample.texture) < 1e-5)
      // 0.55 of the pitch is 27.5 pixels.
      #expect(abs(sample.count - 756) < 30)
      #expect(sample.isInside && sample.clippedShare == 0 && sample.outlierShare == 0)
    }
  }

  @Test func isNotBiasedByNoiseAroundZero() throws {
    var scene = ChartScene(corners: corners)
    scene.gains = SIMD3(0.01, 0.02, 0.01)
    scene.noise = 0.05
    let samples = ChartSampling.sample(scene.image, geometry: try ChartGeometry(corners: corners))
    var sum = 0.0
    for sample in samples {
      let error = (sample.mean - scene.colors[sample.patch] * scene.gains) / sample.standardError
      sum += (error * error).sum()
      // The standard error is 0.05, and what lies far out is left out.
      #expect(largest(sample.variance / 0.0025 - 1) < 0.3)
      #expect(largest(sample.standardError / (0.05 / Double(sample.count).squareRoot()) - 1) < 0.9)
      #expect(largest(sample.texture / sample.standardError) < 5)
    }
    // 72 squares of normal deviates.
    #expect(sum > 30 && sum < 110)
  }

  @Test func rejectsDustAndCountsIt() throws {
    let chart = try ChartGeometry(corners: corners)
    var scene = ChartScene(corners: corners)
    scene.noise = 0.002
    var image = scene.image
    let center = chart.center(of: 19)
    for y in 0..<5 {
      for x in 0..<5 {
        let index = (Int(center.y) + y - 9) * image.bounds.width + Int(center.x) + x - 6
        image.pixels[index] = Pixel(x == y ? .nan : 0.02, 0.02, 0.02, 1)
      }
    }
    let sample = ChartSampling.sample(image, geometry: chart)[19]
    #expect(abs(sample.outlierShare - 25 / 756.0) < 0.005)
    #expect(largest(sample.mean - scene.colors[19] * scene.gains) < 4 * 0.002 / 27)
  }

  @Test func tellsGradientsFromShadows() throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 50))
    scene.falloff = 1
    scene.noise = 0.001
    let chart = try ChartGeometry(corners: scene.corners)
    var image = scene.image
    // A shadow with a hard edge through the middle of neutral 6.5.
    let edge = Int(chart.center(of: 20).x)
    for y in 230..<280 {
      for x in edge..<edge + 25 { image.pixels[y * image.bounds.width + x] *= Pixel(0.7, 0.7, 0.7, 1) }
    }
    let samples = ChartSampling.sample(image, geometry: chart)
    let expected = scene.colors[21] * scene.gains * 27.5 / 480
    #expect(largest(samples[21].gradient / expected - 1) < 0.1)
    #expect(largest(samples[21].texture / samples[21].mean) < 0.005)
    #expect(samples[20].texture.min() > 0.03 * samples[20].mean.max())
  }

  @Test func countsClippedPixels() throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 50))
    scene.gains = SIMD3(0.6, 1.2, 0.7)
    let samples = ChartSampling.sample(scene.image, geometry: try ChartGeometry(corners: scene.corners))
    for sample in samples {
      #expect(sample.clippedShare == ((scene.colors[sample.patch] * scene.gains).max() >= 1 ? 1 : 0))
    }
    #expect(samples[18].clippedShare == 1)
  }

  @Test func saysWhatIsOutsideOfThePicture() throws {
    let chart = try ChartGeometry(corners: ChartScene.facing(center: SIMD2(100, 180), pitch: 50))
    let samples = ChartSampling.sample(Image(Rectangle(width: 480, height: 360)) { _, _ in .one }, geometry: chart)
    #expect(samples.map(\.isInside) == (0..<24).map { $0 % 6 >= 1 })
    #expect(samples[0].count == 0 && samples[0].mean.x.isNaN)
    #expect(samples[1].count > 700)
  }

  @Test func doesNotDependOnThreads() throws {
    var scene = ChartScene(corners: corners)
    scene.noise = 0.02
    let chart = try ChartGeometry(corners: corners)
    let image = scene.image
    #expect(
      ChartSampling.sample(image, geometry: chart)
        == ChartSampling.sample(image, geometry: chart, execution: pieces))
  }

  @Test func bearsAnything() throws {
    let chart = try ChartGeometry(corners: corners)
    for bounds in [Rectangle(width: 0, height: 0), Rectangle(width: 1, height: 1), Rectangle(width: 300, height: 200)] {
      for value in [Float.nan, .infinity, -1e38, 1e38, 0] {
        let samples = ChartSampling.sample(Image(bounds) { _, _ in Pixel(repeating: value) }, geometry: chart)
        #expect(samples.count == 24)
        #expect(samples.allSatisfy { $0.count > 0 || $0.mean.x.isNaN })
      }
    }
    let image = ChartScene(corners: corners).image
    #expect(ChartSampling.sample(image, geometry: chart, share: .nan)[3].count > 700)
  }
}
