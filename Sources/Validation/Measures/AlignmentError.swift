import ConstantColor
import Raster

/// How far a found alignment is from the true one, in pixels of the ambient frame.
public struct AlignmentError: Equatable, Sendable {
  /// The root of the mean square over 21 × 21 places that cover the frame.
  public let rms: Double
  /// The largest at a corner.
  public let corner: Double

  /// Compares two maps from flash to ambient frame; nil where one leads nowhere.
  ///
  /// - Parameters:
  ///   - found: between the upright frames.
  ///   - truth: between the frames as they are stored.
  ///   - width: the size of both frames as stored; `height` likewise.
  ///   - orientation: how they are turned to be upright.
  public init?(
    found: Homography, truth: Homography, width: Int, height: Int, orientation: Orientation = .upright
  ) {
    func distance(_ place: SIMD2<Double>) -> Double? {
      func upright(_ place: SIMD2<Double>) -> SIMD2<Double> {
        orientation.uprightPlace(ofStored: place, width: width, height: height)
      }
      guard let wanted = truth.apply(to: place), let got = found.apply(to: upright(place)) else { return nil }
      let error = got - upright(wanted)
      return (error * error).sum().squareRoot()
    }
    let (right, bottom) = (Double(width - 1), Double(height - 1))
    let steps = (0...20).map { Double($0) / 20 }
    let grid = steps.flatMap { y in steps.compactMap { x in distance(SIMD2(x * right, y * bottom)) } }
    let corners = [SIMD2(0, 0), SIMD2(right, 0), SIMD2(0, bottom), SIMD2(right, bottom)].compactMap(distance)
    guard grid.count == 441, let corner = corners.max(), corners.count == 4 else { return nil }
    rms = (grid.reduce(0) { $0 + $1 * $1 } / 441).squareRoot()
    self.corner = corner
  }
}
