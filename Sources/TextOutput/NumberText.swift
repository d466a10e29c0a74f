/// What stands where a figure is unknown.
public let unknownText = "–"

/// A number with a fixed count of decimals (0...6); a dash where it is unknown, infinite or not a number.
public func decimal(_ value: Double?, _ digits: Int, unknown: String = unknownText) -> String {
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
public func percent(_ value: Double?, _ digits: Int = 1) -> String {
  let number = decimal(value.map { $0 * 100 }, digits)
  return number == unknownText ? number : number + " %"
}

/// A number with no more decimals than it needs, one at most: "50", "12.5".
public func short(_ value: Double?) -> String {
  let text = decimal(value, 1)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// A large count with its thousands apart: "1 234 567".
public func grouped(_ count: Int) -> String {
  let digits = Array(String(count.magnitude))
  var text = count < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
    text.append(digit)
  }
  return text
}

/// A number with a count of significant digits (1...9), in decimals where it is neither very large nor very small:
/// "0.01235", "1.5e-07"; "NaN", "inf" and "-inf" for what is no number.
public func significant(_ value: Double, _ digits: Int = 4) -> String {
  guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-inf" : "inf" }
  guard value != 0 else { return "0" }
  let digits = min(max(digits, 1), 9)
  // The exponent of the rounded number: 0.99996 with four digits is 1.000.
  var exponent = 0
  var mantissa = abs(value)
  while mantissa >= 10, exponent < 400 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
  while mantissa < 1, exponent > -400 { (mantissa, exponent) = (mantissa * 10, exponent - 1) }
  let unit = (1..<digits).reduce(1.0) { power, _ in power * 10 }
  var whole = (mantissa * unit).rounded()
  if whole >= 10 * unit { (whole, exponent) = ((whole / 10).rounded(), exponent + 1) }
  let figures = String(Int(whole))
  let sign = value < 0 ? "-" : ""
  switch exponent {
  case -4..<0: return sign + "0." + String(repeating: "0", count: -exponent - 1) + figures
  case 0..<digits - 1:
    let point = figures.index(figures.startIndex, offsetBy: exponent + 1)
    return sign + figures[..<point] + "." + figures[point...]
  case digits - 1..<max(digits, 7): return sign + figures + String(repeating: "0", count: exponent - digits + 1)
  default:
    let rest = figures.dropFirst()
    let power = String(abs(exponent))
    return sign + figures.prefix(1) + (rest.isEmpty ? "" : "." + rest) + (exponent < 0 ? "e-" : "e+")
      + (power.count < 2 ? "0" : "") + power
  }
}

/// A text filled with blanks on its left, to stand in a column of numbers.
public func rightAligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}

/// A text filled with blanks on its right.
public func leftAligned(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
