import Synchronization

/// A camera: one of a modelled phone or tablet, files on disk, or anything that gives frames.
///
/// The corresponding class of AVFoundation is `AVCaptureDevice`.
public final class CaptureDevice: Sendable {
  /// The kinds of cameras.
  public enum DeviceType: String, CaseIterable, Sendable {
    /// A single camera of the usual, of a short, of a long focal length.
    case builtInWideAngleCamera, builtInUltraWideCamera, builtInTelephotoCamera
    /// Two or three of them that switch by themselves: wide-angle and telephoto, wide-angle and ultra-wide, all three.
    case builtInDualCamera, builtInDualWideCamera, builtInTripleCamera
    /// A camera that is no part of a modelled device: files, a tethered camera, a simulated one.
    case external

    /// Whether cameras of this kind can take constant-colour photos.
    public var supportsConstantColor: Bool {
      switch self {
      case .builtInWideAngleCamera, .builtInDualWideCamera, .external: true
      case .builtInUltraWideCamera, .builtInTelephotoCamera, .builtInDualCamera, .builtInTripleCamera: false
      }
    }
  }

  /// Where the camera looks.
  public enum Position: String, Sendable {
    /// Away from the user, where the flash is; to the user; anywhere.
    case back, front, unspecified
  }

  /// A name that no other device has.
  public let uniqueID: String
  /// A name for people.
  public let localizedName: String
  /// The phone or tablet that it is part of; nil for an external one.
  public let model: DeviceModel?
  /// What kind of camera it is.
  public let deviceType: DeviceType
  /// Where it looks.
  public let position: Position
  /// Whether it has a flash.
  public let hasFlash: Bool
  /// What it can capture; at least one.
  public let formats: [Format]
  /// The file of a calibration profile of this camera and its flash; nil: what the frames say of themselves.
  public let calibrationProfile: String?
  let source: (any FrameSource)?

  private struct State {
    var activeFormat: Format
    var membership = Membership()
  }

  private let state: Mutex<State>

  /// A camera of a phone or tablet.
  ///
  /// - Parameter source: where its frames come from; without one its rules can be asked, but nothing captured.
  public init(
    model: DeviceModel, deviceType: DeviceType, position: Position = .back, source: (any FrameSource)? = nil,
    calibrationProfile: String? = nil
  ) {
    uniqueID = "\(model.identifiers.first ?? model.name)/\(deviceType.rawValue)/\(position.rawValue)"
    localizedName = "\(model.name), \(deviceType.words)" + (position == .front ? ", front" : "")
    self.model = model
    self.deviceType = deviceType
    self.position = position
    hasFlash = model.hasFlash && position == .back
    formats = Format.ofDevices
    self.calibrationProfile = calibrationProfile
    self.source = source
    state = Mutex(State(activeFormat: Format.ofDevices[0]))
  }

  /// A camera that is no part of a phone, with a flash, which only takes photos.
  public init(
    name: String, source: any FrameSource, calibrationProfile: String? = nil
  ) {
    uniqueID = "external/\(name)"
    localizedName = name
    model = nil
    deviceType = .external
    position = .unspecified
    hasFlash = true
    formats = [.photo]
    self.calibrationProfile = calibrationProfile
    self.source = source
    state = Mutex(State(activeFormat: .photo))
  }

  /// The format in use.
  public var activeFormat: Format { state.withLock { $0.activeFormat } }

  /// Chooses a format; the preset of the session becomes ``CaptureSession/Preset/inputPriority``. In a running session that
  /// rebuilds the pipeline.
  ///
  /// - Throws: ``CaptureError/formatNotAvailable(_:)`` for one that is not among ``formats``, and what
  ///   ``CaptureSession`` throws while something is captured.
  public func setActiveFormat(_ format: Format) async throws(CaptureError) {
    guard formats.contains(format) else { throw .formatNotAvailable(format.description) }
    let session = state.withLock { state -> CaptureSession? in
      let session = state.membership.session
      if session == nil { state.activeFormat = format }
      return session
    }
    try await session?.setActiveFormat(format, of: self)
  }

  /// Used by the session that the device belongs to.
  func use(_ format: Format) { state.withLock { $0.activeFormat = format } }

  /// Gives the device to a session; false where it belongs to another.
  func attach(to session: CaptureSession) -> Bool { state.withLock { $0.membership.enter(session) } }

  /// Takes the device from its session.
  func detach() { state.withLock { $0.membership.leave() } }
}

extension CaptureDevice.DeviceType {
  /// The kind for people.
  public var words: String {
    switch self {
    case .builtInWideAngleCamera: "wide-angle camera"
    case .builtInUltraWideCamera: "ultra-wide camera"
    case .builtInTelephotoCamera: "telephoto camera"
    case .builtInDualCamera: "dual camera"
    case .builtInDualWideCamera: "dual wide camera"
    case .builtInTripleCamera: "triple camera"
    case .external: "external camera"
    }
  }
}
