import Calibration
import ColorScience
import JSONValue
import Photo
import Simulation
import TextOutput

enum ProfileTarget {
  /// A profile that is accepted is written as one that is accepted, too, and gives finite colours.
  static func run(_ bytes: [UInt8]) {
    guard let profile = try? CalibrationProfile(parsing: bytes) else { return }
    let text = JSON.object(profile.members).text()
    precondition((try? CalibrationProfile(parsing: Array(text.utf8))) != nil)
    _ = profile.noise(atISO: 200)
    _ = profile.relativeExposure(of: profile.exposure)
  }
}

enum ReportTarget {
  /// What was read is read again from what is written of it.
  static func run(_ bytes: [UInt8]) {
    if let json = try? JSON(parsing: bytes) {
      for isIndented in [true, false] {
        let text = json.text(indented: isIndented)
        guard let again = try? JSON(parsing: Array(text.utf8)) else { preconditionFailure("its own text is no JSON") }
        precondition(again.text(indented: isIndented) == text)
      }
    }
    Scratch.file("truth.json", bytes) { _ = try PairTruth(reading: $0) }
    Scratch.file("set.json", bytes) { _ = try SimulationSet(reading: AtomicFile.folder(of: $0)) }
  }
}

enum TableTarget {
  static func run(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let rows = try? CSV.parse(text) {
      let written = CSV.text(rows.map(\.fields))
      precondition((try? CSV.parse(written))?.map(\.fields) == rows.map(\.fields))
    }
    if let pairs = try? PairManifest.parse(text, path: "folder/pairs.csv") {
      // Names lead to files of results, and nowhere else.
      precondition(pairs.allSatisfy { !$0.name.hasPrefix("/") && !$0.name.split(separator: "/").contains("..") })
    }
    _ = try? ChartFile.parse(text, name: "chart.csv")
    for columns in 1...3 { _ = try? SpectrumTable.parse(text, columns: columns) }
  }
}
