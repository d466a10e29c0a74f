/// A pair that came out badly, to look at.
public struct WorstCase: Sendable {
  /// The pair, and why it is here: "E0800_T3000_green", "largest mean error of well-lit pixels: 4.2".
  public var id, reason: String
  /// What to look at, in order: ("result", …), ("truth", …), ("colour error", …), ("confidence", …).
  public var pictures: [(title: String, picture: SmallPicture)]

  /// A case from its parts.
  public init(id: String, reason: String, pictures: [(title: String, picture: SmallPicture)]) {
    (self.id, self.reason, self.pictures) = (id, reason, pictures)
  }
}

/// An 8-bit sRGB picture for a page, rows of R, G, B.
public struct SmallPicture: Sendable {
  /// The size in pixels.
  public var width, height: Int
  /// 3 × width × height.
  public var bytes: [UInt8]

  /// A picture from its bytes.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}
