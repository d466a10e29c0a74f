/// What stands where a figure is unknown.
let unknownText = "–"

/// A number with a fixed count of decimals (0...6); a dash where it is unknown, infinite or not a number.
func decimal(_ value: Double?, _ digits: Int, unknown: String = unknownText) -> String {
  guard let value, value.isFinite else { return unknown }
  guard abs(value) < 1e12 else { return value.description }
  let digits = min(max(digits, 0), 6)
  let unit = (0..<digits).reduce(1) { power, _ in power * 10 }
  let scaled = Int((abs(value) * Double(unit)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  guard digits > 0 else { return sign + String(scaled) }
  let fraction = String(scaled % unit)
  return sign + String(scaled / unit) + "." + String(repeating: "0", count: digits - fraction.count) + fraction
}

/// A part of one as percent: "87.3 %".
func percent(_ value: Double?, _ digits: Int = 1) -> String {
  let number = decimal(value.map { $0 * 100 }, digits)
  return number == unknownText ? number : number + " %"
}

/// A number with no more decimals than it needs, one at most: "50", "12.5".
func short(_ value: Double?) -> String {
  let text = decimal(value, 1)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A large count with its thousands apart: "1 234 567".
func grouped(_ count: Int) -> String {
  let digits = Array(String(count.magnitude))
  var text = count < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
    text.append(digit)
  }
  return text
}

/// The mean of those that are numbers; nil where there are none.
func mean(_ values: [Double]) -> Double? {
  let known = values.filter(\.isFinite)
  return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
}
