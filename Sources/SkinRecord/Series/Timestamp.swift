import Glibc

/// Times as records have them: "2026-05-31T12:34:56", of the camera's clock, or of UTC where a Z follows.
public enum Timestamp {
  /// The text of seconds since 1970.
  public static func text(_ seconds: Double) -> String {
    var whole = time_t(min(max(seconds, -62_135_596_800), 253_402_300_799))
    var parts = tm()
    guard gmtime_r(&whole, &parts) != nil else { return "1970-01-01T00:00:00" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Now, in UTC.
  public static var now: String { text(Double(time(nil))) + "Z" }

  /// Seconds since 1970 of a text such as "2026-05-31", "2026-05-31T12:34:56" or the same with a Z; nil for anything else.
  public static func seconds(_ text: String) -> Double? {
    let isZoned = text.hasSuffix("Z") && text.contains("T")
    let halves = (isZoned ? text.dropLast() : text[...]).split(separator: "T", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), halves.allSatisfy({ $0.utf8.count <= 10 }) else { return nil }
    func numbers(_ text: Substring, _ separator: Character) -> [Int]? {
      let words = text.split(separator: separator, omittingEmptySubsequences: false)
      let numbers = words.compactMap { word in word.allSatisfy { $0.isASCII && $0.isNumber } ? Int(word) : nil }
      return numbers.count == words.count ? numbers : nil
    }
    guard let date = numbers(halves[0], "-"), date.count == 3, (1...9999).contains(date[0]),
      (1...12).contains(date[1]), (1...31).contains(date[2])
    else { return nil }
    var clock = [0, 0, 0]
    if halves.count == 2 {
      guard let given = numbers(halves[1], ":"), (2...3).contains(given.count) else { return nil }
      clock = given + (given.count == 2 ? [0] : [])
    }
    guard (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2]) else { return nil }
    var parts = tm()
    parts.tm_year = Int32(date[0] - 1900)
    parts.tm_mon = Int32(date[1] - 1)
    parts.tm_mday = Int32(date[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(clock[0]), Int32(clock[1]), Int32(clock[2]))
    let seconds = Double(timegm(&parts))
    // The 31st of a short month is another day.
    guard parts.tm_mday == Int32(date[2]) else { return nil }
    return seconds
  }
}
