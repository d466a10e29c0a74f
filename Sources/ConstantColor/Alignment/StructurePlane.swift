import Raster

/// What two photographs of one scene have in common whatever lights them: contrast of each channel against its
/// neighbourhood, and how steep the picture is, both in units of the neighbourhood's own, at one scale.
///
/// Values lie around -2...2. Red, green and blue hold contrast with its sign: precise, but a light from another side
/// shades the other flank of everything that stands out. The fourth lane holds the length of the gradient, to which sign
/// and colour are the same. What is clipped, or a place without data, is NaN: interpolation then carries "unknown" along
/// by itself.
struct StructurePlane {
  let width, height: Int
  /// Frame pixels per sample.
  let factor: Int
  let samples: [SIMD4<Float>]

  /// The structure of a stabilised frame whose unit noise has already been averaged to `noise`.
  init(_ frame: ReducedFrame, noise: Float, execution: Execution) {
    width = frame.width
    height = frame.height
    factor = frame.factor
    var smooth = frame.pixels
    LineFilter.gaussian.apply(&smooth, width: width, height: height, execution: execution)
    var mean = smooth
    LineFilter.wide.apply(&mean, width: width, height: height, execution: execution)
    Self.forRows(&smooth, width, height, execution) { smooth, i in
      let known = smooth[i].w > 0.05
      var contrast = known ? smooth[i] / smooth[i].w - mean[i] / max(mean[i].w, 1e-6) : .zero
      contrast.w = known ? 1 : 0
      smooth[i] = contrast
    }
    let steepness = Self.steepness(of: smooth, noise: noise, width, height, execution)
    var energy = mean
    Self.forRows(&energy, width, height, execution) { energy, i in
      var square = smooth[i] * smooth[i]
      square.w = smooth[i].w
      energy[i] = square
    }
    LineFilter.wide.apply(&energy, width: width, height: height, execution: execution)
    // A Gaussian of σ = 1 leaves 1/(2√π) of white noise; contrast below four times that is not told from noise.
    let floor = 4 * 0.282 * noise
    let flags = Self.dilated(frame, execution)
    Self.forRows(&smooth, width, height, execution) { smooth, i in
      let local = energy[i] / max(energy[i].w, 1e-6)
      var value = smooth[i] / (local + floor * floor).squareRoot()
      value.w = steepness[i].w
      let flag = flags[i]
      if flag != 0 {
        let unknown = flag & ReducedFrame.unknown != 0
        for channel in 0..<3 where unknown || flag & (1 << UInt8(channel)) != 0 { value[channel] = .nan }
        value.w = .nan
      }
      smooth[i] = value
    }
    samples = smooth
  }

  /// How much steepness counts beside three channels that often say the same.
  private static let weightOfSteepness: Float = 1.5

