import ColorScience
import Inspection
import JSONValue
import Raster
import Testing

struct PixelReadingTests {
  @Test func whiteIsWhite() throws {
    let mean = try #require(PixelMean(plain(SIMD3(1, 1, 1)), x: 1, y: 1))
    let reading = PixelReading(x: 1, y: 1, mean)
    #expect(reading.srgb8 == SIMD3(255, 255, 255))
    let lab = try #require(reading.lab)
    #expect(abs(lab.lightness - 100) < 1e-9 && lab.chroma < 1e-6)
    let point = try #require(reading.chromaticity)
    #expect(abs(point.x - 0.3127) < 1e-9 && abs(point.y - 0.3290) < 1e-9)
    // D65 as sRGB rounds it.
    let temperature = try #require(reading.temperature)
    #expect(abs(temperature.kelvin - 6503.5) < 2 && abs(temperature.duv - 0.0032) < 1e-4)
  }

  @Test func keysAreThoseOfTheContract() throws {
    let reading = PixelReading(x: 3, y: 2, radius: 0, try #require(PixelMean(plain(SIMD3(0.2, 0.1, 0.4)), x: 3, y: 2)))
    guard case .object(let members) = reading.json else {
      Issue.record("no object")
      return
    }
    #expect(
      members.map(\.key) == ["x", "y", "radius", "linear", "srgb", "xyz", "xy", "lab", "cct", "duv"])
    #expect(reading.json["linear"].doubles?.count == 3)
    #expect(
      reading.csvRow.split(separator: ",", omittingEmptySubsequences: false).count
        == PixelReading.csvHeader.split(separator: ",").count)
  }

  @Test func valuesBeyondTheGamutStay() throws {
    let reading = PixelReading(x: 0, y: 0, try #require(PixelMean(plain(SIMD3(2, -0.25, 0.5)), x: 0, y: 0)))
    let srgb = try #require(reading.srgb)
    // IEC 61966-2-1, mirrored and continued.
    #expect(abs(srgb.x - 1.353256) < 1e-5 && abs(srgb.y + 0.537099) < 1e-5)
    #expect(reading.srgb8 == SIMD3(345, -137, 188))
    #expect(reading.text.contains("beyond sRGB"))
  }

  @Test func meanIsThatOfTheSquareInsideThePicture() throws {
    let picture = Image(Rectangle(x: -2, y: 5, width: 5, height: 4)) { x, y in Pixel(Float(x), Float(y), 1, 1) }
    let mean = try #require(PixelMean(picture, x: -2, y: 5, radius: 1))
    #expect(mean.count == 4 && mean.rgb == SIMD3(-1.5, 5.5, 1))
    #expect(PixelMean(picture, x: -3, y: 5) == nil)
    #expect(PixelMean(picture, x: 0, y: 9) == nil)
    #expect(PixelMean(picture, x: 0, y: 6, radius: -1) == nil)
    #expect(PixelMean(picture, x: 0, y: 6, radius: 1000)?.count == 20)
  }

  @Test func whatIsNoNumberIsNull() throws {
    let broken = row([SIMD3(.nan, 0, 0), SIMD3(0.5, 0.5, 0.5), SIMD3(0, .infinity, 0)])
    let around = PixelReading(x: 1, y: 0, radius: 1, try #require(PixelMean(broken, x: 1, y: 0, radius: 1)))
    #expect(around.linear == SIMD3(0.5, 0.5, 0.5))
    #expect(around.text.contains("2 of 3 pixels are not finite and left out"))
    let alone = PixelReading(x: 0, y: 0, try #require(PixelMean(broken, x: 0, y: 0)))
    #expect(alone.json["linear"] == .null && alone.json["lab"] == .null && alone.json["cct"] == .null)
    #expect(alone.text.contains("NaN"))
    _ = try JSON(parsing: Array(alone.json.text().utf8))
  }

  @Test func blackHasNoChromaticity() throws {
    let black = PixelReading(x: 0, y: 0, try #require(PixelMean(plain(.zero), x: 0, y: 0)))
    #expect(black.json["xy"] == .null && black.json["cct"] == .null)
    #expect(black.json["lab"].doubles == [0, 0, 0])
  }

  @Test func numbersOfACameraAreNoColours() throws {
    let mean = try #require(PixelMean(plain(SIMD3(0.4, 0.5, 0.6)), x: 0, y: 0))
    let reading = PixelReading(x: 0, y: 0, mean, color: nil, note: "camera values: no colours before adapt-to-d65")
    #expect(reading.json["linear"].doubles?.count == 3)
    for key in ["srgb", "xyz", "xy", "lab", "cct", "duv"] { #expect(reading.json[key] == .null) }
    #expect(reading.text.contains("before adapt-to-d65"))
  }
}
