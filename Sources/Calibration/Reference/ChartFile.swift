import ColorScience

/// What is wrong with a chart's file; one line for people, without the file's name.
public struct ChartFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String
}

/// Measured charts as tables of comma-separated values.
///
/// Three kinds, told apart by the first line:
/// - reflectances, a wavelength (nm) a row: `wavelength,patch 1,…,patch 24`
/// - reflectances, a patch a row: `name,380,390,…,730`
/// - colours, a patch a row: columns `X`, `Y`, `Z` (under D65, 2°) or `L`, `a`, `b` (D50, ICC PCS) among others
///
/// Patches in the chart's order, row by row from dark skin. Reflectances and XYZ may be parts of 1 or of 100.
public enum ChartFile {
  /// Reads a table. Throws ``ChartFileError``.
  public static func parse(_ text: String, name: String) throws(ChartFileError) -> ChartReference {
    let rows = text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isEmpty && !$0.hasPrefix("#") }
      .map(cells)
    guard let header = rows.first, rows.count > 1 else {
      throw ChartFileError(description: "holds no table; the first line names columns, the others hold numbers")
    }
    let titles = header.map { $0.lowercased() }
    if let colours = try colours(titles, rows.dropFirst(), ["x", "y", "z"]) {
      let scale = colours.contains { $0.y > 2 } ? 0.01 : 1
      // Nothing reflects less than nothing, and fluorescent paper hardly more than all.
      guard colours.allSatisfy({ $0.min() >= 0 && $0.y > 0 && scale * $0.max() < 2 }) else { throw absurd }
      return ChartReference(name: name, source: "file \(name), XYZ under D65", xyz: colours.map { XYZ(scale * $0) })
    }
    if let colours = try colours(titles, rows.dropFirst(), ["l", "a", "b"]) {
      guard colours.allSatisfy({ $0.x > 0 && $0.x < 130 && max(abs($0.y), abs($0.z)) < 200 }) else { throw absurd }
      return ChartReference(
        name: name, source: "file \(name), CIELAB under D50, adapted to D65 (Bradford)",
        labD50: colours.map { Lab($0.x, $0.y, $0.z) })
    }
    let wavelengths = header.dropFirst().compactMap { number($0) }
    let spectra: [[(wavelength: Double, value: Double)]]
    if wavelengths.count == header.count - 1, wavelengths.count >= 2 {
      spectra = try rows.dropFirst().map { row throws(ChartFileError) in
        zip(wavelengths, try numbers(row, count: wavelengths.count)).map { (wavelength: $0, value: $1) }
      }
    } else {
      let table = try rows.dropFirst().map { row throws(ChartFileError) -> [Double] in
        guard let wavelength = row.first.flatMap(number) else { throw unknown }
        return [wavelength] + (try numbers(row, count: header.count - 1))
      }
      spectra = (1..<max(header.count, 2)).map { column in
        table.compactMap { $0.count > column ? (wavelength: $0[0], value: $0[column]) : nil }
      }
    }
    return try reflectances(spectra, name: name)
  }

  private static func reflectances(
    _ spectra: [[(wavelength: Double, value: Double)]], name: String
  ) throws(ChartFileError) -> ChartReference {
    guard spectra.count == 24 else { throw count(spectra.count) }
    let largest = spectra.joined().map(\.value).max() ?? 0
    let scale = largest > 2 ? 0.01 : 1
    let parsed = spectra.compactMap { samples -> Spectrum? in
      guard let first = samples.first, let last = samples.last, first.wavelength <= 420, last.wavelength >= 680,
        zip(samples, samples.dropFirst()).allSatisfy({ $1.wavelength - $0.wavelength <= 50 })
      else { return nil }
      return Spectrum(samples.map { (wavelength: $0.wavelength, value: $0.value * scale) })
    }
    guard parsed.count == 24, largest > 0, largest * scale < 1.5 else {
      throw ChartFileError(
        description: "its reflectances must run over rising wavelengths from 420 nm or less to 680 nm or more, "
          + "50 nm apart at most, as parts of 1 or of 100")
    }
    return ChartReference(name: name, source: "file \(name), reflectances", reflectances: parsed)
  }

  private static func colours(
    _ titles: [String], _ rows: ArraySlice<[String]>, _ names: [String]
  ) throws(ChartFileError) -> [SIMD3<Double>]? {
    let columns = names.compactMap { name in titles.firstIndex { $0 == name || $0 == name + "*" || $0 == "lab_" + name }
    }
    guard columns.count == 3 else { return nil }
    guard rows.count == 24 else { throw count(rows.count) }
    return try rows.map { row throws(ChartFileError) in
      let values = columns.compactMap { $0 < row.count ? number(row[$0]) : nil }
      guard values.count == 3 else { throw notNumbers(row) }
      return SIMD3(values[0], values[1], values[2])
    }
  }

  private static func numbers(_ row: [String], count: Int) throws(ChartFileError) -> [Double] {
    let values = row.dropFirst().compactMap { number($0) }
    guard row.count == count + 1, values.count == count else { throw notNumbers(row) }
    return values
  }

  private static func number(_ text: String) -> Double? {
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func cells(_ line: String) -> [String] {
    let separator: Character = line.contains("\t") ? "\t" : line.contains(";") ? ";" : ","
    return line.split(separator: separator, omittingEmptySubsequences: false).map { cell in
      var cell = cell.drop { $0.isWhitespace || $0 == "\"" }
      while let last = cell.last, last.isWhitespace || last == "\"" { cell.removeLast() }
      return String(cell)
    }
  }

  private static let unknown = ChartFileError(
    description: "is no chart table; use columns X, Y, Z or L, a, b, or reflectances over wavelengths")
  private static let absurd = ChartFileError(
    description: "its colours are none of surfaces; X, Y, Z are parts of 1 or of 100, L lies between 0 and 100")
  private static func count(_ count: Int) -> ChartFileError {
    ChartFileError(description: "holds \(count) patches; a chart has 24, row by row from dark skin")
  }
  private static func notNumbers(_ row: [String]) -> ChartFileError {
    ChartFileError(description: "the row '\(row.prefix(4).joined(separator: ","))…' lacks numbers")
  }
}
