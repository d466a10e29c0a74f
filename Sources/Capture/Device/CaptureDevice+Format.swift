extension CaptureDevice {
  /// What a device can capture.
  ///
  /// The corresponding class of AVFoundation is `AVCaptureDevice.Format`.
  public struct Format: Hashable, Sendable, CustomStringConvertible {
    /// The size in pixels; nil where it is that of the frames.
    public let width, height: Int?
    /// Whether it is the format of photos, and not one of video.
    public let isHighestPhotoQualitySupported: Bool

    /// A format from its parts.
    public init(width: Int?, height: Int?, isHighestPhotoQualitySupported: Bool) {
      (self.width, self.height) = (width, height)
      self.isHighestPhotoQualitySupported = isHighestPhotoQualitySupported
    }

    /// The format in words.
    public var description: String {
      let kind = isHighestPhotoQualitySupported ? "photo" : "video"
      guard let width, let height else { return kind }
      return "\(kind) \(width) × \(height)"
    }

    /// Photos of any size.
    public static let photo = Format(width: nil, height: nil, isHighestPhotoQualitySupported: true)

    /// What phones and tablets have.
    static let ofDevices = [
      Format(width: 4032, height: 3024, isHighestPhotoQualitySupported: true),
      Format(width: 1920, height: 1080, isHighestPhotoQualitySupported: false),
      Format(width: 3840, height: 2160, isHighestPhotoQualitySupported: false),
    ]
  }
}
