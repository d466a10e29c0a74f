import ColorScience
import GEGL
import Glibc
import JSONValue
import Photo
import Raster
import TestSupport
import Testing

/// Scripts/demo from beginning to end, and its result compared with what its renderer knows.
@Suite struct DemoTests {
  @Test func developsTheSamplePair() throws {
    let folder = try TemporaryFolder()
    let demo = try Command(
      [Built.root + "/Scripts/demo", folder.path + "/pictures"], environment: ["CONSTANT_COLOR_BIN": Built.folder])
    try #require(demo.status == 0, "\(demo.errors)")
    let names = ["flash", "ambient", "result", "confidence", "fallback", "truth"].map {
      "\(folder.path)/pictures/\($0).png"
    }
    for name in names { #expect(exists(name)) }
    #expect(exists("\(folder.path)/pictures/report.json"))

    // The hand's movement is found, to less than colours notice.
    let found = try matrix(contents("\(folder.path)/pictures/report.json"), "alignment")
    let known = try matrix(contents("\(folder.path)/pictures/alignment.json"), nil)
    for (x, y) in [(0, 0), (959, 0), (0, 639), (959, 639)] as [(Double, Double)] {
      let (wanted, moved) = (place(known, x, y), place(found, x, y))
      #expect(hypot(moved.x - wanted.x, moved.y - wanted.y) < 0.1)
      #expect(hypot(x - wanted.x, y - wanted.y) > 2)
    }

    Library.start()
    let pictures = try names.map(linearSRGB)
    let (flash, result, confidence, fallback, truth) = (pictures[0], pictures[2], pictures[3], pictures[4], pictures[5])
    // The map is linear, and read here as if it were sRGB: 0.15 has become 0.0194. (Nobody knows that these pictures have no
    // tone curve.)
    let trusted = confidence.pixels.indices.filter { confidence.pixels[$0].x > 0.0194 }
    #expect(Double(trusted.count) > 0.85 * Double(confidence.pixels.count))

    // The light of the lamps is gone: what is left of it is below what an eye sees side by side (about 1).
    #expect(error(of: result, to: truth, at: trusted) < 0.5)
    #expect(error(of: flash, to: truth, at: trusted) > 5)
    // The fallback has the pair's word for the lamps' light, but their shading: right, but not as right as the result.
    let ratio = error(of: fallback, to: truth, at: trusted) / error(of: result, to: truth, at: trusted)
    #expect(ratio > 1.5)
    #expect(error(of: fallback, to: truth, at: trusted) < 2)
  }

  private func matrix(_ text: String, _ key: String?) throws -> [Double] {
    let json = try JSON(parsing: Array(text.utf8))
    let numbers = try #require((key.map { json[$0] } ?? json)["matrix"].doubles)
    try #require(numbers.count == 9)
    return numbers
  }

  private func place(_ matrix: [Double], _ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let scale = matrix[6] * x + matrix[7] * y + matrix[8]
    return ((matrix[0] * x + matrix[1] * y + matrix[2]) / scale, (matrix[3] * x + matrix[4] * y + matrix[5]) / scale)
  }

  private func linearSRGB(_ path: String) throws -> Image {
    let buffer = try PictureLoader.load(path).buffer
    let format = try PixelFormat("RGBA float", space: ColorSpace(named: "sRGB"))
    let source = try #require(BufferSource(buffer, format: format))
    return source.image(source.bounds)
  }

  /// The mean CIEDE2000 of 3 × 3 means, after each was brought to the luminance that it should have.
  private func error(of picture: Image, to truth: Image, at places: [Int]) -> Double {
    let width = truth.bounds.width
    var sum = 0.0
    var count = 0
    for place in places where place % 7 == 0 {
      let (wanted, found) = (xyz(truth, place % width, place / width), xyz(picture, place % width, place / width))
      guard wanted.y > 0.01, found.y > 0 else { continue }
      sum += Lab(XYZ(found.vector * (wanted.y / found.y))).ciede2000(to: Lab(wanted))
      count += 1
    }
    return count > 0 ? sum / Double(count) : .infinity
  }

  private func xyz(_ image: Image, _ x: Int, _ y: Int) -> XYZ {
    var sum = Pixel.zero
    for dy in -1...1 { for dx in -1...1 { sum += image[x + dx, y + dy] } }
    let mean = sum / 9
    return XYZ(RGBSpace.sRGB.toXYZ * SIMD3(Double(mean.x), Double(mean.y), Double(mean.z)))
  }
}
