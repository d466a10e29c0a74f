/// The values that a light took over a set, measured values that hardly differ taken for one.
struct LightLevels {
  /// The lower ends, and the means, rising.
  private var lows: [Double] = []
  private(set) var values: [Double] = []

  /// Levels of measured values, each no more than 10 % wide. (A lamp of nominally 4500 K that is moved off the Planckian
  /// locus does not keep its temperature to the kelvin.)
  init(_ measured: [Double]) {
    var members: [Double] = []
    for value in measured.filter({ $0.isFinite && $0 >= 0 }).sorted() {
      if let low = members.first, value > low * 1.1 + 1e-9 {
        close(members)
        members = []
      }
      members.append(value)
    }
    close(members)
  }

  private mutating func close(_ members: [Double]) {
    guard let low = members.first, let mean = mean(members) else { return }
    lows.append(low)
    values.append(low == members.last ? low : mean)
  }

  /// The level to which a value belongs.
  func index(of value: Double?) -> Int? {
    guard let value, value.isFinite else { return nil }
    return lows.lastIndex { $0 <= value }
  }
}
