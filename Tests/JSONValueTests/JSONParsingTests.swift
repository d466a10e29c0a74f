import JSONValue
import Testing

@Suite struct JSONParsingTests {
  private func parse(_ text: String) throws(JSONError) -> JSON { try JSON(parsing: Array(text.utf8)) }

  private func problem(_ text: String) -> String? {
    do {
      _ = try parse(text)
      return nil
    } catch { return error.description }
  }

  @Test func valuesOfEveryKind() throws {
    let json = try parse(
      #" {"a": [1, -0.5, 1E+2, 9223372036854775807, 9223372036854775808], "b": {"c": null}, "d": [true, false, []]} "#)
    #expect(
      json["a"]
        == .array([.integer(1), .number(-0.5), .number(100), .integer(.max), .number(9_223_372_036_854_775_808)]))
    #expect(json["b"] == ["c": .null])
    #expect(json["d"] == .array([.bool(true), .bool(false), .array([])]))
    #expect(json["none"] == .null)
    #expect(try parse("\u{FEFF}3") == .integer(3))
    #expect(try parse(#"{"a": 1, "b": 2, "a": 3}"#) == ["a": .integer(3), "b": .integer(2)])
  }

  @Test func textsComeBackAsTheyWere() throws {
    #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#).string == "\"\\/\u{8}\u{C}\n\r\té😀é")
    for text in ["", "\u{0}\u{1B}\u{7F}\u{2028}", "\"\\ / é 😀", "e\u{301}\r\n"] {
      #expect(try parse(JSON.string(text).text()) == .string(text))
    }
  }

  /// Written and read again, a value is the same, to the last bit of its numbers.
  @Test func whatIsWrittenIsReadAgain() throws {
    let json: JSON = [
      "numbers": .array([0.1, -1e-300, 1.7976931348623157e308, .leastNonzeroMagnitude, 3].map { .number($0) }),
      "empty": .object([]),
      "": .array([.null]),
    ]
    for isIndented in [true, false] { #expect(try parse(json.text(indented: isIndented)) == json) }
  }

  @Test(arguments: [
    "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "[1 2]", "1 2", "tru", "nul", "01", "1.", ".5", "+1",
    "-",
    "1e", "0x1", "NaN", "Infinity", "'a'", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
    "\"a\nb\"",
    "/* */ 1", "[1]]",
  ])
  func whatIsNoJSONSaysSo(_ text: String) {
    #expect(problem(text)?.contains("\n") == false)
  }

  @Test func theLineIsTold() {
    #expect(problem("{\n  \"a\": 1,\n  \"b\": x\n}") == "is no JSON: line 3: a value is missing")
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
  }

  /// Neither the stack nor the arithmetic is at the mercy of a file.
  @Test func depthsAndNumbersBeyondReason() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(problem(deep)?.contains("deeply") == true)
    #expect(problem(String(repeating: "{\"a\":", count: 100_000))?.contains("deeply") == true)
    // Brackets in texts close nothing.
    #expect(problem("[\"" + String(repeating: "]", count: 100_000) + "\"," + deep)?.contains("deeply") == true)
    #expect(problem(String(repeating: "[\"]\",", count: 100_000))?.contains("deeply") == true)
    #expect(problem("[" + String(repeating: "[", count: 63) + String(repeating: "]", count: 64)) == nil)
    #expect(problem("1e999")?.contains("too large") == true)
    #expect(problem("-" + String(repeating: "9", count: 100_000))?.contains("too large") == true)
    #expect(problem("0." + String(repeating: "3", count: 100_000)) == nil)
  }
}
