import SQLite

/// Adding and removing: each as a whole or not at all.
extension RecordStore {
  /// Makes sure that a capture belongs to the site's newest series. Throws ``SeriesError``.
  public func check(_ identity: SeriesIdentity, subject: String, site: String) throws {
    try work {
      guard let newest = try newestSeries(subject, site) else { return }
      let differences = identity.differences(from: newest.identity)
      guard differences.isEmpty else {
        throw SeriesError(
          description: "subject \(subject), site \(site): does not belong to series \(newest.number): "
            + differences.joined(separator: "; ")
            + ". Take it as the series was taken, or begin a new one with --new-series")
      }
    }
  }

  /// Adds a record with its pictures, to the newest series of its site or, when asked, to a new one.
  ///
  /// - Returns: the record with its numbers.
  /// - Throws: ``SeriesError`` where it does not belong there; `PhotoError`.
  public func add(_ record: SkinRecord, _ pictures: [StoredPicture], newSeries: Bool) throws -> SkinRecord {
    try work {
      try database.transaction {
        if !newSeries { try check(record.identity, subject: record.subject, site: record.site) }
        var stored = record
        try database.run("INSERT OR IGNORE INTO subjects(code) VALUES(?)", [.text(record.subject)])
        try database.run(
          "INSERT OR IGNORE INTO sites(subject, name) SELECT id, ? FROM subjects WHERE code = ?",
          [.text(record.site), .text(record.subject)])
        let series = try series(for: record, isNew: newSeries)
        stored.series = series.number
        try refuseTwice(record, series.id)
        stored.id = try insert(record, series: series.id)
        for region in record.regions { try insert(region, record: stored.id) }
        for picture in pictures { try insert(picture, record: stored.id) }
        return stored
      }
    }
  }

  /// Removes records with everything that belongs to them, and series, sites and subjects that are left empty. What they
  /// took is overwritten.
  ///
  /// - Returns: how many there were.
  public func remove(ids: [Int]) throws -> Int {
    try work {
      try database.transaction {
        var count = 0
        for id in ids {
          guard try database.number("SELECT 1 FROM records WHERE id = ?", [.integer(id)]) != nil else { continue }
          try database.run("DELETE FROM records WHERE id = ?", [.integer(id)])
          count += 1
        }
        try database.execute(
          """
          DELETE FROM series WHERE id NOT IN (SELECT series FROM records);
          DELETE FROM sites WHERE id NOT IN (SELECT site FROM series);
          DELETE FROM subjects WHERE id NOT IN (SELECT subject FROM sites);
          """)
        return count
      }
    }
  }

  // MARK: parts

  private func newestSeries(_ subject: String, _ site: String) throws -> (
    id: Int, number: Int, identity: SeriesIdentity
  )? {
    try database.rows(
      """
      SELECT series.id, number, profile, source, chart, exposure, lightness
      FROM series JOIN sites ON site = sites.id JOIN subjects ON subject = subjects.id
      WHERE code = ? AND name = ? ORDER BY number DESC LIMIT 1
      """, [.text(subject), .text(site)]
    ) { row in (row.integer(0), row.integer(1), SeriesIdentity(row, from: 2)) }.first
  }

  private func series(for record: SkinRecord, isNew: Bool) throws -> (id: Int, number: Int) {
    let newest = try newestSeries(record.subject, record.site)
    if let newest, !isNew { return (newest.id, newest.number) }
    // Beyond the last number is a negative one, which the table refuses.
    let number = (newest?.number ?? 0) &+ 1
    let identity = record.identity
    try database.run(
      """
      INSERT INTO series(site, number, profile, source, chart, exposure, lightness)
      SELECT sites.id, ?, ?, ?, ?, ?, ? FROM sites JOIN subjects ON subject = subjects.id WHERE code = ? AND name = ?
      """,
      [
        .integer(number), SQLValue(identity.profile), .text(identity.source), SQLValue(identity.chart),
        .text(identity.exposure), .text(identity.lightness), .text(record.subject), .text(record.site),
      ])
    return (database.lastRow, number)
  }

  private func refuseTwice(_ record: SkinRecord, _ series: Int) throws {
    let known = try database.number(
      "SELECT id FROM records WHERE series = ? AND flash_sha256 = ?",
      [.integer(series), .text(record.flashChecksum)])
    guard let known else { return }
    throw SeriesError(
      description: "subject \(record.subject), site \(record.site): this photograph with flash is in the series "
        + "already, as "
        + "record \(known); name another, or remove that first")
  }

  private func insert(_ record: SkinRecord, series: Int) throws -> Int {
    try database.run(
      """
      INSERT INTO records(series, taken, added, confidence, mean_confidence, threshold, tolerance, expected_error, version,
        flash_sha256, report) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(series), .text(record.taken), .text(record.added), .real(record.confidence),
        .real(record.meanConfidence), .real(record.threshold), .real(record.tolerance), SQLValue(record.expectedError),
        .text(record.version), .text(record.flashChecksum), .text(record.report),
      ])
    return database.lastRow
  }

  private func insert(_ region: SkinRecord.Region, record: Int) throws {
    let box = region.box
    try database.run(
      """
      INSERT INTO regions(record, name, x, y, width, height, pixels, trusted, confidence, at_lightness)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(record), .text(region.name), .integer(box.x), .integer(box.y), .integer(box.width),
        .integer(box.height), .integer(region.pixels), .integer(region.trusted), .real(region.confidence),
        SQLValue(region.atLightness),
      ])
    let id = database.lastRow
    for measurement in region.measurements {
      try database.run(
        "INSERT INTO measurements(region, quantity, value, capture, common, reason) VALUES(?, ?, ?, ?, ?, ?)",
        [
          .integer(id), .text(measurement.quantity.rawValue), SQLValue(measurement.value),
          SQLValue(measurement.capture), SQLValue(measurement.common), SQLValue(measurement.reason),
        ])
    }
  }

  private func insert(_ picture: StoredPicture, record: Int) throws {
    try database.run(
      "INSERT INTO pictures(record, kind, format, size, sha256, bytes) VALUES(?, ?, ?, ?, ?, ?)",
      [
        .integer(record), .text(picture.kind.rawValue), .text(picture.format), .integer(picture.bytes.count),
        .text(Checksum.of(picture.bytes)), .blob(picture.bytes),
      ])
  }
}

extension SeriesIdentity {
  /// From the columns profile, source, chart, exposure, lightness, of which the first is given.
  init(_ row: Statement, from column: Int32) {
    self.init(
      profile: row.text(column), source: row.text(column + 1) ?? "", chart: row.text(column + 2),
      exposure: row.text(column + 3) ?? "", lightness: row.text(column + 4) ?? "")
  }
}
