/// The records of one series in time, and how well each of their numbers is known.
public struct SeriesHistory: Sendable {
  /// In the order in which they were taken.
  public let records: [SkinRecord]
  /// The names of regions, in the order in which they first occur.
  public let regions: [String]
  private let spreads: [String: Margin.Spread]

  /// Captures within so many seconds are repetitions: the skin has not changed meanwhile.
  public static let session = 900.0

  /// The history of records of one series.
  public init(_ records: [SkinRecord]) {
    let records = records.sorted { ($0.taken, $0.id) < ($1.taken, $1.id) }
    self.records = records
    var known: Set<String> = []
    regions = records.flatMap(\.regions).map(\.name).filter { known.insert($0).inserted }
    let sessions = Self.sessions(records)
    var spreads: [String: Margin.Spread] = [:]
    for quantity in Quantity.allCases {
      var groups: [String: [[Double]]] = [:]
      for session in sessions {
        var values: [String: [Double]] = [:]
        for region in session.flatMap(\.regions) {
          if let value = region[quantity]?.value { values[region.name, default: []].append(value) }
        }
        for (region, group) in values { groups[region, default: []].append(group) }
      }
      for (region, groups) in groups { spreads[Self.key(region, quantity)] = Margin.Spread(groups, quantity) }
    }
    self.spreads = spreads
  }

  /// How well a measurement is known; nil where there is no number.
  public func margin(_ measurement: Measurement, in region: String) -> Margin? {
    guard measurement.value != nil, let capture = measurement.capture, let common = measurement.common else {
      return nil
    }
    return Margin(capture: capture, common: common, spread: spread(of: measurement.quantity, in: region))
  }

  /// The scatter of repeated captures; nil where there are too few.
  public func spread(of quantity: Quantity, in region: String) -> Margin.Spread? {
    spreads[Self.key(region, quantity)]
  }

  private static func key(_ region: String, _ quantity: Quantity) -> String { "\(quantity.rawValue) \(region)" }

  private static func sessions(_ records: [SkinRecord]) -> [[SkinRecord]] {
    var sessions: [[SkinRecord]] = []
    var start = -Double.infinity
    for record in records {
      let time = Timestamp.seconds(record.taken) ?? -.infinity
      if time - start <= session, !sessions.isEmpty {
        sessions[sessions.count - 1].append(record)
      } else {
        sessions.append([record])
        start = time
      }
    }
    return sessions
  }
}
