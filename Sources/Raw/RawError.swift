/// Why a RAW file cannot be used: a sentence for photographers, without the file's name.
public struct RawError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }

  static let cutOff = RawError("the file is cut off: it ends before the picture does; copy it from the camera again")
  static func damaged(_ what: String) -> RawError {
    RawError("the file is damaged: \(what); copy it from the camera again")
  }
}
