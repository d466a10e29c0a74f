/// What all records of a series have in common: numbers that differ in any of it cannot be compared.
public struct SeriesIdentity: Equatable, Sendable {
  /// The SHA-256 of the profile's file; nil without a profile.
  public var profile: String?
  /// What the colours rest on without a profile: the kind of picture and the camera.
  public var source: String
  /// The chart that the profile is made from, with its edition; nil without a profile, or where it does not say.
  public var chart: String?
  /// "auto" or "fixed".
  public var exposure: String
  /// See ``LightnessReference/text``.
  public var lightness: String

  /// An identity from its parts.
  public init(profile: String?, source: String, chart: String?, exposure: String, lightness: String) {
    (self.profile, self.source, self.chart) = (profile, source, chart)
    (self.exposure, self.lightness) = (exposure, lightness)
  }

  /// What differs from a series', in words; empty where nothing does.
  func differences(from series: SeriesIdentity) -> [String] {
    func name(_ identity: SeriesIdentity) -> String {
      identity.profile.map { "profile \($0.prefix(12))" } ?? "no profile (\(identity.source))"
    }
    var words: [String] = []
    if profile != series.profile || (profile == nil && source != series.source) {
      words.append("\(name(series)) there, \(name(self)) here")
    }
    if chart != series.chart {
      words.append("chart \(series.chart ?? "unknown") there, \(chart ?? "unknown") here")
    }
    if exposure != series.exposure { words.append("--exposure \(series.exposure) there, \(exposure) here") }
    if lightness != series.lightness {
      words.append("lightness by \(series.lightness) there, by \(lightness) here")
    }
    return words
  }
}

/// A capture that does not belong to the series, or is in it already; one line for people.
public struct SeriesError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String
}

/// What records call people and places on them: codes of the user's, that cannot be turned into anything harmful.
public enum RecordName {
  /// A subject's code: 1 to 64 letters of ASCII, digits, "-", "_" and ".", beginning with a letter or a digit.
  public static func isSubject(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
      && text.utf8.first.map(isAlphanumeric) == true
  }

  /// A site's or region's name: 1 to 64 characters without control characters, and without blanks at its ends.
  public static func isSite(_ text: String) -> Bool {
    (1...64).contains(text.count) && text.utf8.count <= 256 && text.first != " " && text.last != " "
      && text.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned].contains(
          $0.properties.generalCategory)
      }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
