import Capture
import ColorScience
import ConstantColor
import Glibc
import Photo
import Raster
import SimulatedCapture
import Simulation
import Testing
import Validation

/// Rows 4 to 7 and 9 of the mission: what a constant-colour photo and its confidence are like, against the truth.
@Suite(.serialized) struct ConstantColorPhotoTests {
  /// A capture in a warm room, with everything that is known of it; made once.
  struct Shot: Sendable {
    let photo, fallback: Photo
    let map: ConfidenceMap
    let regions: [Region]
    let reference: SceneReference
  }

  private static let shot = Task { () -> Shot in
    let frames = try #require(SimulatedFrames(lux: 200, kelvin: 3000, width: 640, height: 480))
    let studio = try await Studio(CaptureDevice(simulated: frames))
    let photos = try await studio.output.capturePhotos(with: .constantColor(fallback: true))
    try #require(photos.count == 2)
    let pair = try #require(frames.simulator.pair(frames.conditions[0], execution: .serial))
    let scene = frames.simulator.truth(of: frames.conditions[0], execution: .serial)
    return Shot(
      photo: photos[0], fallback: photos[1], map: try #require(photos[0].constantColorConfidenceMap),
      regions: pair.mask, reference: SceneReference(scene))
  }

  private func shot() async throws -> Shot { try await Self.shot.value }

  /// What a photo shows, unbounded.
  private func picture(_ photo: Photo) throws -> XYZPicture {
    let buffer = try #require(photo.linearPixelBuffer)
    let values = try buffer.linearValues()
    let pixels = stride(from: 0, to: values.count, by: 3).map { index in
      SIMD3<Float>(
        RGBSpace.sRGB.toXYZ * SIMD3(Double(values[index]), Double(values[index + 1]), Double(values[index + 2])))
    }
    return XYZPicture(width: buffer.width, height: buffer.height, pixels: pixels)
  }

  private func mean(_ values: [Float], where isIn: (Int) -> Bool) -> Double? {
    Validation.mean(values, where: values.indices.map(isIn))
  }

  /// Row 4: a second buffer of the photo's size, as bytes and as floats; and it means something.
  @Test func confidenceMap() async throws {
    let shot = try await shot()
    let map = shot.map
    let pixels = try #require(shot.photo.pixelBuffer)
    #expect(map.width == pixels.width && map.height == pixels.height && map.values.count == 640 * 480)
    #expect(map.values.allSatisfy { (0...1).contains($0) })
    #expect(map.bytes == map.values.map { UInt8(($0 * 255).rounded()) })
    #expect(map[10, 7] == map.values[7 * 640 + 10] && map[-1, 0] == 0 && map[640, 0] == 0)
    // Colours that it trusts are better than those that it does not. Without a calibration it trusts none much.
    let errors = PixelErrors.measure(try picture(shot.photo), shot.reference)
    let trusted = try #require(mean(errors) { map.values[$0] > 0.4 && errors[$0].isFinite })
    let doubtful = try #require(mean(errors) { map.values[$0] < 0.2 && errors[$0].isFinite })
    #expect(trusted < 4.5 && doubtful > 1.5 * trusted, "\(trusted) \(doubtful)")
  }

  /// Row 5: one number, in which the centre weighs more.
  @Test func centerWeightedMean() async throws {
    let shot = try await shot()
    var means = CenterWeighting(Rectangle(width: 640, height: 480))
    means.add(Rectangle(width: 640, height: 480), shot.map.values.span)
    let expected = try #require(means.centerWeightedMean)
    let level = shot.photo.constantColorCenterWeightedMeanConfidenceLevel
    #expect(abs(Double(level) - expected) < 1e-6)
    #expect(abs(Double(level) - (shot.photo.report?.centerWeightedMeanConfidence ?? 0)) < 1e-6)
    #expect((0.1..<1).contains(level))
    // A small tolerance is met more seldom.
    let frames = try #require(SimulatedFrames(lux: 200, kelvin: 3000, width: 160, height: 120))
    let studio = try await Studio(CaptureDevice(simulated: frames))
    var levels: [Float] = []
    for tolerance in [1.0, 3, 10] {
      var settings = PhotoSettings.constantColor()
      settings.processing.tolerance = tolerance
      levels += try await studio.output.capturePhotos(with: settings)
        .map(\.constantColorCenterWeightedMeanConfidenceLevel)
    }
    #expect(levels.count == 3 && levels == levels.sorted() && levels[0] < 0.7 * levels[2], "\(levels)")
  }

