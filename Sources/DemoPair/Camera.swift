import GEGL
import Glibc

/// A camera held in the hand.
struct Camera: Sendable {
  static let place = Vector(0.1, 1.5, 4.3)
  /// In heights of the picture.
  private static let focalLength: Float = 2.02
  let width, height: Int
  /// How the hand has turned the camera, in radians: right, up, clockwise.
  var turn: Vector = .zero

  /// The noise of a sensor: electrons at white, electrons of reading.
  private static let fullWell: Float = 30_000
  private static let readNoise: Float = 4

  /// The picture of what `light` says about each ray, four rays a pixel, linear and without noise.
  func image(_ light: @Sendable (Ray) -> Vector) -> [Vector] {
    let forward = normalized(Vector(0.12, 0.42, 0) - Self.place)
    let right = normalized(cross(forward, Vector(0, 1, 0)))
    let up = cross(right, forward)
    var pixels = [Vector](repeating: .zero, count: width * height)
    pixels.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let buffer = buffer
      Library.parallelFor(height) { turns in
        for y in turns {
          for x in 0..<width {
            var sum = Vector.zero
            for (dx, dy) in [(0.125, 0.375), (0.625, 0.125), (0.375, 0.875), (0.875, 0.625)] as [(Float, Float)] {
              let u = (Float(x) + dx - Float(width) / 2) / Float(height)
              let v = (Float(height) / 2 - Float(y) - dy) / Float(height)
              // A rotation about the lens is exactly a homography of the picture.
              let (c, s) = (cos(turn.z), sin(turn.z))
              let direction =
                forward * Self.focalLength + right * (c * u - s * v + turn.x * Self.focalLength)
                + up * (s * u + c * v + turn.y * Self.focalLength)
              sum += light(Ray(origin: Self.place, direction: normalized(direction)))
            }
            buffer[y * width + x] = sum / 4
          }
        }
      }
    }
    return pixels
  }

  /// Where this camera sees what one that was not turned sees at (x, y, 1): nine numbers, row by row, pixel centres at
  /// whole numbers. The inverse of what ``image(_:)`` does to a place in the picture.
  var movement: [Double] {
    let (c, s) = (cos(Double(turn.z)), sin(Double(turn.z)))
    let scale = Double(Self.focalLength) * Double(height)
    let (x, y) = (Double(width - 1) / 2, Double(height - 1) / 2)
    // y points down in pixels and up in the camera.
    let (dx, dy) = (x + scale * Double(turn.x), y - scale * Double(turn.y))
    return [c, -s, x - c * dx + s * dy, s, c, y - s * dx - c * dy, 0, 0, 1]
  }

  /// The picture as the sensor sees it: with the noise of light and of reading, cut off at white.
  static func expose(_ pixels: [Vector], seed: UInt64) -> [Vector] {
    var generator = SplitMix64(seed)
    return pixels.map { light in
      var pixel = Vector.zero
      for channel in 0..<3 {
        let electrons = max(0, light[channel]) * fullWell
        let deviation = (electrons + readNoise * readNoise).squareRoot()
        pixel[channel] = min(max((electrons + deviation * generator.gaussian()) / fullWell, 0), 1)
      }
      return pixel
    }
  }
}
