import Glibc
import Raster
import SkinRecord
import TestSupport

/// A database in a folder of its own, and records that were never photographed.
struct StoreFixture {
  let folder: TemporaryFolder
  var path: String { folder.path + "/skin.db" }

  init() throws { folder = try TemporaryFolder() }

  func open() throws -> RecordStore { try RecordStore(path, creates: true) }

  static let identity = SeriesIdentity(
    profile: String(repeating: "ab", count: 32), source: "RAW, Camera", chart: "colorchecker", exposure: "auto",
    lightness: "none")

  static let pictures = [
    StoredPicture(.picture, format: "png", bytes: (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
    StoredPicture(.confidence, format: "png", bytes: [1, 2, 3]),
  ]

  static func record(_ number: Int, subject: String = "P-1", site: String = "left arm") -> SkinRecord {
    let measurements = Quantity.allCases.map { quantity in
      quantity.needsLightness
        ? Measurement(quantity, value: nil, capture: nil, common: nil, reason: "needs L*")
        : Measurement(quantity, value: Double(number), capture: 0.5, common: 1, reason: nil)
    }
    let region = SkinRecord.Region(
      name: "middle", box: Rectangle(x: 1, y: 2, width: 30, height: 40), pixels: 1200, trusted: 1100, confidence: 0.9,
      atLightness: 60, measurements: measurements)
    return SkinRecord(
      subject: subject, site: site, identity: identity, taken: "2026-05-\(number < 10 ? "0" : "")\(number)T10:00:00",
      added: "2026-06-01T00:00:00Z", confidence: 0.91, meanConfidence: 0.9, threshold: 0.8, tolerance: 3,
      expectedError: 1.1, version: "0", flashChecksum: "\(subject) \(site) \(number)", report: "{\"a\":1}",
      regions: [region])
  }

  @discardableResult func add(_ number: Int, _ change: (inout SkinRecord) -> Void = { _ in }) throws -> SkinRecord {
    var record = Self.record(number)
    change(&record)
    return try open().add(record, Self.pictures, newSeries: false)
  }

  func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }
}
