import Development
import Synchronization

/// What one capture is asked for.
///
/// The corresponding class of AVFoundation is `AVCapturePhotoSettings`. Each capture takes settings of its own:
/// ``init(from:)`` makes new ones of the same values.
public struct PhotoSettings: Sendable {
  /// The number of these settings, which the delegate finds in ``ResolvedPhotoSettings/uniqueID``.
  public let uniqueID: Int64
  /// Whether the flash fires. Constant colour needs ``FlashMode/on`` or ``FlashMode/auto``. Off by default.
  public var flashMode = FlashMode.off
  /// The pixel format of a RAW photo; must be 0, which is the default, for constant colour.
  public var rawPhotoPixelFormatType: PixelFormatType = 0
  /// Whether to take a constant-colour photo; false by default.
  public var isConstantColorEnabled = false
  /// Whether to deliver a fallback photo besides, the ambient frame with standard white balance, for where the confidence is
  /// too low; false by default.
  public var isConstantColorFallbackPhotoDeliveryEnabled = false
  /// How the photo is developed: its colour space, the colour error that confidence speaks of, exposure, the light that it is
  /// shown in. Where it names no calibration profile the device's counts. What AVFoundation does not have.
  public var processing = DevelopmentSettings()

  /// Settings with the default values.
  public init() { uniqueID = Self.nextID.add(1, ordering: .relaxed).newValue }

  /// Settings for a RAW photo.
  public init(rawPixelFormatType: PixelFormatType) {
    self.init()
    rawPhotoPixelFormatType = rawPixelFormatType
  }

  /// New settings with the values of others.
  public init(from settings: PhotoSettings) {
    self.init()
    flashMode = settings.flashMode
    rawPhotoPixelFormatType = settings.rawPhotoPixelFormatType
    isConstantColorEnabled = settings.isConstantColorEnabled
    isConstantColorFallbackPhotoDeliveryEnabled = settings.isConstantColorFallbackPhotoDeliveryEnabled
    processing = settings.processing
  }

  private static let nextID = Atomic<Int64>(0)
}

/// When the flash fires.
public enum FlashMode: String, CaseIterable, Sendable {
  /// Never; always; where it is needed: for constant colour always, otherwise not.
  case off, on, auto
}

/// What became of a capture's settings.
///
/// The corresponding class of AVFoundation is `AVCaptureResolvedPhotoSettings`.
public struct ResolvedPhotoSettings: Sendable {
  /// The number of the settings that the capture was asked for with.
  public let uniqueID: Int64
  /// How many photos will be delivered: 2 with a fallback photo, else 1.
  public let expectedPhotoCount: Int
  /// Whether the flash fires.
  public let isFlashEnabled: Bool
  /// Whether it is a capture of constant colour.
  public let isConstantColorEnabled: Bool
}

extension PhotoSettings {
  var resolved: ResolvedPhotoSettings {
    ResolvedPhotoSettings(
      uniqueID: uniqueID,
      expectedPhotoCount: isConstantColorEnabled && isConstantColorFallbackPhotoDeliveryEnabled ? 2 : 1,
      isFlashEnabled: flashMode == .on || isConstantColorEnabled, isConstantColorEnabled: isConstantColorEnabled)
  }
}
