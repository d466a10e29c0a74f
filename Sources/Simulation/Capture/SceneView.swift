import Raster

/// A scene as a frame of some size sees it: nine rays a pixel, then the blur of the lens.
struct SceneView {
  let scene: Scene
  let width, height: Int
  /// From the frame's pixels to those of the flash frame, row by row.
  let toFlashFrame: [Double]
  let isAmbientFrame: Bool
  let execution: Execution

  /// Rays a pixel in each direction.
  private static let rays = 3
  /// The standard deviation of the blur, in pixels.
  private static let blur: Float = 0.45

  /// The picture of what a function says of each point and the row it is in; its fourth value is free.
  func picture(_ value: (_ point: ScenePoint, _ row: Int) -> SIMD4<Float>) -> [SIMD4<Float>] {
    var pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
    withoutActuallyEscaping(value) { value in
      nonisolated(unsafe) let value = value
      pixels.withUnsafeMutableBufferPointer { buffer in
        nonisolated(unsafe) let buffer = buffer
        execution.forEach(height) { y in
          for x in 0..<width {
            var sum = SIMD4<Float>.zero
            for ray in 0..<Self.rays * Self.rays { sum += value(point(x, y, ray), y) }
            buffer[y * width + x] = sum / Float(Self.rays * Self.rays)
          }
        }
      }
    }
    // Large pictures are not copied about for nobody.
    return execution.cancellation.isCancelled ? pixels : blurred(pixels)
  }

  /// What the middle of a pixel sees.
  func centre(_ x: Int, _ y: Int) -> ScenePoint { point(x, y, Self.rays * Self.rays / 2) }

  private func point(_ x: Int, _ y: Int, _ ray: Int) -> ScenePoint {
    let step = 1 / Double(Self.rays)
    let u = Double(x) + (Double(ray % Self.rays) + 0.5) * step - 0.5
    let v = Double(y) + (Double(ray / Self.rays) + 0.5) * step - 0.5
    let place = HandMotion.apply(toFlashFrame, u, v)
    return scene.point(at: SceneFrame(scene, width: width, height: height).place(place), isAmbientFrame: isAmbientFrame)
  }

  private func blurred(_ pixels: [SIMD4<Float>]) -> [SIMD4<Float>] {
    // exp(-1/(2σ²)) on each side.
    let side = Self.sideWeight
    let middle = 1 - 2 * side
    var rows = pixels
    var result = pixels
    rows.withUnsafeMutableBufferPointer { rows in
      nonisolated(unsafe) let rows = rows
      pixels.withUnsafeBufferPointer { source in
        nonisolated(unsafe) let source = source
        execution.forEach(height) { y in
          for x in 0..<width {
            let (left, right) = (y * width + max(x - 1, 0), y * width + min(x + 1, width - 1))
            rows[y * width + x] = middle * source[y * width + x] + side * (source[left] + source[right])
          }
        }
      }
    }
    result.withUnsafeMutableBufferPointer { result in
      nonisolated(unsafe) let result = result
      rows.withUnsafeBufferPointer { rows in
        nonisolated(unsafe) let rows = rows
        execution.forEach(height) { y in
          let (above, below) = (max(y - 1, 0) * width, min(y + 1, height - 1) * width)
          for x in 0..<width {
            result[y * width + x] = middle * rows[y * width + x] + side * (rows[above + x] + rows[below + x])
          }
        }
      }
    }
    return result
  }

  private static let sideWeight: Float = {
    // The variance of (side, middle, side) is 2 · side.
    blur * blur / 2
  }()
}

/// How pixels of a frame are places of a scene.
struct SceneFrame {
  let width, height: Int
  /// ``Scene/view``, and back.
  private let view, inverse: [Double]?

  init(_ scene: Scene, width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    view = scene.view
    inverse = scene.view.flatMap(HandMotion.inverse)
  }

  private var scale: Double { 640 / Double(max(width, 1)) }
  private var top: Double { (480 - Double(height) * scale) / 2 }

  /// The place under a pixel's place (centres at whole numbers).
  func place(_ pixel: (x: Double, y: Double)) -> Place {
    let (x, y) = ((pixel.x + 0.5) * scale, (pixel.y + 0.5) * scale + top)
    guard let view else { return Place(Float(x), Float(y)) }
    let place = HandMotion.apply(view, x, y)
    return Place(Float(place.x), Float(place.y))
  }

  /// The pixel's place over a place.
  func pixel(_ place: Place) -> SIMD2<Double> {
    var (x, y) = (Double(place.x), Double(place.y))
    if let inverse { (x, y) = HandMotion.apply(inverse, x, y) }
    return SIMD2(x / scale - 0.5, (y - top) / scale - 0.5)
  }
}
