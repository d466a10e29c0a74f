import Development
import GEGL
import Photo
import Raster

/// What photos of one capture have in common.
struct PhotoParts {
  var settings: ResolvedPhotoSettings
  var name: String
  var metadata = Metadata()
  var exif: ExifBlock?
  var notes: [String] = []
}

/// A photo that was taken; it does not change.
///
/// The corresponding class of AVFoundation is `AVCapturePhoto`.
public final class Photo: Sendable {
  /// What became of the settings.
  public let resolvedSettings: ResolvedPhotoSettings
  /// Its number among the photos of the capture, from 1.
  public let photoCount: Int
  /// What the source calls it: of files, what their names have in common, behind the folder within the one that was searched.
  public let name: String
  /// What the camera wrote: of a constant-colour photo, for the frame with flash.
  public let metadata: Metadata
  /// What the user should know: what is doubtful about the pair, what the files lack.
  public let notes: [String]

  /// The pixels, in the space of ``PhotoSettings/processing``; nil where the photo could not be made.
  public let pixelBuffer: PixelBuffer?
  /// The same before anything was bent to fit into that space: linear light, primaries of sRGB, D65, unbounded. What measures
  /// colours reads these.
  public let linearPixelBuffer: PixelBuffer?

  /// For each pixel, how far its colour can be trusted; nil for all but constant-colour photos.
  public let constantColorConfidenceMap: ConfidenceMap?
  /// The mean of the confidence, in which the centre weighs more than the edges, 0...1; 0 for all but constant-colour photos.
  /// Take the photo again where it is below a threshold of 0.8 to 0.9.
  public let constantColorCenterWeightedMeanConfidenceLevel: Float
  /// Whether this is the fallback photo of a constant-colour capture.
  public let isConstantColorFallbackPhoto: Bool
  /// What was found out about the pair, as `constant-color develop --report` has it; nil for all but constant-colour photos.
  public let report: Report?
  private let exif: ExifBlock?

  init(
    _ parts: PhotoParts, photoCount: Int, pixels: PixelBuffer? = nil, linear: PixelBuffer? = nil,
    confidence: ConfidenceMap? = nil, isFallback: Bool = false, report: Report? = nil
  ) {
    (resolvedSettings, name, metadata, notes) = (parts.settings, parts.name, parts.metadata, parts.notes)
    (exif, self.photoCount) = (parts.exif, photoCount)
    (pixelBuffer, linearPixelBuffer, constantColorConfidenceMap) = (pixels, linear, confidence)
    constantColorCenterWeightedMeanConfidenceLevel = Float(confidence?.centerWeightedMean ?? 0)
    isConstantColorFallbackPhoto = isFallback
    self.report = report
  }

  /// Whether it is a RAW photo: never.
  public var isRawPhoto: Bool { false }

  /// Writes the photo; the extension chooses the format: .png and .tif 16 bit, .exr float, .jpg 8 bit. The file carries its
  /// colour profile and the camera's metadata, and appears whole or not at all.
  ///
  /// - Throws: `PhotoError` for a path that cannot be written, ``CaptureError/processingFailed(_:)`` for a photo without
  ///   pixels.
  public func write(to path: String) throws {
    guard let pixels = pixelBuffer else { throw CaptureError.processingFailed("\(path): the photo has no pixels") }
    try PictureDestination(path).writePicture(
      pixels.bounds, space: pixels.space, pixels.buffer.format?.space, exif: exif, execution: .serial
    ) { band, format, bytes in
      let samples = try pixels.buffer.read(band, format: format, as: UInt8.self)
      bytes.copyBytes(from: samples)
    }
  }

  /// The bytes of a file of the photo.
  ///
  /// - Throws: as ``write(to:)``.
  public func fileDataRepresentation(_ format: PictureFormat = .png) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let path = folder.file("photo.\(format.usualExtension)")
    try write(to: path)
    return try folder.contents(of: "photo.\(format.usualExtension)")
  }
}
