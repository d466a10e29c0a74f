import ColorScience

/// Spectra as tables of comma-separated values: a wavelength in nanometres and one or several values a row. Lines before the
/// first row that begin with a letter are titles, lines that begin with "#" comments.
public enum SpectrumTable {
  /// What is wrong with a table; one line for people, without the file's name.
  public struct Malformed: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let description: String
  }

  /// Reads the spectra of a table, which are nothing beyond its wavelengths. Values below 0, as noise makes them, count as 0.
  ///
  /// - Parameter columns: how many spectra there must be.
  public static func parse(_ text: String, columns: Int) throws(Malformed) -> [Spectrum] {
    var rows: [[Double]] = []
    // Some programs put a byte order mark before the first line.
    for line in text.drop(while: { $0 == "\u{FEFF}" }).split(whereSeparator: \.isNewline) {
      guard let first = line.first(where: { !$0.isWhitespace }), first != "#", !(first.isLetter && rows.isEmpty) else {
        continue
      }
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = cells.compactMap { cell -> Double? in
        let trimmed = cell.drop { $0.isWhitespace }
        return Double(String(trimmed.reversed().drop { $0.isWhitespace }.reversed()))
      }
      guard numbers.count == cells.count, numbers.count == columns + 1, numbers.allSatisfy(\.isFinite) else {
        throw Malformed(
          description:
            "the line '\(line.prefix(40))' is not a wavelength in nm and \(columns) number\(columns > 1 ? "s" : ""), with "
            + "commas between them")
      }
      rows.append(numbers)
    }
    let spectra = (1...max(columns, 1)).compactMap { column in
      Spectrum(rows.map { (wavelength: $0[0], value: max($0[column], 0)) }, beyond: .zero)
    }
    guard spectra.count == columns, let first = rows.first, let last = rows.last, first[0] <= 430, last[0] >= 650 else {
      throw Malformed(description: "needs rising wavelengths from 430 nm or less to 650 nm or more")
    }
    return spectra
  }
}
