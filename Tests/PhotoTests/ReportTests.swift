import JSONValue
import Photo
import TestSupport
import Testing

@Suite struct ReportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func theKeysAreTheContractsInItsOrder() {
    let frame = Report.Frame(path: "a", width: 3, height: 2, metadata: Metadata(cameraBlock))
    let report = Report(version: "1", flash: frame, ambient: frame)
    guard case .object(let members) = report.json else { return #expect(Bool(false)) }
    #expect(
      members.map(\.key) == [
        "version", "flash", "ambient", "exposureRatio", "exposureRatioSource", "alignment", "ambientWhite",
        "flashWhite",
        "centerWeightedMeanConfidence", "meanConfidence", "clippedFraction", "colorTolerance", "belowThreshold",
        "exposureRatios", "ambientFrames", "timings",
      ])
    guard case .object(let flash) = members[1].value else { return #expect(Bool(false)) }
    #expect(
      flash.map(\.key) == ["path", "width", "height", "exposure", "iso", "exposureTime", "fNumber", "flashFired"])
    // 1/60 · 125 / 5.6²
    guard case .number(let exposure) = flash[3].value else { return #expect(Bool(false)) }
    #expect(abs(exposure - 125 / (60 * 5.6 * 5.6)) < 1e-12)
  }

  @Test func unknownIsNullAndNeverZero() {
    let frame = Report.Frame(path: "a", width: nil, height: nil, metadata: Metadata())
    let text = Report(version: "1", flash: frame, ambient: frame).json.text(indented: false)
    #expect(text.contains("\"exposure\":null,\"iso\":null,\"exposureTime\":null,\"fNumber\":null,\"flashFired\":null"))
    #expect(!text.contains(":0"))
  }

  @Test func textIsEscapedAndNumbersComeBack() {
    #expect(JSON.string("a\"b\\c\n\u{1}é🙂").text() == #""a\"b\\c\n\u0001é🙂""#)
    #expect(JSON.number(.nan).text() == "null" && JSON.number(-.infinity).text() == "null")
    let numbers: [Double] = [0.1, 0.3333333333333333, 1e300, .leastNonzeroMagnitude, -0.0, 123_456_789.123, 1e16, 2]
    for value in numbers {
      #expect(Double(JSON.number(value).text()) == value)
    }
    #expect(
      JSON.object(["b": .integer(1), "a": .array([.integer(1), .null])]).text(indented: false)
        == #"{"b":1,"a":[1,null]}"#)
    #expect(JSON.array([.integer(1), .integer(2)]).text() == "[1, 2]")
    #expect(JSON.object(["a": .object([:])]).text() == "{\n  \"a\": {}\n}")
  }

  @Test func theFileIsWhole() throws {
    try JSON.object(["a": .integer(1)]).write(to: folder.file("r.json"))
    #expect(readBytes(folder.file("r.json")) == Array("{\n  \"a\": 1\n}\n".utf8))
    #expect(folder.names == ["r.json"])
    #expect(message { try JSON.null.write(to: folder.file("no/r.json")) }?.contains("does not exist") == true)
  }
}
