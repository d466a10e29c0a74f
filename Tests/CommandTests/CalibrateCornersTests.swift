import Glibc
import Photo
import TestSupport
import Testing

/// `calibrate` with corners that are named in the upright frame or in the stored one, and without exposures.
@Suite struct CalibrateCornersTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// Linear sRGB of 24 patches: 18 colours and six greys.
  static let colors: [SIMD3<Double>] = (0..<24).map { index in
    guard index < 18 else { return SIMD3(repeating: [0.9, 0.6, 0.36, 0.2, 0.09, 0.04][index - 18]) }
    return SIMD3(
      [0.08, 0.25, 0.55][index % 3], [0.1, 0.3, 0.5][index / 3 % 3], [0.45, 0.07, 0.2][(2 * index + index / 9) % 3])
  }

  /// The chart as a table of XYZ under D65.
  static var table: String {
    let rows = colors.enumerated().map { index, c in
      let x = 0.4124 * c.x + 0.3576 * c.y + 0.1805 * c.z
      let y = 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z
      let z = 0.0193 * c.x + 0.1192 * c.y + 0.9505 * c.z
      return "\(index + 1),\(x),\(y),\(z)"
    }
    return "name,X,Y,Z\n" + rows.joined(separator: "\n") + "\n"
  }

  /// The size of the stored frame, and where the chart's corners are in it.
  static let (width, height) = (240, 160)
  static let flashWhite = SIMD3(0.5, 1, 0.6)
  static let otherWhite = SIMD3(0.8, 1, 0.3)
  static let stored = "30,26,210,26,210,134,30,134"

  /// A frame of the chart in the flash's light and a share of another, in which the colours are not a matrix of those in
  /// the first. There is no EXIF, so that nothing says the exposures.
  func write(_ name: String, flash: Double, other: Double, orientation: UInt16) throws {
    var state: UInt64 = 88_172_645_463_325_252
    let samples = (0..<Self.width * Self.height).map { index -> UInt16 in
      let (x, y) = (index % Self.width, index / Self.width)
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let (column, row) = ((x - 12) / 36, (y - 8) / 36)
      let (right, down) = (x - 12 - 36 * column, y - 8 - 36 * row)
      let isPatch = x >= 12 && y >= 8 && column < 6 && row < 4 && (3..<33).contains(right) && (3..<33).contains(down)
      let color = isPatch ? Self.colors[6 * row + column] : SIMD3(repeating: 0.03)
      let channel = [0, 1, 1, 2][y % 2 * 2 + x % 2]
      let lit = Self.flashWhite[channel] * flash * color[channel]
      let value = lit + Self.otherWhite[channel] * other * pow(color[channel], 1.3)
      return UInt16(1024 + 60000 * value + Double(state >> 40 & 63))
    }
    var dng = DNGFile(width: Self.width, height: Self.height, samples: samples)
    dng.black = (1, 1, [1055])
    dng.white = [65535]
    dng.orientation = orientation
    try folder.write(dng.file, name)
  }

  func calibrate(_ corners: String, ratio: Double? = 1) throws -> Command {
    try Command.constantColor(
      [
        "calibrate", "--flash", path("flash.dng"), "--ambient", path("ambient.dng"), "--output", path("profile.json"),
        "--chart", path("chart.csv"), "--align", "none", "--corners", corners,
      ] + (ratio.map { ["--exposure-ratio", "\($0)"] } ?? []))
  }

  func writePair(orientation: UInt16) throws {
    try write("flash.dng", flash: 0.8, other: 0.1, orientation: orientation)
    try write("ambient.dng", flash: 0, other: 0.1, orientation: orientation)
    try folder.write(Array(Self.table.utf8), "chart.csv")
  }

  /// All numbers of the profile but those of times and paths.
  func numbers() throws -> [Double] {
    let lines = try Command(["cat", path("profile.json")]).lines
    return lines.filter { !$0.contains("\"created") && !$0.contains("path") }.flatMap { line in
      line.split { !"0123456789.e-".contains($0) }.compactMap { Double($0) }
    }
  }

  @Test(
    arguments: [
      (3, "209,133,29,133,29,25,209,25"), (6, "133,30,133,210,25,210,25,30"), (8, "26,209,26,29,134,29,134,209"),
    ] as [(UInt16, String)])
  func cornersOfTheStoredFrameAreUnderstood(_ orientation: UInt16, _ upright: String) throws {
    try writePair(orientation: orientation)
    let right = try calibrate(upright)
    #expect(right.status == 0, "\(right.errors)")
    #expect(!right.errors.contains("stored"))
    let expected = try numbers()
    #expect(try Command(["cat", path("profile.json")]).output.contains("\"cornersSource\": \"given\""))

    let command = try calibrate(Self.stored)
    #expect(command.status == 0, "\(command.errors)")
    #expect(command.errors.contains("note: ") && command.errors.contains("as it is stored"))
    #expect(try Command(["cat", path("profile.json")]).output.contains("\"cornersSource\": \"given, as stored\""))
    let found = try numbers()
    #expect(found.count == expected.count && found.count > 200)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 * max(1, abs($1)) })
    // The matrix is known: sRGB to XYZ, so that what is left out is predicted to the noise.
    #expect(command.output.contains("mean 0.0"))
  }

  @Test func theChartTellsTheExposureRatio() throws {
    try write("flash.dng", flash: 0.7, other: 0.15, orientation: 1)
    try write("ambient.dng", flash: 0, other: 0.6, orientation: 1)
    try folder.write(Array(Self.table.utf8), "chart.csv")
    let command = try calibrate(Self.stored, ratio: nil)
    #expect(command.status == 0, "\(command.errors)")
    #expect(command.output.contains("mean 0.0"), "\(command.output)")
    let found = command.errors.split { !"0123456789.".contains($0) }.compactMap { Double($0) }
    #expect(found.contains { abs($0 / 0.25 - 1) < 0.05 }, "\(command.errors)")
  }

  @Test func cornersThatAreNowhereAreRefused() throws {
    try writePair(orientation: 8)
    let command = try calibrate("60,60,120,60,120,90,60,90")
    #expect(command.status == 2)
    #expect(command.errors.split(separator: "\n").count == 1 && command.errors.contains("flash.dng: "))
  }
}
