import Raster
import SQLite

/// Looking things up.
extension RecordStore {
  /// Records of a subject, a site and a series, each of which may be left open, in the order of subject, site, series and time.
  public func records(subject: String? = nil, site: String? = nil, series: Int? = nil) throws -> [SkinRecord] {
    try work { try database.snapshot { try read(subject, site, series) } }
  }

  private func read(_ subject: String?, _ site: String?, _ series: Int?) throws -> [SkinRecord] {
    var records = try database.rows(
      """
      SELECT records.id, code, name, number, taken, added, confidence, mean_confidence, threshold, tolerance, expected_error,
        version, flash_sha256, report, profile, source, chart, exposure, lightness
      FROM records JOIN series ON series = series.id JOIN sites ON site = sites.id JOIN subjects ON subject = subjects.id
      WHERE (?1 IS NULL OR code = ?1) AND (?2 IS NULL OR name = ?2) AND (?3 IS NULL OR number = ?3)
      ORDER BY code, name, number, taken, records.id
      """, [SQLValue(subject), SQLValue(site), SQLValue(series)]
    ) { row in
      var record = SkinRecord(
        subject: row.text(1) ?? "", site: row.text(2) ?? "", identity: SeriesIdentity(row, from: 14),
        taken: row.text(4) ?? "", added: row.text(5) ?? "", confidence: row.real(6) ?? 0,
        meanConfidence: row.real(7) ?? 0, threshold: row.real(8) ?? 0, tolerance: row.real(9) ?? 0,
        expectedError: row.real(10), version: row.text(11) ?? "", flashChecksum: row.text(12) ?? "",
        report: row.text(13) ?? "", regions: [])
      (record.id, record.series) = (row.integer(0), row.integer(3))
      return record
    }
    for index in records.indices { records[index].regions = try regions(of: records[index].id) }
    return records
  }

  /// Whether a measurement's numbers are such as colours have: drawings and margins need not be ready for others.
  static let isSound = "coalesce(max(abs(value), abs(capture), abs(common)) < 1e6, value IS NULL)"

  private func regions(of record: Int) throws -> [SkinRecord.Region] {
    let rows = try database.rows(
      """
      SELECT id, name, x, y, width, height, pixels, trusted, confidence, at_lightness FROM regions WHERE record = ?
      ORDER BY id
      """, [.integer(record)]
    ) { row in
      (
        row.integer(0),
        SkinRecord.Region(
          name: row.text(1) ?? "",
          box: Rectangle(x: row.integer(2), y: row.integer(3), width: row.integer(4), height: row.integer(5)),
          pixels: row.integer(6), trusted: row.integer(7), confidence: row.real(8) ?? 0, atLightness: row.real(9),
          measurements: [])
      )
    }
    return try rows.map { id, region in
      var region = region
      let found = try database.rows(
        "SELECT quantity, value, capture, common, reason FROM measurements WHERE region = ? AND \(Self.isSound)",
        [.integer(id)]
      ) { row -> Measurement? in
        guard let quantity = Quantity(rawValue: row.text(0) ?? "") else { return nil }
        return Measurement(
          quantity, value: row.real(1), capture: row.real(2), common: row.real(3), reason: row.text(4))
      }.compactMap(\.self)
      region.measurements = Quantity.allCases.compactMap { quantity in found.first { $0.quantity == quantity } }
      return region
    }
  }

  /// A record's picture; nil where there is none, or none whose format could be the ending of a file's name.
  public func picture(_ kind: StoredPicture.Kind, of record: Int) throws -> StoredPicture? {
    try work {
      try database.rows(
        "SELECT format, bytes FROM pictures WHERE record = ? AND kind = ?", [.integer(record), .text(kind.rawValue)]
      ) { StoredPicture(kind, format: $0.text(0) ?? "", bytes: $0.blob(1)) }
      .first { $0.format.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    }
  }

  /// Writes a copy of the whole database into a file that is not there yet. Throws `PhotoError`.
  public func copy(to path: String) throws {
    try work { try database.run("VACUUM INTO ?", [.text(path)]) }
  }
}

extension RecordStore {
  /// How many records there are.
  public var count: Int { get throws { try work { try database.number("SELECT count(*) FROM records") ?? 0 } } }
}
