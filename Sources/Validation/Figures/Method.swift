/// The pictures that are compared.
public enum Method: String, CaseIterable, Sendable {
  /// What this program makes of the pair.
  case result
  /// The ambient frame with the white balance that the camera chose, through its own matrices: the standard picture.
  case ambient
  /// The flash frame, in the same way.
  case flash

  /// What it is called where people read.
  public var title: String {
    switch self {
    case .result: "constant colour"
    case .ambient: "standard ambient picture"
    case .flash: "flash picture"
    }
  }
}

/// Kinds of patches, as figures tell them apart.
public enum PairPatchKind: String, CaseIterable, Sendable {
  /// The chart's.
  case chart
  /// The skin tones'.
  case skin
  /// On any other thing.
  case object
  /// Where the flash hardly reaches.
  case far
}
