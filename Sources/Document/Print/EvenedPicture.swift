import ConstantColor
import Raster

/// A picture of a page as if its paper were evenly lit, and white.
///
/// Each pixel is divided by the paper's white at its place, channel by channel: paper is 1, print keeps its reflectance relative
/// to the paper's, which is what its colours are seen by.
public struct EvenedPicture<Source: PixelSource>: PixelSource {
  private let source: Source
  private let paper: PaperWhite

  /// The even picture of a source.
  public init(_ source: Source, _ paper: PaperWhite) {
    (self.source, self.paper) = (source, paper)
  }

  /// Where the picture has pixels.
  public var bounds: Rectangle { source.bounds }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    source.read(rectangle, into: destination)
    paper.even(destination, rectangle)
  }
}

extension PaperWhite {
  /// Divides the pixels of a rectangle by their white; alpha stays.
  public func even(_ pixels: MutablePixels, _ rectangle: Rectangle) {
    guard pixels.count >= rectangle.count else { return }
    for row in 0..<rectangle.height {
      for column in 0..<rectangle.width {
        let index = row &* rectangle.width &+ column
        let pixel = pixels[index]
        let white = white(at: SIMD2(Double(rectangle.x &+ column), Double(rectangle.y &+ row)))
        pixels[index] = Pixel(rgb: pixel.rgb / white, alpha: pixel.w)
      }
    }
  }
}

/// A page seen from straight above: a picture resampled so that an outline becomes a rectangle.
///
/// Catmull-Rom interpolation in linear light (``Warp``).
public struct FlattenedPage<Source: PixelSource>: PixelSource {
  private let source: Source
  private let warp: Warp
  /// Where the page has pixels; its top left is (0, 0).
  public let bounds: Rectangle

  /// A page; nil for an outline that no camera sees.
  ///
  /// - Parameters:
  ///   - outline: in pixels of the source.
  ///   - width, height: of the result.
  public init?(_ source: Source, _ outline: PageOutline, width: Int, height: Int) {
    guard let homography = SheetShape.homography(to: outline, width: width, height: height) else { return nil }
    self.source = source
    warp = Warp(homography, ambientBounds: source.bounds)
    bounds = Rectangle(width: width, height: height)
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    warp.process(rectangle, source, into: destination)
    // Alpha was the trust in what is aligned; here every pixel is the page's.
    for index in 0..<rectangle.count { destination[index].w = 1 }
  }
}
