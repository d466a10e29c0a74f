/// Where the frames of a device come from: a folder, a tethered camera, a simulation.
///
/// Frames are handed over as files, in any format that can be read, RAW best. The methods are called one at a time for each
/// capture, from any thread.
public protocol FrameSource: Sendable {
  /// Gets ready; called whenever the pipeline is built, before the first capture.
  ///
  /// - Parameter constantColor: whether pairs will be asked for.
  func prepare(constantColor: Bool) async throws

  /// Takes what a capture needs. Should end early where the task is cancelled.
  func frames(for request: FrameRequest) async throws -> CapturedFrames
}

extension FrameSource {
  /// Nothing is to be done.
  public func prepare(constantColor: Bool) async throws {}
}

/// What a capture needs of its device.
public struct FrameRequest: Sendable {
  /// The number of the settings.
  public let uniqueID: Int64
  /// Whether a frame with flash is needed, and one without. Constant colour needs both, in rapid succession, the one with
  /// flash first.
  public let needsFlash, needsAmbient: Bool

  /// A request, from its parts.
  public init(uniqueID: Int64, needsFlash: Bool, needsAmbient: Bool) {
    (self.uniqueID, self.needsFlash, self.needsAmbient) = (uniqueID, needsFlash, needsAmbient)
  }
}

/// The frames of one capture, as files.
public struct CapturedFrames: Sendable {
  /// What to call the photo: a word for people and for the names of files.
  public var name: String
  /// The frame with flash; nil where none was asked for.
  public var flash: String?
  /// The frames without flash; several are averaged.
  public var ambients: [String]
  /// Whether the files hold linear camera values, whatever their profile says.
  public var isLinear = false
  /// Called once the files are not needed any more, however the capture ended.
  public var discard: (@Sendable () -> Void)?

  /// Frames from their files.
  public init(
    name: String, flash: String?, ambients: [String], isLinear: Bool = false, discard: (@Sendable () -> Void)? = nil
  ) {
    (self.name, self.flash, self.ambients) = (name, flash, ambients)
    (self.isLinear, self.discard) = (isLinear, discard)
  }
}
