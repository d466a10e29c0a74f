import JSONValue
import TextOutput

/// Records as tables and as JSON, with the margins that their series give them.
public struct RecordTable {
  /// Records by series, in the order in which they came.
  public let histories: [SeriesHistory]

  /// A table of records of any number of series.
  public init(_ records: [SkinRecord]) {
    var order: [String] = []
    var groups: [String: [SkinRecord]] = [:]
    for record in records {
      let key = "\(record.subject)\n\(record.site)\n\(record.series)"
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(record)
    }
    histories = order.compactMap { groups[$0].map { SeriesHistory($0) } }
  }

  // MARK: CSV

  /// One row a region of a record.
  public var csv: String {
    var rows = [Self.heads]
    for history in histories {
      for record in history.records {
        for region in record.regions { rows.append(row(region, of: record, in: history)) }
      }
    }
    return CSV.text(rows)
  }

  private static let heads =
    [
      "record", "subject", "site", "series", "taken", "added", "region", "x", "y", "width", "height", "pixels",
      "trusted_pixels", "region_confidence", "confidence", "mean_confidence", "threshold", "below_threshold",
      "tolerance",
      "at_lightness",
    ]
    + Quantity.allCases.flatMap { quantity in
      ["", "_margin_95", "_series_margin_95", "_reason"].map { quantity.rawValue + $0 }
    } + [
      "profile_sha256", "source", "chart", "exposure", "lightness_by", "expected_error", "version", "flash_sha256",
    ]

  private func row(_ region: SkinRecord.Region, of record: SkinRecord, in history: SeriesHistory) -> [String] {
    func number(_ value: Double?, _ digits: Int = 4) -> String { decimal(value, digits, unknown: "") }
    let (box, identity) = (region.box, record.identity)
    var row = [
      "\(record.id)", record.subject, record.site, "\(record.series)", record.taken, record.added, region.name,
      "\(box.x)", "\(box.y)", "\(box.width)", "\(box.height)", "\(region.pixels)", "\(region.trusted)",
    ]
    row += [number(region.confidence), number(record.confidence), number(record.meanConfidence)]
    row += [number(record.threshold), record.isBelowThreshold ? "1" : "0", number(record.tolerance)]
    row.append(number(region.atLightness))
    for quantity in Quantity.allCases {
      let measurement = region[quantity]
      let margin = measurement.flatMap { history.margin($0, in: region.name) }
      row += [
        number(measurement?.value), number(margin?.total), number(margin?.series), measurement?.reason ?? "",
      ]
    }
    row += [identity.profile ?? "", identity.source, identity.chart ?? "", identity.exposure, identity.lightness]
    return row + [number(record.expectedError), record.version, record.flashChecksum]
  }

  // MARK: JSON

  /// Every record with everything but its pictures.
  public var json: JSON {
    .array(histories.flatMap { history in history.records.map { json($0, in: history) } })
  }

  /// A record.
  public func json(_ record: SkinRecord, in history: SeriesHistory) -> JSON {
    let identity = record.identity
    return .object([
      "record": .integer(record.id), "subject": .string(record.subject), "site": .string(record.site),
      "series": .integer(record.series), "taken": .string(record.taken), "added": .string(record.added),
      "centerWeightedMeanConfidence": .number(record.confidence), "meanConfidence": .number(record.meanConfidence),
      "threshold": .number(record.threshold), "belowThreshold": .bool(record.isBelowThreshold),
      "tolerance": .number(record.tolerance), "profile": JSON(identity.profile), "source": .string(identity.source),
      "chart": JSON(identity.chart), "exposure": .string(identity.exposure),
      "lightnessBy": .string(identity.lightness), "expectedError": JSON(record.expectedError),
      "version": .string(record.version), "flashChecksum": .string(record.flashChecksum),
      "regions": .array(record.regions.map { json($0, in: history) }),
      "report": (try? JSON(parsing: Array(record.report.utf8))) ?? .null,
    ])
  }

  private func json(_ region: SkinRecord.Region, in history: SeriesHistory) -> JSON {
    let box = region.box
    let measurements = region.measurements.map { measurement in
      let margin = history.margin(measurement, in: region.name)
      return JSON.Member(
        measurement.quantity.rawValue,
        .object([
          "value": JSON(measurement.value), "margin95": JSON(margin?.total), "seriesMargin95": JSON(margin?.series),
          "captureUncertainty": JSON(measurement.capture), "commonUncertainty": JSON(measurement.common),
          "reason": JSON(measurement.reason),
        ]))
    }
    return .object(
      [
        JSON.Member("name", .string(region.name)),
        JSON.Member("region", .array([box.x, box.y, box.width, box.height].map { .integer($0) })),
        JSON.Member("pixels", .integer(region.pixels)), JSON.Member("trustedPixels", .integer(region.trusted)),
        JSON.Member("confidence", .number(region.confidence)), JSON.Member("atLightness", JSON(region.atLightness)),
      ] + measurements)
  }
}

extension SeriesHistory {
  /// A record for people: a line of what it is, and one a quantity.
  public func summary(of record: SkinRecord) -> [String] {
    var lines: [String] = []
    for region in record.regions {
      let reasons = Set(region.measurements.map { $0.value == nil ? $0.reason : nil })
      if reasons.count == 1, let reason = reasons.first ?? nil {
        lines.append("  \(region.name): no numbers, \(reason)")
        continue
      }
      lines.append("  \(region.name): \(region.trusted) of \(region.pixels) pixels trusted")
      for measurement in region.measurements {
        lines.append("    \(leftAligned(measurement.quantity.symbol, 9)) \(text(measurement, in: region))")
      }
    }
    return lines
  }

  /// A value with its margin, or why there is none.
  public func text(_ measurement: Measurement, in region: SkinRecord.Region) -> String {
    guard let value = measurement.value, let margin = margin(measurement, in: region.name) else {
      return "\(unknownText)  \(measurement.reason ?? "")"
    }
    let unit = measurement.quantity.unit
    return "\(decimal(value, 1))\(unit) ± \(decimal(margin.total, 1))\(unit)"
      + " (within the series ± \(decimal(margin.series, 1))\(unit))"
  }
}