  /// Row 6: what the flash's reflection clips is not trusted.
  @Test func specularHighlights() async throws {
    let shot = try await shot()
    let clipped = try #require(mean(shot.map.values) { shot.regions[$0].contains(.clippedFlash) })
    let plain = try #require(mean(shot.map.values) { shot.regions[$0].isEmpty })
    #expect(clipped < 0.05 && plain > 0.25, "\(clipped) \(plain)")
  }

  /// Row 7: where the confidence is low there is a picture all the same.
  @Test func lowConfidenceIsViewable() async throws {
    let shot = try await shot()
    let shown = try #require(shot.photo.pixelBuffer).encodedValues()
    let low = shot.map.values.indices.filter { shot.map.values[$0] < 0.2 }
    #expect(low.count > 2000)
    let values = low.flatMap { shown[3 * $0..<3 * $0 + 3] }
    #expect(values.allSatisfy { $0.isFinite && (-0.001...1.001).contains($0) })
    // Neither black nor white altogether.
    #expect(values.count { (0.03...0.97).contains($0) } > values.count / 2)
    let picture = try picture(shot.photo)
    let wild = try #require(WildPixels.share(of: picture, scale: 1, shot.regions, shot.reference))
    #expect(wild < 0.01, "\(wild)")
    #expect(try #require(shot.photo.linearPixelBuffer).linearValues().allSatisfy(\.isFinite))
  }

  /// Row 9: the ambient light's shadow is gone, and is there in the fallback.
  @Test func ambientShadow() async throws {
    let shot = try await shot()
    let left = try #require(ShadowEdge.left(in: try picture(shot.photo), shot.regions, shot.reference))
    let before = try #require(ShadowEdge.left(in: try picture(shot.fallback), shot.regions, shot.reference))
    #expect(abs(left) < 0.1 && before > 0.6, "\(left) \(before)")
  }

  /// Rows 2 and 8: the photo's colours are those of daylight whatever the room's light is; the fallback's depend on it.
  @Test func constantColor() async throws {
    func skin(_ kelvin: Double) async throws -> (photo: Lab, fallback: Lab) {
      let frames = try #require(SimulatedFrames(lux: 200, kelvin: kelvin, width: 320, height: 240))
      let studio = try await Studio(CaptureDevice(simulated: frames))
      let photos = try await studio.output.capturePhotos(with: .constantColor(fallback: true))
      let pair = try #require(frames.simulator.pair(frames.conditions[0], execution: .serial))
      let patch = try #require(pair.truth.patches.first { $0.kind == .skin })
      let area = PixelArea(x: Int(patch.centre.x) - 3, y: Int(patch.centre.y) - 3, width: 7, height: 7)
      let labs = try photos.map { try #require($0.linearPixelBuffer).meanLab(area) }
      #expect(try #require(photos[0].constantColorConfidenceMap?.mean(area)) > 0.3)
      return (labs[0], labs[1])
    }
    let (warm, cool) = (try await skin(3000), try await skin(7500))
    let apart = hypot(warm.photo.a - cool.photo.a, warm.photo.b - cool.photo.b)
    #expect(apart < 2, "\(warm) \(cool)")
  }

  @Test func areasOutsideAreRefused() async throws {
    let shot = try await shot()
    let pixels = try #require(shot.photo.pixelBuffer)
    for area in [
      PixelArea(x: -1, y: 0, width: 2, height: 2), PixelArea(x: 639, y: 0, width: 2, height: 1),
      PixelArea(x: 0, y: 0, width: 0, height: 1), PixelArea(x: .max, y: .max, width: .max, height: .max),
      PixelArea(x: 0, y: 0, width: .max, height: 1), PixelArea(x: .min, y: .min, width: 1, height: 1),
    ] {
      #expect(throws: CaptureError.invalidArea(area)) { try pixels.linearValues(area) }
      #expect(shot.map.mean(area) == nil)
    }
    #expect(try pixels.encodedBytes(PixelArea(x: 639, y: 479, width: 1, height: 1)).count == 3)
  }
}
