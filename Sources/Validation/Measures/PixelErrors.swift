import ColorScience
import Raster

/// The colour error of every pixel.
public enum PixelErrors {
  /// The colour error (`XYZ.colorError(to:)`) of 3 × 3 means, row after row; not a number where it is not asked for.
  ///
  /// - Parameters:
  ///   - picture: in the geometry of the scene.
  ///   - wanted: whether a pixel is asked for; all are without.
  public static func measure(
    _ picture: XYZPicture, _ reference: SceneReference, where wanted: [Bool]? = nil, execution: Execution = .serial
  ) -> [Float] {
    let (width, height) = (reference.width, reference.height)
    guard picture.width == width, picture.height == height else { return [] }
    let means = boxMean(picture.pixels, width: width, height: height, radius: 1)
    return execution.map(height, placeholder: [Float](repeating: .nan, count: width)) { row in
      (row * width..<(row + 1) * width).map { index in
        if let wanted, !wanted[index] { return .nan }
        let shown = SIMD3<Double>(means[index])
        guard shown.y > 1e-7 else { return 100 }
        let level = XYZ(Double(reference.luminance[index]) / shown.y * shown)
        return Float(Lab(level).ciede2000(to: reference.lab[index]))
      }
    }.flatMap { $0 }
  }
}

/// The mean of the values at the pixels of a part of the picture; nil where it has none.
public func mean(_ values: [Float], where part: [Bool]) -> Double? {
  var (sum, count) = (0.0, 0)
  for (value, isPart) in zip(values, part) where isPart {
    sum += Double(value)
    count += 1
  }
  return count > 0 ? sum / Double(count) : nil
}
