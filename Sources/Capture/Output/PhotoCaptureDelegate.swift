/// Hears how a capture goes, and gets its photos.
///
/// The corresponding protocol of AVFoundation is `AVCapturePhotoCaptureDelegate`. For each capture the calls come in this
/// order, one after the other, on no particular thread:
///
/// 1. `willBeginCaptureFor`
/// 2. `willCapturePhotoFor`: the frames are about to be taken.
/// 3. `didCapturePhotoFor`: the frames are taken, the subject may move.
/// 4. `didFinishProcessingPhoto`: the photo. With a fallback photo it is called twice: first with the constant-colour photo,
///    then with the fallback (``Photo/isConstantColorFallbackPhoto``).
/// 5. `didFinishCaptureFor`: always, and last. With an error, later ones of the calls above may be missing.
///
/// Every method has a default that does nothing.
public protocol PhotoCaptureDelegate: AnyObject, Sendable {
  /// The settings are resolved.
  func photoOutput(_ output: PhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings)
  /// The frames are about to be taken.
  func photoOutput(_ output: PhotoOutput, willCapturePhotoFor resolvedSettings: ResolvedPhotoSettings)
  /// The frames are taken.
  func photoOutput(_ output: PhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings)
  /// A photo is ready, or could not be made: then it has no pixels.
  func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?)
  /// The capture is over.
  func photoOutput(
    _ output: PhotoOutput, didFinishCaptureFor resolvedSettings: ResolvedPhotoSettings, error: CaptureError?)
}

extension PhotoCaptureDelegate {
  /// Does nothing.
  public func photoOutput(_ output: PhotoOutput, willBeginCaptureFor resolvedSettings: ResolvedPhotoSettings) {}
  /// Does nothing.
  public func photoOutput(_ output: PhotoOutput, willCapturePhotoFor resolvedSettings: ResolvedPhotoSettings) {}
  /// Does nothing.
  public func photoOutput(_ output: PhotoOutput, didCapturePhotoFor resolvedSettings: ResolvedPhotoSettings) {}
  /// Does nothing.
  public func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) {}
  /// Does nothing.
  public func photoOutput(
    _ output: PhotoOutput, didFinishCaptureFor resolvedSettings: ResolvedPhotoSettings, error: CaptureError?
  ) {}
}

/// What happens in a capture.
enum CaptureEvent: Sendable {
  case begins(ResolvedPhotoSettings)
  case captures(ResolvedPhotoSettings)
  case captured(ResolvedPhotoSettings)
  case processed(Photo, CaptureError?)
  case finished(ResolvedPhotoSettings, CaptureError?)

  func tell(_ delegate: any PhotoCaptureDelegate, _ output: PhotoOutput) {
    switch self {
    case .begins(let settings): delegate.photoOutput(output, willBeginCaptureFor: settings)
    case .captures(let settings): delegate.photoOutput(output, willCapturePhotoFor: settings)
    case .captured(let settings): delegate.photoOutput(output, didCapturePhotoFor: settings)
    case .processed(let photo, let error): delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: error)
    case .finished(let settings, let error):
      delegate.photoOutput(output, didFinishCaptureFor: settings, error: error)
    }
  }
}
