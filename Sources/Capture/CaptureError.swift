/// What a capture or a configuration was refused for, or failed of. Each has a sentence for people.
///
/// Where AVFoundation throws an exception, which ends a program, this library throws one of these.
public enum CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
  // MARK: rules of constant colour

  /// The output cannot take constant-colour photos as it is configured; see ``ConstantColorObstacle``.
  case constantColorNotSupported(ConstantColorObstacle)
  /// The settings ask for constant colour, and the output was not enabled for it.
  case constantColorNotEnabled
  /// The flash mode is off, and constant colour needs the flash.
  case flashModeOff
  /// A RAW pixel format is set, and constant colour cannot be delivered as RAW: it must be 0.
  case rawPhotoNotSupported(PixelFormatType)
  /// A fallback photo is asked for without constant colour.
  case fallbackWithoutConstantColor

  // MARK: rules of all captures

  /// The flash is asked for, and the device has none.
  case flashNotAvailable
  /// The RAW pixel format is none of the output's ``PhotoOutput/availableRawPhotoPixelFormatTypes``.
  case rawFormatNotAvailable(PixelFormatType)
  /// The settings were used for a capture before; each takes new ones.
  case settingsUsedBefore(uniqueID: Int64)
  /// A value of the settings is out of its range; names it.
  case invalidSettings(String)

  // MARK: sessions

  /// The output belongs to no session, or the session has no device.
  case notConnected
  /// The session does not run.
  case sessionNotRunning
  /// The configuration cannot change while photos are captured.
  case captureInProgress
  /// The pipeline is being rebuilt.
  case reconfiguring
  /// The session has an input or output already, or the device or output belongs to another session.
  case alreadyConnected(String)
  /// The device has no such format, or none for the preset.
  case formatNotAvailable(String)
  /// The pipeline could not be built; says why.
  case configurationFailed(String)

  // MARK: captures

  /// The device has nothing more to give.
  case noMoreFrames
  /// The device gave no frames that can be used; says why.
  case framesFailed(String)
  /// The frames were taken, but not developed; says why.
  case processingFailed(String)
  /// An area of a photo is not inside it.
  case invalidArea(PixelArea)
  /// Somebody cancelled the capture.
  case cancelled

  /// What is wrong and what to do, in one line.
  public var description: String {
    switch self {
    case .constantColorNotSupported(let obstacle): "constant colour is not supported: \(obstacle)"
    case .constantColorNotEnabled:
      "constant colour is not enabled on the output; enable it there once, before the session starts"
    case .flashModeOff: "constant colour needs the flash, and the flash mode is off; choose on or auto"
    case .rawPhotoNotSupported(let format):
      "constant colour cannot be delivered as RAW, and the RAW pixel format is \(format); set it to 0"
    case .fallbackWithoutConstantColor:
      "a fallback photo is asked for without constant colour; enable that in the settings, too"
    case .flashNotAvailable: "the device has no flash; choose the flash mode off or another device"
    case .rawFormatNotAvailable(let format): "photos cannot be delivered in the RAW pixel format \(format); set it to 0"
    case .settingsUsedBefore(let id):
      "the settings \(id) were used for a capture before; make new ones with PhotoSettings(from:)"
    case .invalidSettings(let what): "the settings are wrong: \(what)"
    case .notConnected: "the output has no device; add it to a session that has one"
    case .sessionNotRunning: "the session does not run; start it first"
    case .captureInProgress: "the configuration cannot change while photos are captured; wait for them, or cancel them"
    case .reconfiguring: "the pipeline is being rebuilt; wait until that has been done"
    case .alreadyConnected(let what): "\(what)"
    case .formatNotAvailable(let what): "there is no format '\(what)'; choose one that the device has"
    case .configurationFailed(let reason), .framesFailed(let reason), .processingFailed(let reason): reason
    case .invalidArea(let area): "the area \(area) is not inside the picture"
    case .noMoreFrames: "the device has no more frames to give"
    case .cancelled: "the capture was cancelled"
    }
  }
}

/// Why an output cannot take constant-colour photos.
public enum ConstantColorObstacle: Equatable, Sendable, CustomStringConvertible {
  /// The output belongs to no session, or the session has no device.
  case noDevice
  /// The phone or tablet has no flash that was measured together with its sensor.
  case deviceModel(String)
  /// Another camera than the wide-angle and the dual wide one.
  case camera(CaptureDevice.DeviceType)
  /// The camera has no flash.
  case noFlash
  /// The format is one of video.
  case videoFormat(String)

  /// The reason in words.
  public var description: String {
    switch self {
    case .noDevice: "the output has no device"
    case .deviceModel(let name): "\(name) has no flash that was measured together with its sensor"
    case .camera(let type): "the \(type.words) cannot; use the wide-angle or the dual wide camera"
    case .noFlash: "the camera has no flash"
    case .videoFormat(let format): "the format is '\(format)'; use the session's preset photo, or a format of photos"
    }
  }
}

/// A pixel format of RAW photos, a code of four characters as in CoreVideo; 0 is none.
public typealias PixelFormatType = UInt32
