import ColorScience
import ConstantColor
import Simulation
import Testing
import Validation

/// Expected numbers come from numpy, scipy and colour-science.
@Suite("Measures of patches") struct PatchMeasureTests {
  @Test("A patch is judged by the pixels in its shrunk polygon, edges included")
  func square() {
    let polygon = [SIMD2(10.0, 10), SIMD2(20, 10), SIMD2(20, 20), SIMD2(10, 20)]
    let area = PatchArea(polygon, share: 0.6, width: 40, height: 40)
    #expect(area.pixels.count == 49)
    #expect(area.pixels.map { $0 % 40 }.min() == 12 && area.pixels.map { $0 % 40 }.max() == 18)
    #expect(PatchArea(polygon.reversed(), share: 0.6, width: 40, height: 40).pixels == area.pixels)
  }

  @Test("A tilted polygon has the pixels that other programs find in it")
  func tilted() {
    let polygon = [SIMD2(3.2, 2.1), SIMD2(17.9, 4.4), SIMD2(15.3, 18.8), SIMD2(1.7, 14.2)]
    let pixels = PatchArea(polygon, share: 0.6, width: 24, height: 24).pixels
    #expect(pixels.count == 69)
    #expect(pixels.reduce(0) { $0 + $1 % 24 } == 672)
    #expect(pixels.reduce(0) { $0 + $1 / 24 } == 684)
  }

  @Test("Polygons outside the picture, and polygons that are none, have no pixels")
  func outside() {
    let far = [SIMD2(100.0, 100), SIMD2(120, 100), SIMD2(120, 120), SIMD2(100, 120)]
    #expect(PatchArea(far, share: 0.6, width: 40, height: 40).pixels.isEmpty)
    #expect(PatchArea(far.map { -$0 }, share: 0.6, width: 40, height: 40).pixels.isEmpty)
    #expect(PatchArea([], share: 0.6, width: 40, height: 40).pixels.isEmpty)
    #expect(PatchArea(far.map { _ in SIMD2(.nan, 0) }, share: 0.6, width: 40, height: 40).pixels.isEmpty)
    let across = [SIMD2(-10.0, -10), SIMD2(10, -10), SIMD2(10, 10), SIMD2(-10, 10)]
    let pixels = PatchArea(across, share: 0.5, width: 40, height: 40).pixels
    #expect(pixels.count == 36)
  }

  @Test("The colour error is that at the truth's luminance")
  func colorErrors() {
    let cases: [(XYZ, XYZ, Double)] = [
      (XYZ(0.2, 0.15, 0.05), XYZ(0.3, 0.35, 0.2), 35.27080448348348),
      (XYZ(0.02, 0.021, 0.03), XYZ(0.9, 0.95, 1.0), 15.865796935484232),
      (XYZ(0.5, 0.3, 0.02), XYZ(0.4, 0.3, 0.05), 9.025666301575082),
    ]
    for (shown, truth, expected) in cases {
      #expect(abs(shown.colorError(to: truth) - expected) < 1e-6)
    }
    #expect(XYZ(0.1, 0, 0.1).colorError(to: XYZ(0.4, 0.3, 0.05)) == 100)
  }

  private static let patches: [PairTruth.Patch] = {
    let colors = [
      XYZ(0.1, 0.1008, 0.068), XYZ(0.85, 0.9, 0.96), XYZ(0.34, 0.36, 0.39), XYZ(0.03, 0.032, 0.035),
      XYZ(0.37, 0.346, 0.25),
    ]
    let falloff = [0.75, 0.8, 0.9, 0.7, 0.6]
    return colors.indices.map { index in
      PairTruth.Patch(
        name: "\(index)", kind: index == 4 ? .skin : .colorChecker, centre: .zero, polygon: [], falloff: falloff[index],
        xyz: colors[index])
    }
  }()

  private static let shown = patches.map { patch in
    XYZ(patch.falloff * patch.xyz.vector * SIMD3(0.9, 0.51, 0.45) / 0.8 + SIMD3(0.001, 0.002, 0))
  }

  @Test("One scale fits the neutral patches of the chart; errors with lightness are taken after it")
  func measurement() {
    let measured = PatchMeasurement(Self.patches, shown: Self.shown)
    #expect(abs(measured.scale - 1.56042263336) < 1e-10)
    let full = [24.14800349856204, 32.709077444615666, 29.13497544633511, 21.541650375655312, 24.190533052923293]
    let color = [25.184211693888518, 33.66817757756647, 29.5140011654907, 22.47228315380848, 26.01190453204659]
    for (found, expected) in zip(measured.fullErrors + measured.colorErrors, full + color) {
      #expect(abs(found - expected) < 1e-6)
    }
  }

  @Test("A patch that is not in the picture counts as black")
  func missing() {
    let measured = PatchMeasurement(Self.patches, shown: [nil, nil])
    #expect(measured.shown.count == 5 && measured.colorErrors.allSatisfy { $0 == 100 })
    #expect(measured.scale == 0)
  }

  @Test("The variance is the mean trace of the patches' covariances, of a population")
  func variance() throws {
    let conditions = (0..<5).map { c in
      (0..<4).map { p in
        let (c, p) = (Double(c), Double(p))
        return Lab(50 + 3 * sine(c + 2 * p), 10 * sine(c * p + 1 + .pi / 2), -5 + c * p)
      }
    }
    #expect(abs(try #require(LabVariance.mean(conditions)) - 46.3818381762) < 1e-9)
    #expect(abs(try #require(LabVariance.mean(conditions, chromaOnly: true)) - 42.4604323681) < 1e-9)
    #expect(LabVariance.mean([conditions[0]]) == nil)
    #expect(LabVariance.mean([conditions[0], Array(conditions[1].dropLast())]) == nil)
    #expect(LabVariance.mean([[], []]) == nil)
  }

  @Test("An alignment is judged on a grid and at the corners")
  func alignment() throws {
    let found = try #require(Homography([1.01, 0.02, 3, -0.015, 0.99, -2, 1e-5, -2e-5, 1]))
    let truth = try #require(Homography([1, 0.018, 2.5, -0.016, 1, -1.5, 0, 0, 1]))
    let error = try #require(AlignmentError(found: found, truth: truth, width: 640, height: 480))
    #expect(abs(error.rms - 5.21006904437) < 1e-9)
    #expect(abs(error.corner - 10.4463901551) < 1e-9)
  }

  @Test("An alignment of frames that were turned upright is judged as if they had not been")
  func turned() throws {
    // A shift by (3, -4) in the stored frame is one by (4, 3) in one that is turned a quarter clockwise.
    let truth = Homography.translation(x: 3, y: -4)
    let found = Homography.translation(x: 4, y: 3)
    let error = try #require(
      AlignmentError(found: found, truth: truth, width: 640, height: 480, orientation: .clockwise))
    #expect(error.rms < 1e-9 && error.corner < 1e-9)
    let other = try #require(AlignmentError(found: .identity, truth: truth, width: 640, height: 480))
    #expect(abs(other.rms - 5) < 1e-9 && abs(other.corner - 5) < 1e-9)
  }
}
