import Capture
import GEGL
import JSONValue
import Photo
import Raster
import SimulatedCapture
import Simulation
import TestSupport
import Testing

/// Devices whose captures are files, and the program of the documentation.
@Suite(.serialized) struct FileDeviceTests {
  /// A folder with pairs of a simulated room, as DNG.
  private static func pairs(_ names: [String], width: Int = 160, height: Int = 120) throws -> TemporaryFolder {
    let frames = try #require(SimulatedFrames(width: width, height: height))
    let pair = try #require(frames.simulator.pair(frames.conditions[0], execution: .serial))
    let folder = try TemporaryFolder()
    for name in names {
      try folder.write(frames.simulator.dng(pair.flash).file, name + "_flash.dng")
      try folder.write(frames.simulator.dng(pair.ambient).file, name + "_ambient.dng")
    }
    return folder
  }

  @Test func aFolderGivesEachPairOnce() async throws {
    let folder = try Self.pairs(["b", "a"])
    try folder.write([1, 2, 3], "c_flash.dng")
    try folder.write([1, 2, 3], "c_ambient.dng")
    let files = try PairFiles(folder: folder.path)
    #expect(files.pairs.map(\.name).prefix(2) == ["a", "b"])
    let studio = try await Studio(CaptureDevice(files: files))
    #expect(studio.output.isConstantColorSupported)
    var names: [String] = []
    while (files.remaining ?? 0) > 0 {
      let result = await error {
        names += try await studio.output.capturePhotos(with: .constantColor()).map(\.name)
      }
      // A broken pair does not stop the others.
      if names.count < 2 { #expect(result == nil) }
    }
    #expect(names == ["a", "b"] && files.remaining == 0)
    #expect(await error { _ = try await studio.output.capturePhotos(with: .constantColor()) } == .noMoreFrames)
  }

  @Test func onePairIsGivenAgain() async throws {
    let folder = try Self.pairs(["one"])
    let files = try PairFiles(flash: folder.path + "/one_flash.dng", ambient: folder.path + "/one_ambient.dng")
    #expect(files.remaining == nil)
    let studio = try await Studio(CaptureDevice(files: files))
    for _ in 0..<2 {
      let photos = try await studio.output.capturePhotos(with: .constantColor())
      #expect(photos.map(\.name) == ["one_flash"])
    }
  }

  @Test func whatIsNoPairIsRefused() async throws {
    let folder = try Self.pairs([])
    func reason(_ error: CaptureError?) -> String {
      guard case .framesFailed(let reason)? = error else { return "" }
      return reason
    }
    #expect(reason(await error { _ = try PairFiles(folder: folder.path) }).contains("holds no pair"))
    #expect(reason(await error { _ = try PairFiles(folder: "/nowhere") }).hasPrefix("/nowhere: "))
    #expect(
      reason(await error { _ = try PairFiles(flash: "/nowhere/a.dng", ambient: "/nowhere/b.dng") })
        .hasPrefix("/nowhere/a.dng: "))
    try folder.write([7], "x_flash.dng")
    #expect(reason(await error { _ = try PairFiles(folder: folder.path) }).contains("x_flash.dng"))
  }

  /// The library and `develop` are one path: the same pixels, the same confidence.
  @Test func agreesWithTheCommand() async throws {
    let folder = try Self.pairs(["p"])
    let (flash, ambient) = (folder.path + "/p_flash.dng", folder.path + "/p_ambient.dng")
    let studio = try await Studio(CaptureDevice(files: PairFiles(flash: flash, ambient: ambient)))
    let photos = try await studio.output.capturePhotos(with: .constantColor(fallback: true))
    try #require(photos.count == 2)
    try photos[0].write(to: folder.path + "/photo.tif")
    try photos[1].write(to: folder.path + "/fallback.png")
    try photos[0].constantColorConfidenceMap?.write(to: folder.path + "/map.png")
    let command = try Command.constantColor([
      "develop", "--flash", flash, "--ambient", ambient, "--output", folder.path + "/command.tif", "--fallback",
      folder.path + "/command_fallback.png", "--confidence", folder.path + "/command_map.png", "--report",
      folder.path + "/report.json",
    ])
    #expect(command.status == 0, "\(command.errors)")
    func samples(_ name: String, _ format: String = "R'G'B' u16") throws -> [UInt16] {
      let picture = try PictureLoader.load("\(folder.path)/\(name)")
      let pixels = try PixelFormat(format, space: picture.buffer.format?.space)
      return try picture.buffer.read(picture.buffer.extent, format: pixels, as: UInt16.self)
    }
    for (ours, theirs) in [("photo.tif", "command.tif"), ("fallback.png", "command_fallback.png")] {
      let pairs = zip(try samples(ours), try samples(theirs))
      // babl chooses between conversions by their speed, which moves the last bits.
      #expect(pairs.allSatisfy { abs(Int($0) - Int($1)) <= 24 })
      #expect(try samples(ours).count == 160 * 120 * 3)
    }
    #expect(
      zip(try samples("map.png", "Y u16"), try samples("command_map.png", "Y u16"))
        .allSatisfy { abs(Int($0) - Int($1)) <= 24 })
    let report = try JSON(parsing: Array(contents(folder.path + "/report.json").utf8))
    let mean = try #require(report["centerWeightedMeanConfidence"].double)
    #expect(abs(mean - Double(photos[0].constantColorCenterWeightedMeanConfidenceLevel)) < 1e-4)
    // Metadata and profile are in the file, and its bytes can be had without one.
    #expect(Metadata(path: folder.path + "/photo.tif").flashFired == true)
    #expect(try photos[0].fileDataRepresentation(.jpeg).prefix(2) == [0xFF, 0xD8])
    #expect(try photos[0].fileDataRepresentation().prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    #expect(throws: PhotoError.self) { try photos[0].write(to: "/nowhere/x.png") }
  }

  /// The whole example, as somebody else would run it.
  @Test func theExample() throws {
    let folder = try Self.pairs(["cup", "plate"])
    let inner = folder.folder("more")
    for kind in ["flash", "ambient"] {
      _ = try Command(["mv", "\(folder.path)/plate_\(kind).dng", "\(inner)/plate_\(kind).dng"])
    }
    try folder.write([1], "odd.jpg")
    let output = folder.folder("out")
    let example = try Command([Built.folder + "/capture-example", folder.path, output, "0.95"])
    #expect(example.status == 0, "\(example.errors)")
    #expect(example.lines.count { $0.hasPrefix("cup: retake, confidence 0.") } == 1)
    #expect(example.lines.count { $0.hasPrefix("more_plate: retake, confidence 0.") } == 1)
    #expect(example.lines.contains { $0.contains("odd.jpg") })
    for name in ["cup", "more_plate"] {
      for kind in ["", "_confidence", "_fallback"] { #expect(exists("\(output)/\(name)\(kind).png")) }
    }
    #expect(example.errors.isEmpty)
  }
}
