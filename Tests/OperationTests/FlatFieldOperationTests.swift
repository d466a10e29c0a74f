import Calibration
import ColorScience
import ConstantColor
import GEGL
import JSONValue
import Raster
import TestSupport
import Testing

extension Operations {
  /// Flat field, reflectance check and white background as hosts use them.
  @Suite(.serialized) struct FlatFieldOperationTests {
    init() { OperationFixture.started }

    private static let box = Rectangle(x: 4, y: -6, width: 160, height: 120)

    /// A profile whose flat field falls off to the right, in a file.
    private func profile(_ folder: TemporaryFolder, hasField: Bool = true) throws -> (path: String, field: FlatField) {
      var coefficients = [[Double]](repeating: [Double](repeating: 0, count: FlatField.termCount), count: 3)
      for channel in 0..<3 { coefficients[channel][0] = -0.3 - 0.1 * Double(channel) }
      let field = try #require(FlatField(coefficients: coefficients, extent: SIMD2(1, 0.75)))
      var profile = CalibrationProfile(
        input: .linearSRGB, make: nil, model: nil,
        transform: CalibratedTransform(matrix: RGBSpace.sRGB.toXYZ, white: SIMD3(1, 1, 1)),
        exposure: CalibrationProfile.Exposure(time: nil, iso: nil, fNumber: nil), duration: .strobe, noise: nil,
        expectedError: 1)
      if hasField {
        profile.flatField = CalibrationProfile.MeasuredFlatField(
          field: field, focalLength: nil, before: nil, after: nil)
      }
      try folder.write(Array(JSON.object(profile.members).text().utf8), "profile.json")
      return (folder.path + "/profile.json", field)
    }

    private func picture(_ pixel: (Int, Int) -> Pixel) throws -> Buffer {
      try Buffer(Self.box, format: OperationFixture.linear(), samples: Image(Self.box, pixel).pixels)
    }

    private func run(_ name: String, _ input: Buffer, aux: Buffer? = nil, _ properties: [(String, Value)]) throws
      -> [Pixel]
    {
      let graph = try Graph()
      let node = try graph.add(name)
      for (name, value) in properties { try node.set(name, value) }
      try node.connect(from: graph.add(input))
      if let aux { try node.connect("aux", from: graph.add(aux)) }
      return try OperationFixture.pixels(node)
    }

    @Test func theFlatFieldIsDividedAway() throws {
      let folder = try TemporaryFolder()
      let (path, field) = try profile(folder)
      func sheet(_ orientation: Orientation) throws -> Buffer {
        try picture { x, y in
          let place = FlatField.place(
            ofUpright: SIMD2(Double(x - Self.box.x), Double(y - Self.box.y)), width: 160, height: 120,
            orientation: orientation)
          return Pixel(rgb: SIMD3<Float>(0.5 * field.light(at: place)), alpha: 1)
        }
      }
      for orientation in [Orientation.upright, .halfTurn, .mirrored] {
        let even = try run(
          "constant-color:flat-field", sheet(orientation),
          [("profile", .string(path)), ("orientation", .int(Int(orientation.rawValue)))])
        #expect(even.allSatisfy { abs($0.x - 0.5) < 1e-3 && abs($0.y - 0.5) < 1e-3 && abs($0.z - 0.5) < 1e-3 })
      }
      // Switched off, without a profile, or with one that has none, nothing changes.
      let input = try sheet(.upright)
      let pixels = try input.read(Self.box, format: OperationFixture.linear(), as: Pixel.self)
      #expect(try run("constant-color:flat-field", input, []) == pixels)
      let off: [(String, Value)] = [("profile", .string(path)), ("flat-field", false)]
      #expect(try run("constant-color:flat-field", input, off) == pixels)
      #expect(try run("constant-color:flat-field", input, [("profile", .string(folder.path + "/none.json"))]) == pixels)
      let (bare, _) = try profile(folder, hasField: false)
      #expect(try run("constant-color:flat-field", input, [("profile", .string(bare))]) == pixels)
    }

    /// The whole chain divides, too, and its confidence is the same.
    @Test func developingUsesIt() throws {
      let folder = try TemporaryFolder()
      let (path, field) = try profile(folder)
      let light = SIMD3<Float>(0.3, 0.3, 0.3)
      let ambient = try OperationFixture.buffer(Self.box, light: light)
      let flash = try OperationFixture.buffer(Self.box, light: 3 * light)
      func develop(_ show: String, _ isUsed: Bool) throws -> [Pixel] {
        try run(
          "constant-color:develop", flash, aux: ambient,
          [
            ("profile", .string(path)), ("flat-field", .bool(isUsed)), ("exposure-ratio", 1), ("align", "none"),
            ("exposure", "fixed"), ("space", "linear-srgb"), ("show", .choice(show)),
          ])
      }
      let (with, without) = (try develop("result", true), try develop("result", false))
      for (x, y) in [(10, 10), (80, 60), (150, 100)] {
        let index = y * 160 + x
        let place = FlatField.place(
          ofUpright: SIMD2(Double(x), Double(y)), width: 160, height: 120, orientation: .upright)
        #expect(abs(Double(without[index].y / with[index].y) - field.light(at: place).y) < 0.01, "\(x) \(y)")
      }
      #expect(try develop("confidence", true) == develop("confidence", false))
    }

    @Test func whatGlowsHasNoConfidence() throws {
      let trust = try picture { x, _ in Pixel(repeating: x < 20 ? 0.2 : 0.8) }
      let scene = try picture { x, _ in x < 84 ? Pixel(0.7, 0.7, 0.7, 1) : Pixel(1.6, 0.4, 0, 1) }
      func map(_ white: Double) throws -> [Pixel] {
        try run("constant-color:reflectance-check", trust, aux: scene, [("white", .double(white))])
      }
      let (checked, free) = (try map(0.9), try map(0))
      for (x, expected) in [(10, Float(0.2)), (60, 0.8), (120, 0)] {
        #expect(abs(checked[50 * 160 + x - 4].x - expected) < 1e-6, "\(x)")
        #expect(abs(free[50 * 160 + x - 4].x - (expected == 0 ? 0.8 : expected)) < 1e-6)
      }
    }

    @Test func theBackgroundBecomesWhite() throws {
      let product = Pixel(0.2, 0.05, 0.04, 1)
      let scene = try picture { x, y in
        if abs(x - 84) < 40, abs(y - 54) < 30 { return product }
        return Pixel(rgb: SIMD3(0.7, 0.68, 0.66) * (1 - 0.001 * Float(x)), alpha: 1)
      }
      let graph = try Graph()
      let node = try graph.add("constant-color:white-background", ["lightness": 96])
      try node.connect(from: graph.add(scene))
      let pixels = try OperationFixture.pixels(node)
      let white = Float(Lab(96, 0, 0).xyz().y)
      for index in [0, 159, 119 * 160, 20 * 160 + 80] {
        #expect(
          abs(pixels[index].x - white) < 0.004 && abs(pixels[index].z - white) < 0.004, "\(index) \(pixels[index])")
      }
      #expect(pixels[60 * 160 + 80] == product)
      #expect(node.number("found-background").map { $0 > 0.7 } == true)
      #expect(node.number("found-uniformity").map { $0 > 0.1 } == true)
    }
  }
}
