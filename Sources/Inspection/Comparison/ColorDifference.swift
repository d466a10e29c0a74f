import ColorScience
import Raster

/// The colour difference CIEDE2000 (CIELAB under D65, white Y = 1) of two pictures, pixel by pixel.
///
/// Both are linear light with sRGB primaries under D65, unbounded, of one size.
public struct ColorDifference {
  /// What is done with brightness before colours are compared.
  public enum Scaling: String, CaseIterable, Sendable {
    /// Nothing: brightness counts.
    case none
    /// The second picture is multiplied by one factor, so that both have the same mean luminance.
    case gain
    /// Each pixel of the second picture is scaled to the luminance of the first's: colour counts, brightness does not.
    case luminance
  }

  let first, second: any PixelSource
  let scaling: Scaling
  let radius: Int
  /// The factor on the second picture.
  var gain = 1.0

  /// What is compared: the area of the first picture.
  public var bounds: Rectangle { first.bounds }

  /// - Parameters:
  ///   - radius: the means over squares of 2 · `radius` + 1 pixels a side are compared, 0...16.
  /// - Throws: ``ComparisonError`` where the pictures differ in size, or are empty.
  public init(_ first: any PixelSource, _ second: any PixelSource, scaling: Scaling = .none, radius: Int = 0) throws {
    let (a, b) = (first.bounds, second.bounds)
    guard a.width == b.width, a.height == b.height else {
      throw ComparisonError(
        "\(a.width) × \(a.height) and \(b.width) × \(b.height) pixels: only pictures of one size can be compared")
    }
    guard !a.isEmpty else { throw ComparisonError("there are no pixels to compare") }
    (self.first, self.second) = (first, second)
    self.scaling = scaling
    self.radius = min(max(radius, 0), 16)
  }

  /// ΔE₀₀ of the pixels of `rectangle`, row after row; NaN where a value is not finite, or a pixel is transparent (alpha 0)
  /// in either picture. With ``Scaling/luminance`` 100 where the second picture has no luminance to be scaled, but the first has.
  public func errors(in rectangle: Rectangle) -> [Float] {
    let moved = Rectangle(
      x: rectangle.x + second.bounds.x - first.bounds.x, y: rectangle.y + second.bounds.y - first.bounds.y,
      width: rectangle.width, height: rectangle.height)
    let (a, b) = (means(first, rectangle), means(second, moved))
    let matrix = RGBSpace.linearSRGB.toXYZ
    return zip(a, b).map { first, second in
      guard first.w > 0, second.w > 0 else { return .nan }
      if first == second, gain == 1, (first * 0).sum() == 0 { return 0 }
      let one = matrix * SIMD3<Double>(first.rgb)
      var two = matrix * SIMD3<Double>(second.rgb) * gain
      if scaling == .luminance {
        guard two.y > Self.leastLuminance else { return one.y > Self.leastLuminance ? 100 : Self.error(one, two) }
        two *= one.y / two.y
      }
      return Self.error(one, two)
    }
  }

  private static let leastLuminance = 1e-7

  private static func error(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Float {
    let error = Float(Lab(XYZ(first)).ciede2000(to: Lab(XYZ(second))))
    return error.isFinite ? error : .nan
  }

  /// The pixels, or the means around them; alpha 0 where a pixel or one around it is void.
  private func means(_ source: any PixelSource, _ rectangle: Rectangle) -> [Pixel] {
    let wide = source.image(rectangle.expanded(by: radius))
    guard radius > 0 else { return wide.pixels }
    let (width, side) = (wide.bounds.width, 2 * radius + 1)
    var sums = [Pixel](repeating: .zero, count: rectangle.count)
    for y in 0..<rectangle.height {
      for x in 0..<rectangle.width {
        var sum = SIMD4<Float>.zero
        var least = Float.infinity
        for row in y..<(y + side) {
          for index in (row * width + x)..<(row * width + x + side) {
            sum += wide.pixels[index]
            least = min(least, wide.pixels[index].w)
          }
        }
        sums[y * rectangle.width + x] = Pixel(rgb: sum.rgb / Float(side * side), alpha: least)
      }
    }
    return sums
  }
}

/// Why two pictures cannot be compared; one line for people.
public struct ComparisonError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let description: String
  init(_ description: String) { self.description = description }
}