  /// The length of the gradient over all channels, less its local mean, over its local root mean square, in the fourth
  /// lane; NaN beside places that are not known.
  private static func steepness(
    of contrast: [SIMD4<Float>], noise: Float, _ width: Int, _ height: Int, _ execution: Execution
  ) -> [SIMD4<Float>] {
    var lengths = [SIMD4<Float>](repeating: .zero, count: contrast.count)
    lengths.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let lengths = buffer
      execution.forEach(max(0, height - 2)) { row in
        for i in (row + 1) * width + 1..<max((row + 2) * width - 1, (row + 1) * width + 1) {
          let dx = contrast[i + 1] - contrast[i - 1]
          let dy = contrast[i + width] - contrast[i - width]
          // The fourth lane tells known from unknown.
          guard contrast[i].w > 0, dx.w == 0, dy.w == 0 else { continue }
          let square = (dx * dx + dy * dy).sum()
          lengths[i] = SIMD4(square.squareRoot(), square, 0, 1)
        }
      }
    }
    var local = lengths
    LineFilter.wide.apply(&local, width: width, height: height, execution: execution)
    // Of white noise the Gaussian leaves squared lengths of 0.6, over three channels; as above, what is less than four times
    // as long is not told from noise.
    let floor = 16 * 0.6 * noise * noise
    forRows(&local, width, height, execution) { local, i in
      let mean = local[i] / max(local[i].w, 1e-6)
      let isKnown = lengths[i].w > 0
      local[i].w = isKnown ? weightOfSteepness * (lengths[i].x - mean.x) / (mean.y + floor).squareRoot() : .nan
    }
    return local
  }

  private typealias Plane = UnsafeMutableBufferPointer<SIMD4<Float>>

  @inline(__always)
  private static func forRows(
    _ plane: inout [SIMD4<Float>], _ width: Int, _ height: Int, _ execution: Execution,
    _ body: (Plane, Int) -> Void
  ) {
    plane.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let plane = buffer
      let rows = max(1, 32_768 / max(1, width))
      execution.forEach((height + rows - 1) / rows) { part in
        for i in part * rows * width..<min(height, (part + 1) * rows) * width { body(plane, i) }
      }
    }
  }

  /// Flags spread by two samples: that far smoothing carries a clipped value.
  private static func dilated(_ frame: ReducedFrame, _ execution: Execution) -> [UInt8] {
    guard frame.flags.contains(where: { $0 != 0 }) else { return frame.flags }
    let (width, height) = (frame.width, frame.height)
    let source = frame.flags
    var result = source
    result.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let result = buffer
      execution.forEach(height) { y in
        for x in 0..<width {
          var flag: UInt8 = 0
          for row in max(0, y - 2)...min(height - 1, y + 2) {
            for column in max(0, x - 2)...min(width - 1, x + 2) { flag |= source[row &* width &+ column] }
          }
          result[y &* width &+ x] = flag
        }
      }
    }
    return result
  }
}

/// The structure of one frame at every scale, the finest first.
struct StructurePyramid {
  /// The frame it was made of.
  let bounds: Rectangle
  var levels: [StructurePlane] = []

  /// The smallest side a level may have.
  static let smallest = 24

  /// Reads the frame once; empty levels after a cancellation.
  init(_ source: some PixelSource, factor: Int, execution: Execution) {
    bounds = source.bounds
    var frame = ReducedFrame(source, factor: factor, execution: execution)
    guard !execution.cancellation.isCancelled else { return }
    frame.stabilize(VarianceStabilizer(frame), execution: execution)
    var noise: Float = 1
    while min(frame.width, frame.height) >= Self.smallest {
      levels.append(StructurePlane(frame, noise: noise, execution: execution))
      if execution.cancellation.isCancelled { return }
      frame = frame.halved()
      // Noise halves with every level, slow shading does not: the floor stays where shading begins.
      noise = max(noise / 2, 0.25)
    }
  }

  /// The map from samples of level `index` to pixels of the frame.
  func placement(of index: Int) -> Homography {
    let factor = Double(levels[index].factor)
    return Homography(
      row0: SIMD3(factor, 0, Double(bounds.x) + (factor - 1) / 2),
      row1: SIMD3(0, factor, Double(bounds.y) + (factor - 1) / 2), row2: [0, 0, 1])
  }

  /// A map from this frame to `other`'s as one from samples to samples of level `index`; nil where there is none.
  func samples(_ map: Homography, to other: StructurePyramid, _ index: Int) -> Homography? {
    other.placement(of: index).inverse?.concatenating(after: map)?.concatenating(after: placement(of: index))
  }
}

extension ReducedFrame {
  /// Replaces linear light by its stabilised values, still weighted with the fourth lane.
  fileprivate mutating func stabilize(_ stabilizer: VarianceStabilizer, execution: Execution) {
    let count = pixels.count
    pixels.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let pixels = buffer
      let part = 16_384
      execution.forEach((count + part - 1) / part) { index in
        for i in index * part..<min(count, (index + 1) * part) {
          let weight = pixels[i].w
          guard weight > 0 else { continue }
          var value = stabilizer.apply(pixels[i] / weight)
          value.w = 1
          pixels[i] = value * weight
        }
      }
    }
  }
}
