import Raster

/// Resamples an ambient frame into the geometry of its flash frame, in linear light.
///
/// Colour comes from Catmull-Rom interpolation that stays within the values it is made of; identity and whole-pixel shifts copy
/// exactly. Outside the ambient frame the nearest edge pixel is repeated.
///
/// Alpha is trust: 0 outside the ambient frame, and where a sample that contributes is clipped (a channel of 1.0 or
/// more), not a number, or has an alpha of 0; else the least alpha of the samples that contribute, times the trust that the
/// local residual leaves (``ResidualMap``), 1/256 or more. Every pixel depends on its own place alone: any cutting into
/// rectangles gives the same bits.
public struct Warp: Sendable {
  /// From the flash frame to the ambient frame.
  public let homography: Homography
  /// Small shifts before the map; nil for none.
  public let field: DisplacementField?
  /// What alignment leaves in each place; nil where nothing is known.
  public let residuals: ResidualMap?
  /// Where the ambient frame has pixels.
  public let ambientBounds: Rectangle

  /// The whole-pixel shift that the map is, if it is one.
  private let shift: (x: Int, y: Int)?
  /// The longest shift of the field, in pixels of the flash frame.
  private let slack: Double

  /// A warp of a frame with pixels in `ambientBounds`; a map with numbers that are not finite counts as identity.
  public init(
    _ homography: Homography, field: DisplacementField? = nil, residuals: ResidualMap? = nil, ambientBounds: Rectangle
  ) {
    let finite = homography.elements.allSatisfy(\.isFinite)
    self.homography = finite ? homography : .identity
    self.ambientBounds = ambientBounds
    // Shifts that no lens and no hand make count as none.
    self.field = field.flatMap { $0.largest < 1e4 ? $0 : nil }
    self.residuals = residuals
    slack = self.field?.largest ?? 0
    shift = self.field == nil ? Self.wholeShift(self.homography) : nil
  }

  /// A warp that carries out an alignment.
  public init(_ alignment: Alignment, ambientBounds: Rectangle) {
    self.init(
      alignment.homography, field: alignment.field, residuals: alignment.localResiduals, ambientBounds: ambientBounds)
  }

  private static func wholeShift(_ map: Homography) -> (x: Int, y: Int)? {
    let (x, y) = (map.row0.z, map.row1.z)
    guard map == .translation(x: x, y: y), abs(x) < 1e9, abs(y) < 1e9, x == x.rounded(), y == y.rounded() else {
      return nil
    }
    return (Int(x), Int(y))
  }

  /// What interpolation leaves of the variance of white noise, on average over `rectangle` of the flash frame: 1 for a copy, 0.41
  /// half-way between four pixels. Means over many pixels lose nothing: what a pixel lost is in what it shares with its
  /// neighbours.
  public func noiseGain(over rectangle: Rectangle) -> Double {
    guard shift == nil, !rectangle.isEmpty else { return 1 }
    let steps = 32
    var (sum, count) = (0.0, 0.0)
    for row in 0..<steps {
      for column in 0..<steps {
        let part = SIMD2(Double(column) + 0.5, Double(row) + 0.5) / Double(steps)
        let size = SIMD2(Double(rectangle.width), Double(rectangle.height))
        var place = (SIMD2(Double(rectangle.x), Double(rectangle.y)) + part * size).rounded(.down)
        if let field { place += field.shift(at: place) }
        guard let image = homography.apply(to: place) else { continue }
        let fraction = SIMD2<Float>(image - image.rounded(.down))
        let (x, y) = (CatmullRom.weights(fraction.x), CatmullRom.weights(fraction.y))
        sum += Double((x * x).sum() * (y * y).sum())
        count += 1
      }
    }
    return count > 0 ? sum / count : 1
  }

  /// The pixels of the ambient frame that `process` reads for `rectangle` of the flash frame.
  public func requiredRectangle(for rectangle: Rectangle) -> Rectangle {
    guard !rectangle.isEmpty, !ambientBounds.isEmpty else { return Rectangle(width: 0, height: 0) }
    let frame = ambientBounds.expanded(by: WarpKernel.reach)
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    // Every place lies within the rectangle grown by the longest shift.
    let grown = field == nil ? rectangle : rectangle.expanded(by: Int(slack.rounded(.up)))
    for corner in grown.corners {
      // Beyond the horizon the image of a rectangle has no bounds.
      guard let place = homography.apply(to: corner) else { return frame }
      (left, right) = (min(left, place.x), max(right, place.x))
      (top, bottom) = (min(top, place.y), max(bottom, place.y))
    }
    // Places outside read the nearest edge pixel: the ends of the range are clamped into the frame first.
    func clamp(_ value: Double, _ low: Int, _ high: Int) -> Int {
      Int(min(max(value, Double(low)), Double(high)).rounded(.down))
    }
    let x = clamp(left, ambientBounds.x, ambientBounds.maxX - 1)
    let y = clamp(top, ambientBounds.y, ambientBounds.maxY - 1)
    let lastX = clamp(right, ambientBounds.x, ambientBounds.maxX - 1)
    let lastY = clamp(bottom, ambientBounds.y, ambientBounds.maxY - 1)
    return Rectangle(x: x, y: y, width: lastX - x + 1, height: lastY - y + 1).expanded(by: WarpKernel.reach)
  }

