import Glibc
import JSONValue

/// What `develop` found out about a pair: the contract's report. Whatever is unknown is nil, and null in the file.
public struct Report: Sendable {
  /// A frame of the pair.
  public struct Frame: Sendable {
    /// The file, as it was named.
    public var path: String
    /// The size, upright.
    public var width, height: Int?
    /// What the camera wrote.
    public var metadata: Metadata

    /// A frame from its parts.
    public init(path: String, width: Int?, height: Int?, metadata: Metadata) {
      self.path = path
      self.width = width
      self.height = height
      self.metadata = metadata
    }

    /// The frame that was loaded.
    public init(_ picture: LoadedPicture) {
      self.init(
        path: picture.file.path, width: picture.width, height: picture.height, metadata: picture.metadata)
    }

    var json: JSON {
      .object([
        "path": .string(path), "width": JSON(width), "height": JSON(height), "exposure": JSON(metadata.exposure),
        "iso": JSON(metadata.iso), "exposureTime": JSON(metadata.exposureTime), "fNumber": JSON(metadata.fNumber),
        "flashFired": JSON(metadata.flashFired),
      ])
    }
  }

  /// How the ambient frame was brought onto the flash frame.
  public struct Alignment: Sendable {
    /// "none", "translation", "similarity", "homography" or "mesh".
    public var model: String
    /// Row by row, from flash to ambient pixels; nine numbers, the last 1.
    public var matrix: [Double]?
    /// RMS in pixels.
    public var residual: Double?
    /// The part of the flash frame that the ambient frame covers, 0...1.
    public var overlap: Double?
    /// "registered", "fell-back" (a simpler model agreed no less than the preferred one), "no-structure" (the frames have too
    /// little in common; taken as they lie) or "not-asked".
    public var outcome: String?
    /// Mean correlation of local structure, up to 1.
    public var agreement: Double?
    /// The longest local shift of a mesh, in pixels.
    public var largestShift: Double?
    /// What resampling left of the variance of a pixel's noise, up to 1.
    public var noiseGain: Double?

    /// The alignment as the report has it.
    public var json: JSON {
      .object([
        "model": .string(model), "matrix": JSON(matrix), "residual": JSON(residual), "overlap": JSON(overlap),
        "outcome": JSON(outcome), "agreement": JSON(agreement), "largestShift": JSON(largestShift),
        "noiseGain": JSON(noiseGain),
      ])
    }

    /// An alignment from its parts.
    public init(model: String, matrix: [Double]?, residual: Double?, overlap: Double?) {
      self.model = model
      self.matrix = matrix
      self.residual = residual
      self.overlap = overlap
    }
  }

  /// The colour of a light.
  public struct White: Sendable {
    /// CIE 1931 chromaticity.
    public var x, y: Double
    /// Correlated colour temperature in kelvin, and the distance from the Planckian locus in CIE 1960 uv.
    public var cct, duv: Double?

    /// A white from its parts.
    public init(x: Double, y: Double, cct: Double?, duv: Double?) {
      self.x = x
      self.y = y
      self.cct = cct
      self.duv = duv
    }
  }

  /// Where the exposure ratio came from.
  public enum RatioSource: String, Sendable {
    /// From the files' EXIF.
    case exif
    /// From the pictures.
    case estimated
    /// From the user.
    case given
  }

  /// The program's version.
  public var version: String
  /// The two frames; with several ambient ones, the first.
  public var flash, ambient: Frame
  /// Flash exposure by ambient exposure: the green value, and where it came from.
  public var exposureRatio: Double?
  /// See ``exposureRatio``.
  public var exposureRatioSource: RatioSource?
  /// See ``Alignment``.
  public var alignment: Alignment?
  /// The colours of the two lights.
  public var ambientWhite, flashWhite: White?
  /// 0...1.
  public var centerWeightedMeanConfidence, meanConfidence, clippedFraction: Double?
  /// The colour error (ΔE00) that confidence speaks of.
  public var colorTolerance: Double?
  /// Whether the frame should be taken again; nil without a threshold to compare with.
  public var belowThreshold: Bool?
  /// Red, green, blue.
  public var exposureRatios: [Double]?
  /// How many ambient frames were averaged.
  public var ambientFrames: Int?
  /// Seconds of each step, in order; a total is added as the last.
  public var timings: [(step: String, seconds: Double)] = []
  /// The whole time in seconds.
  public var total: Double?
  /// Further members, after the fixed ones.
  public var more: [JSON.Member] = []

  /// A report of which only the frames are known.
  public init(version: String, flash: Frame, ambient: Frame) {
    self.version = version
    self.flash = flash
    self.ambient = ambient
  }

  /// The report as JSON, with the contract's keys in its order.
  public var json: JSON {
    let times = timings.map { JSON.Member($0.step, .number($0.seconds)) } + [JSON.Member("total", JSON(total))]
    let members: JSON = .object([
      "version": .string(version), "flash": flash.json, "ambient": ambient.json,
      "exposureRatio": JSON(exposureRatio), "exposureRatioSource": JSON(exposureRatioSource?.rawValue),
      "alignment": alignment?.json ?? .null,
      "ambientWhite": ambientWhite.map(Self.json) ?? .null, "flashWhite": flashWhite.map(Self.json) ?? .null,
      "centerWeightedMeanConfidence": JSON(centerWeightedMeanConfidence), "meanConfidence": JSON(meanConfidence),
      "clippedFraction": JSON(clippedFraction), "colorTolerance": JSON(colorTolerance),
      "belowThreshold": JSON(belowThreshold), "exposureRatios": JSON(exposureRatios),
      "ambientFrames": JSON(ambientFrames), "timings": .object(times),
    ])
    guard case .object(let fixed) = members else { return members }
    return .object(fixed + more)
  }

  private static func json(_ white: White) -> JSON {
    .object(["x": .number(white.x), "y": .number(white.y), "cct": JSON(white.cct), "duv": JSON(white.duv)])
  }
}

extension JSON {
  /// Writes the text and a line break to a file, whole or not at all; "-" is standard output.
  /// - Throws: ``PhotoError``
  public func write(to path: String) throws {
    let bytes = Array((text() + "\n").utf8)
    guard path == "-" else {
      let file = try AtomicFile(path)
      try file.write(bytes)
      return try file.commit()
    }
    var done = 0
    while done < bytes.count {
      let result = bytes.withUnsafeBytes {
        Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { throw PhotoError("standard output", errno: errno, doing: "write") }
      done += result
    }
  }
}
