/// A device as the input of a session.
///
/// The corresponding class of AVFoundation is `AVCaptureDeviceInput`.
public final class CaptureDeviceInput: Sendable {
  /// The device.
  public let device: CaptureDevice

  /// An input of a device.
  public init(device: CaptureDevice) { self.device = device }
}