  /// Writes the warped pixels of `rectangle` (in the flash frame), row after row, into `destination`.
  public func process(
    _ rectangle: Rectangle, _ ambient: some PixelSource, into destination: MutablePixels,
    execution: Execution = .serial
  ) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    guard !ambientBounds.isEmpty else {
      for index in 0..<rectangle.count { destination[index] = .zero }
      return
    }
    let parts = Self.parts(of: rectangle)
    execution.forEach(parts.count) { index in
      let part = parts[index]
      if let shift {
        copy(part, of: rectangle, shift, ambient, into: destination)
      } else {
        resample(part, of: rectangle, ambient, into: destination)
      }
      if let residuals { distrust(part, of: rectangle, residuals, destination) }
    }
  }

  /// Lowers the trust in what is aligned badly.
  private func distrust(
    _ part: Rectangle, of rectangle: Rectangle, _ residuals: ResidualMap, _ destination: MutablePixels
  ) {
    for y in part.y..<part.maxY {
      let out = (y - rectangle.y) * rectangle.width + part.x - rectangle.x
      for column in 0..<part.width {
        let trust = destination[out &+ column].w
        guard trust > 0 else { continue }
        let residual = residuals.residual(at: SIMD2(Double(part.x &+ column), Double(y)))
        destination[out &+ column].w = max(trust * ResidualMap.trust(residual), ResidualMap.leastTrust)
      }
    }
  }

  /// Cuts a rectangle into pieces small enough for the processor's cache: a turned piece needs little more of the
  /// ambient frame than its own size, a turned row as wide as the picture many rows.
  private static func parts(of rectangle: Rectangle) -> [Rectangle] {
    let (width, height) = (256, 64)
    var parts: [Rectangle] = []
    for y in stride(from: rectangle.y, to: rectangle.maxY, by: height) {
      for x in stride(from: rectangle.x, to: rectangle.maxX, by: width) {
        parts.append(Rectangle(x: x, y: y, width: width, height: height).intersection(rectangle))
      }
    }
    return parts
  }

  private func copy(
    _ part: Rectangle, of rectangle: Rectangle, _ shift: (x: Int, y: Int), _ ambient: some PixelSource,
    into destination: MutablePixels
  ) {
    let source = Rectangle(x: part.x + shift.x, y: part.y + shift.y, width: part.width, height: part.height)
    withPixels(source, ambient) { pixels in
      for row in 0..<part.height {
        let inside = source.y + row >= ambientBounds.y && source.y + row < ambientBounds.maxY
        let out = (part.y - rectangle.y + row) * rectangle.width + part.x - rectangle.x
        for column in 0..<part.width {
          var pixel = WarpKernel.trusted(pixels[row &* part.width &+ column])
          let x = source.x + column
          if !inside || x < ambientBounds.x || x >= ambientBounds.maxX { pixel.w = 0 }
          destination[out &+ column] = pixel
        }
      }
    }
  }

  private func resample(
    _ part: Rectangle, of rectangle: Rectangle, _ ambient: some PixelSource, into destination: MutablePixels
  ) {
    let source = requiredRectangle(for: part)
    withPixels(source, ambient) { pixels in
      for index in 0..<pixels.count { pixels[index] = WarpKernel.trusted(pixels[index]) }
      let kernel = WarpKernel(homography, ambientBounds, source, pixels.readable)
      for row in 0..<part.height {
        let out = (part.y - rectangle.y + row) * rectangle.width + part.x - rectangle.x
        for column in 0..<part.width {
          var place = SIMD2(Double(part.x &+ column), Double(part.y &+ row))
          if let field { place += field.shift(at: place) }
          destination[out &+ column] = kernel.pixel(at: place)
        }
      }
    }
  }

  private func withPixels(_ rectangle: Rectangle, _ source: some PixelSource, _ body: (MutablePixels) -> Void) {
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: max(1, rectangle.count)) { memory in
      let pixels = MutablePixels(memory.baseAddress.map { UnsafeMutableRawPointer($0) }, count: rectangle.count)
      source.read(rectangle, into: pixels)
      body(pixels)
    }
  }
}

extension Warp: Equatable {
  /// Whether both warps do the same.
  public static func == (a: Warp, b: Warp) -> Bool {
    a.homography == b.homography && a.field == b.field && a.residuals == b.residuals
      && a.ambientBounds == b.ambientBounds
  }
}
