import GEGL
import Photo
import Raster
import TestSupport
import Testing

/// What `develop` says about pairs that are none.
@Suite struct PairCommandTests {
  /// A pair whose files say whether the flash fired.
  private func tagged(_ pair: PairFixture) throws -> (flash: String, ambient: String) {
    func copy(_ path: String, _ name: String, fired: Bool) throws -> String {
      let picture = try PictureLoader.load(path)
      let numbers = try picture.buffer.read(
        picture.buffer.extent, format: PixelFormat("R'G'B' u16", space: picture.buffer.format?.space), as: UInt16.self)
      let exif = ExifBlock(
        image: [.text(271, "Maker"), .text(272, "Camera")],
        exposure: [
          .rational(33434, 1, 60), .rational(33437, 28, 10), .short(34855, 100), .short(37385, fired ? 9 : 16),
          .text(36867, "2024:05:31 12:00:0\(fired ? 1 : 0)"),
        ])
      let destination = try PictureDestination(pair.path(name))
      let layout = PictureLayout(width: picture.width, height: picture.height, channels: 3, sample: .uint16)
      try destination.write(layout, PictureAttachments(exif: exif)) { rows, bytes in
        for index in 0..<(rows.count * picture.width * 3) {
          let value = numbers[rows.lowerBound * picture.width * 3 + index]
          bytes.storeBytes(of: value, toByteOffset: index * 2, as: UInt16.self)
        }
      }
      return pair.path(name)
    }
    return (try copy(pair.flash, "f.png", fired: true), try copy(pair.ambient, "a.png", fired: false))
  }

  private func develop(_ first: String, _ second: String, _ words: [String]) throws -> Command {
    let command = try Command.constantColor(["develop", "--flash", first, "--ambient", second] + words)
    #expect(command.status == 0, "\(command.errors)")
    return command
  }

  @Test func swappedFramesAreSaidAndExchangedOnlyWhenAsked() throws {
    let pair = try PairFixture()
    let (flash, ambient) = try tagged(pair)
    let right = try develop(flash, ambient, ["--output", pair.path("right.png"), "--report", "-"])
    #expect(right.output.contains("\"findings\": []") && !right.errors.contains("swap"))

    let wrong = try develop(ambient, flash, ["--output", pair.path("wrong.png"), "--report", "-"])
    #expect(wrong.output.contains("\"kind\": \"swapped\"") && wrong.output.contains("\"severity\": \"error\""))
    #expect(wrong.errors.contains("error: \(ambient) and \(flash) are the wrong way round"))
    #expect(try samples(pair.path("wrong.png")) != samples(pair.path("right.png")))

    let exchanged = try develop(ambient, flash, ["--swap", "--output", pair.path("exchanged.png"), "--report", "-"])
    #expect(exchanged.output.contains("\"findings\": []"))
    #expect(try samples(pair.path("exchanged.png")) == samples(pair.path("right.png")))
  }

  @Test func theReportCountsWhatRenderingMoved() throws {
    let pair = try PairFixture()
    func fraction(_ key: String, _ gain: String) throws -> Double {
      let command = try develop(
        pair.flash, pair.ambient, ["--output", pair.path("r.png"), "--report", "-", "--exposure", gain])
      let line = try #require(command.output.split(separator: "\n").first { $0.contains("\"\(key)\":") })
      let digits = String(line.split(separator: ":")[1].filter { !" ,".contains($0) })
      return try #require(Double(digits))
    }
    #expect(try fraction("highlightFraction", "-10") == 0)
    #expect(try fraction("highlightFraction", "8") == 1)
    #expect((0...1).contains(try fraction("gamutMappedFraction", "auto")))
  }

  @Test func theReportSaysWhereColourCameFrom() throws {
    let pair = try PairFixture()
    for (words, source) in [
      ([], "srgb"), (["--flash-white", "5600"], "srgb"), (["--matrix", "0.5,0.3,0.2,0.2,0.7,0.1,0,0.1,0.9"], "given"),
    ] {
      let command = try develop(pair.flash, pair.ambient, ["--output", pair.path("r.png"), "--report", "-"] + words)
      #expect(command.output.contains("\"source\": \"\(source)\""))
    }
  }
}
