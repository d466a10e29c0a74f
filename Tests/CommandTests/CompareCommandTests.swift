import GEGL
import JSONValue
import Photo
import TestSupport
import Testing

/// Flat pictures and others, compared by the command.
struct CompareCommandTests {
  /// A picture of one colour, whose samples are given: 16-bit numbers, or linear floats.
  private func flat(
    _ path: String, _ color: [Double], width: Int = 12, height: Int = 8, sample: PictureLayout.Sample = .uint16
  ) throws -> String {
    let layout = PictureLayout(width: width, height: height, channels: 3, sample: sample)
    try PictureDestination(path).write(layout) { rows, bytes in
      for index in 0..<(rows.count * width * 3) {
        if sample == .float32 {
          bytes.storeBytes(of: Float(color[index % 3]), toByteOffset: 4 * index, as: Float.self)
        } else {
          bytes.storeBytes(of: UInt16(color[index % 3] * 65535), toByteOffset: 2 * index, as: UInt16.self)
        }
      }
    }
    return path
  }

  private func report(_ words: [String]) throws -> JSON {
    let result = try Command.constantColor(["compare"] + words + ["--report", "json"])
    #expect(result.status == 0, "\(result.errors)")
    return try JSON(parsing: Array(result.output.utf8))
  }

  /// sRGB grey 0.5 and 0.6: L* 53.388 and 63.223 in colour-science 0.4.4, ΔE00 8.8623.
  @Test func greysDifferInLightness() throws {
    let folder = try TemporaryFolder()
    let a = try flat(folder.path + "/a.png", [0.5, 0.5, 0.5])
    let b = try flat(folder.path + "/b.png", [0.6, 0.6, 0.6])
    let figures = try report([a, b])
    for key in ["mean", "median", "p95", "max"] {
      #expect(abs((figures[key].double ?? 0) - expectedDifference) < 0.002)
    }
    #expect(figures["pixels"].double == 96 && figures["within5"].double == 0)
    #expect((try report([a, b, "--scale", "luminance"])["max"].double ?? 9) < 0.002)
    #expect((try report([a, b, "--scale", "gain"])["max"].double ?? 9) < 0.002)
    #expect(try report([a, a])["max"].double == 0)
    let shown = try Command.constantColor(["compare", a, b])
    #expect(shown.output.contains("ΔE00") && shown.output.contains("≤ 3: 0.0 %"))
  }

  private let expectedDifference = 8.8623

  @Test func floatsAreUnbounded() throws {
    let folder = try TemporaryFolder()
    for name in ["exr", "tif"] {
      let a = try flat(folder.path + "/a.\(name)", [1.5, -0.1, 0.2], sample: .float32)
      let b = try flat(folder.path + "/b.\(name)", [1.0, 0.0, 0.2], sample: .float32)
      let figures = try report([a, b, "--linear"])
      #expect(figures["mean"].double ?? 0 > 5)
    }
    let same = try flat(folder.path + "/c.exr", [1.5, -0.1, 0.2], sample: .float32)
    #expect((try report([folder.path + "/a.tif", same, "--linear"])["max"].double ?? 9) < 1e-3)
    let broken = try flat(folder.path + "/d.exr", [.nan, 0, 0], sample: .float32)
    let unknown = try report([same, broken])
    #expect(unknown["mean"] == .null && unknown["unknown"].double == 96)
  }

  @Test func mapsAreNumbersOrColours() throws {
    Library.start()
    let folder = try TemporaryFolder()
    let a = try flat(folder.path + "/a.png", [0.5, 0.5, 0.5])
    let b = try flat(folder.path + "/b.png", [0.6, 0.6, 0.6])
    let map = folder.path + "/map.exr"
    _ = try report([a, b, "--map", map])
    let picture = try PictureLoader.load(map)
    let values = try picture.buffer.read(picture.buffer.extent, format: .init("Y float"), as: Float.self)
    #expect(values.count == 96 && values.allSatisfy { abs(Double($0) - expectedDifference) < 0.002 })
    _ = try report([a, b, "--map", folder.path + "/map.png"])
    let colors = try PictureLoader.load(folder.path + "/map.png")
    #expect(colors.width == 12 && colors.buffer.format?.encoding == "R'G'B' u8")
  }

  @Test func mistakesAreTold() throws {
    let folder = try TemporaryFolder()
    let a = try flat(folder.path + "/a.png", [0.5, 0.5, 0.5])
    let turned = try flat(folder.path + "/turned.png", [0.5, 0.5, 0.5], width: 8, height: 12)
    let small = try flat(folder.path + "/small.png", [0.5, 0.5, 0.5], width: 6)
    for (words, text) in [
      ([a], "takes two pictures"), ([a, turned], "turn one of them"), ([a, small], "scale or crop"),
      ([a, folder.path + "/none.png"], "no such file"), ([a, a, "--scale", "lumnance"], "did you mean 'luminance'?"),
      ([a, turned, "--map", a], "replace an input"), ([a, a, "--map", folder.path + "/map.xyz"], ".xyz"),
      ([a, a, "--report", folder.path + "/no/report.json"], "does not exist"), ([a, a, "--radius", "17"], "--radius"),
    ] as [([String], String)] {
      let result = try Command.constantColor(["compare"] + words)
      #expect(result.status == 2 && result.output.isEmpty, "\(words)")
      #expect(result.errors.contains(text) && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
  }
}
