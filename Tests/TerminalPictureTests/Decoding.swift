/// A sixel picture, decoded after DEC's VT330/VT340 Programmer Reference Manual, volume 2, chapter 14.
struct Sixels {
  private(set) var width = 0
  private(set) var height = 0
  private var colors: [Int: [Int]] = [:]
  private var pixels: [SIMD2<Int>: Int] = [:]

  init?(_ text: String) {
    guard let body = text.components(from: "\u{1B}P", to: "\u{1B}\\").first, let start = body.firstIndex(of: "q") else {
      return nil
    }
    var rest = body[body.index(after: start)...]
    func numbers(_ rest: inout Substring) -> [Int] {
      let digits = rest.prefix { $0.isNumber || $0 == ";" }
      rest = rest.dropFirst(digits.count)
      return digits.split(separator: ";").compactMap { Int($0) }
    }
    var (x, y, color, count) = (0, 0, 0, 1)
    while let character = rest.popFirst() {
      switch character {
      case "\"":
        let raster = numbers(&rest)
        if raster.count == 4 { (width, height) = (raster[2], raster[3]) }
      case "#":
        let values = numbers(&rest)
        color = values.first ?? 0
        if values.count == 5 { colors[color] = Array(values[2...]) }
      case "!": count = numbers(&rest).first ?? 1
      case "$": x = 0
      case "-": (x, y) = (0, y + 6)
      default:
        guard let value = character.asciiValue, (63...126).contains(value) else { continue }
        for column in x..<(x + count) {
          for bit in 0..<6 where (Int(value) - 63) >> bit & 1 == 1 { pixels[SIMD2(column, y + bit)] = color }
        }
        (x, count) = (x + count, 1)
      }
    }
  }

  /// Red, green and blue in percent.
  func color(_ x: Int, _ y: Int) -> [Int]? { pixels[SIMD2(x, y)].flatMap { colors[$0] } }
}

extension String {
  /// What stands between marks; an end does not count after `unlessAfter`.
  func components(from start: String, to end: String, unlessAfter escape: String? = nil) -> [Substring] {
    var parts: [Substring] = []
    var rest = self[...]
    while let first = rest.firstRange(of: start) {
      rest = rest[first.upperBound...]
      var search = rest
      var found: Range<String.Index>?
      while let last = search.firstRange(of: end) {
        let isEscaped = escape.map { rest[..<last.lowerBound].hasSuffix($0) } ?? false
        if !isEscaped {
          found = last
          break
        }
        search = search[last.upperBound...]
      }
      guard let found else { return parts }
      parts.append(rest[..<found.lowerBound])
      rest = rest[found.upperBound...]
    }
    return parts
  }
}

/// Base64 (RFC 4648).
func decoded(_ text: String) -> [UInt8] {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var places = [UInt8](repeating: 64, count: 256)
  for (index, digit) in digits.enumerated() { places[Int(digit)] = UInt8(index) }
  var bytes: [UInt8] = []
  var (word, bits) = (0, 0)
  for character in text.utf8 where places[Int(character)] < 64 {
    word = (word << 6 | Int(places[Int(character)])) & 0xFFFFFF
    bits += 6
    if bits >= 8 {
      bits -= 8
      bytes.append(UInt8(word >> bits & 255))
    }
  }
  return bytes
}
