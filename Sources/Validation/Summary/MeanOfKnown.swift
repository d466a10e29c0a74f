/// The mean of those that are numbers; nil where there are none.
func mean(_ values: [Double]) -> Double? {
  let known = values.filter(\.isFinite)
  return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
}
