import Photo
import TestSupport
import Testing

/// `develop` with RAW files.
@Suite struct RawCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// A scene in a light, as a sensor with noise sees it.
  func write(_ name: String, light: SIMD3<Double>, orientation: UInt16 = 1) throws {
    let (width, height) = (160, 120)
    var state: UInt64 = 88_172_645_463_325_252
    let samples = (0..<width * height).map { index -> UInt16 in
      let (x, y) = (index % width, index / width)
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let reflectance = (x / 19 + y / 17) % 2 == 0 ? 0.8 : 0.3 + 0.4 * Double((x / 6 * 31 + y / 5 * 17) % 64) / 64
      let color = [0, 1, 1, 2][y % 2 * 2 + x % 2]
      return UInt16(256 + 3500 * reflectance * light[color] + Double(state >> 40 & 15))
    }
    var dng = DNGFile(width: width, height: height, samples: samples)
    dng.black = (1, 1, [256])
    dng.white = [4095]
    dng.orientation = orientation
    dng.isBehindThumbnail = true
    try folder.write(dng.file, name)
  }

  @Test func aPairDevelopsAndKeepsNoTagsOfItsFormat() throws {
    try write("flash.dng", light: [0.5, 0.9, 0.6], orientation: 8)
    try write("ambient.dng", light: [0.3, 0.3, 0.1], orientation: 8)
    let command = try Command.constantColor([
      "develop", "--flash", path("flash.dng"), "--ambient", path("ambient.dng"), "--output", path("out.tif"), "--align",
      "none", "--report", path("report.json"),
    ])
    #expect(command.status == 0, "\(command.errors)")
    let tags = try Command(["exiftool", "-a", "-G1", "-s", path("out.tif")]).output
    #expect(tags.contains("Model 1"))
    for foreign in ["DNG", "CFA", "BlackLevel", "ColorMatrix", "SubIFD", "Thumbnail", "AsShotNeutral", "UniqueCamera"] {
      #expect(!tags.contains(foreign), "\(foreign)")
    }
    let picture = try PictureFile.inspect(path("out.tif"))
    #expect((picture.width, picture.height) == (120, 160))
  }

  @Test func rawAndDevelopedFramesDoNotMix() throws {
    try write("flash.dng", light: [0.5, 0.9, 0.6])
    try PairFixture.write(path("ambient.png"), 160, 120, light: [0.3, 0.3, 0.1])
    let command = try Command.constantColor([
      "develop", "--flash", path("flash.dng"), "--ambient", path("ambient.png"), "--output", path("out.png"),
    ])
    #expect(command.status == 2)
    #expect(command.errors.split(separator: "\n").count == 1)
    #expect(command.errors.contains("RAW"))
  }
}
