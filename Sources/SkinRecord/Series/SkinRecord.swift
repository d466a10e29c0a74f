import Raster

/// One capture of one site, as it is stored; its pictures are read apart.
public struct SkinRecord: Equatable, Sendable {
  /// The number that it has in the database; 0 before it is there.
  public var id = 0
  /// Whose, and where.
  public var subject, site: String
  /// The number of the site's series, from 1; 0 before it is there.
  public var series = 0
  /// See ``SeriesIdentity``.
  public var identity: SeriesIdentity
  /// When it was taken, by the camera's clock; see ``Timestamp``.
  public var taken: String
  /// When it was added, in UTC.
  public var added: String
  /// The centre-weighted mean confidence and the plain mean, 0...1.
  public var confidence, meanConfidence: Double
  /// The confidence from which pixels count.
  public var threshold: Double
  /// The colour error that confidence speaks of, in ΔE₀₀.
  public var tolerance: Double
  /// The mean error of the way to D65, in ΔE₀₀; nil where nobody knows.
  public var expectedError: Double?
  /// The version of the program.
  public var version: String
  /// The SHA-256 of the flash frame's file.
  public var flashChecksum: String
  /// The report of the development as JSON, without names of files.
  public var report: String
  /// What was measured.
  public var regions: [Region]

  /// A region and its colour.
  public struct Region: Equatable, Sendable {
    /// What it is called: the same in all records of a site.
    public var name: String
    /// Where it is in the flash frame.
    public var box: Rectangle
    /// How many pixels it has, and how many of them count.
    public var pixels, trusted: Int
    /// The mean confidence of all its pixels.
    public var confidence: Double
    /// The L* that a* and b* are told at; nil where they are not.
    public var atLightness: Double?
    /// One of each quantity.
    public var measurements: [Measurement]

    /// A region from its parts.
    public init(
      name: String, box: Rectangle, pixels: Int, trusted: Int, confidence: Double, atLightness: Double?,
      measurements: [Measurement]
    ) {
      (self.name, self.box, self.pixels, self.trusted) = (name, box, pixels, trusted)
      (self.confidence, self.atLightness, self.measurements) = (confidence, atLightness, measurements)
    }

    /// The measurement of a quantity.
    public subscript(_ quantity: Quantity) -> Measurement? { measurements.first { $0.quantity == quantity } }
  }

  /// A record that is in no database yet.
  public init(
    subject: String, site: String, identity: SeriesIdentity, taken: String, added: String, confidence: Double,
    meanConfidence: Double, threshold: Double, tolerance: Double, expectedError: Double?, version: String,
    flashChecksum: String, report: String, regions: [Region]
  ) {
    (self.subject, self.site, self.identity) = (subject, site, identity)
    (self.taken, self.added) = (taken, added)
    (self.confidence, self.meanConfidence) = (confidence, meanConfidence)
    (self.threshold, self.tolerance, self.expectedError) = (threshold, tolerance, expectedError)
    (self.version, self.flashChecksum) = (version, flashChecksum)
    (self.report, self.regions) = (report, regions)
  }

  /// Whether the capture should have been taken again.
  public var isBelowThreshold: Bool { confidence < threshold }
  /// The L* was measured, so that a* and b* are those of the surface.
  public var knowsLightness: Bool { regions.contains { $0[.lightness]?.value != nil } }
}

/// A picture of a record.
public struct StoredPicture: Equatable, Sendable {
  /// Which.
  public enum Kind: String, CaseIterable, Sendable {
    /// The result, with its colour profile.
    case picture
    /// The confidence map: one channel, linear.
    case confidence
  }

  /// Which.
  public var kind: Kind
  /// The extension of such files, without a dot.
  public var format: String
  /// The whole file.
  public var bytes: [UInt8]

  /// A picture from its parts.
  public init(_ kind: Kind, format: String, bytes: [UInt8]) {
    (self.kind, self.format, self.bytes) = (kind, format, bytes)
  }
}
