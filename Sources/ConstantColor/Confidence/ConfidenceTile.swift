import Raster

/// The confidence of one tile after the other, in memory that serves them all.
///
/// The frames are taken apart into planes, in which a pixel that is not defined counts as nothing; sums over 3 × 3 pixels,
/// with a count of the defined ones, and the neighbourhood of clipping are then found along columns and rows.
final class ConfidenceTile {
  /// The largest tile, without its margin.
  static let width = 512
  static let height = 32

  let confidence: Confidence
  private let budget: ErrorBudget
  private let network: ConfidenceNetwork
  let planes: Planes
  private let memory: UnsafeMutableBufferPointer<Pixel>
  private var hasClipping = false

  private static let margin = Confidence.margin

  /// What each plane holds. The first ten are summed over 3 × 3 pixels.
  enum Plane {
    static let flash = 0
    static let ambient = 3
    static let estimate = 6
    /// 1 where all numbers are defined and there is ambient data.
    static let validity = 9
    static let summed = 10
    /// The ambient frame's trust in its alignment.
    static let trust = 10
    static let quality = 11
    static let clipping = 12
    /// One row of column sums for each summed plane, then of column maxima of ``clipping``.
    static let columns = 13
    static let count = 14
  }

  init(_ confidence: Confidence) {
    self.confidence = confidence
    budget = ErrorBudget(matrix: confidence.matrix)
    network = ConfidenceNetwork(tolerance: confidence.tolerance)
    let (width, height) = (Self.width + 2 * Self.margin, Self.height + 2 * Self.margin)
    planes = Planes(count: Plane.count, width: width, height: height, reach: Self.margin)
    memory = .allocate(capacity: 3 * (width * height + 8))
    memory.initialize(repeating: .zero)
  }

  deinit { memory.deallocate() }

  /// Writes the values of the part `tile` of `rectangle`.
  func run(
    _ tile: Rectangle, of rectangle: Rectangle, flash: some PixelSource, ambient: (any PixelSource)?,
    flashOnly: (any PixelSource)?, into output: UnsafeMutableBufferPointer<Float>
  ) {
    let area = tile.expanded(by: Self.margin)
    planes.shape(width: area.width, height: area.height)
    let length = memory.count / 3
    func part(_ index: Int) -> MutablePixels {
      MutablePixels(memory.baseAddress.map { UnsafeMutableRawPointer($0 + index * length) }, count: length)
    }
    flash.read(area, into: part(0))
    ambient?.read(area, into: part(1))
    flashOnly?.read(area, into: part(2))
    load(part(0).readable, ambient == nil ? nil : part(1).readable, flashOnly == nil ? nil : part(2).readable)
    guard let base = output.baseAddress else { return }
    for y in 0..<tile.height {
      sumColumns(y + Self.margin)
      let row = base + ((tile.y - rectangle.y + y) * rectangle.width + tile.x - rectangle.x)
      var x = 0
      while x < tile.width {
        let value = values(x &+ Self.margin, y &+ Self.margin, hasAmbient: ambient != nil)
        let count = min(8, tile.width &- x)
        if count == 8 { value.store(at: row + x) } else { for lane in 0..<count { row[x + lane] = value[lane] } }
        x &+= 8
      }
    }
  }

  // MARK: Input

  private func load(_ flash: Pixels, _ ambient: Pixels?, _ estimate: Pixels?) {
    var highest = Vector8.zero
    for y in 0..<planes.height {
      var x = 0
      while x < planes.width {
        let (index, place) = (y &* planes.width &+ x, y &* planes.stride &+ x)
        let f = PixelVector(flash, index)
        let a = ambient.map { PixelVector($0, index) } ?? PixelVector(.zero, Vector8(repeating: 1))
        // Without an estimate the difference is the result.
        let e = estimate.map { PixelVector($0, index) } ?? PixelVector(f.colour - a.colour, Vector8(repeating: 1))
        let isFinite = f.colour.isFinite .& a.colour.isFinite .& e.colour.isFinite
        // The least trust there is means none.
        let isValid = isFinite .& (a.alpha .> ResidualMap.leastTrust)
        store(f.colour, Plane.flash, place, isValid)
        store(a.colour, Plane.ambient, place, isValid)
        store(e.colour, Plane.estimate, place, isValid)
        Vector8(isValid).store(at: planes[Plane.validity] + place)
        a.alpha.store(at: planes[Plane.trust] + place)
        e.alpha.store(at: planes[Plane.quality] + place)
        // NaN in one channel must not hide that another is clipped.
        let isClipped = (f.colour.x .>= 1) .| (f.colour.y .>= 1) .| (f.colour.z .>= 1)
        Vector8(isClipped).store(at: planes[Plane.clipping] + place)
        highest = highest.greater(Vector8(isClipped))
        x &+= 8
      }
    }
    // Lanes beyond a row may say so in vain; that changes no result.
    hasClipping = highest.max() >= 1
  }

  @inline(__always)
  private func store(_ colour: ColorVector, _ plane: Int, _ place: Int, _ isValid: SIMDMask<SIMD8<Int32>>) {
    let defined = ColorVector.zero.replacing(with: colour, where: isValid)
    defined.x.store(at: planes[plane] + place)
    defined.y.store(at: planes[plane + 1] + place)
    defined.z.store(at: planes[plane + 2] + place)
  }

  // MARK: Neighbourhoods

  /// A row of column sums, or column maxima, of the plane with this index.
  func columns(_ index: Int) -> UnsafeMutablePointer<Float> {
    planes[Plane.columns] + index * planes.stride
  }

  private func sumColumns(_ y: Int) {
    let stride = planes.stride
    for plane in 0..<Plane.summed {
      let (line, target) = (planes[plane] + y * stride, columns(plane))
      var x = 0
      while x < planes.width {
        (Vector8(at: line + (x &- stride)) + Vector8(at: line + x) + Vector8(at: line + (x &+ stride)))
          .store(at: target + x)
        x &+= 8
      }
    }
    guard hasClipping else { return }
    let (line, target) = (planes[Plane.clipping] + y * stride, columns(Plane.summed))
    var x = 0
    while x < planes.width {
      var highest = Vector8(at: line + x)
      for row in [-2, -1, 1, 2] { highest = highest.greater(Vector8(at: line + (x &+ row &* stride))) }
      highest.store(at: target + x)
      x &+= 8
    }
  }

  /// The 3 × 3 sum around eight pixels.
  @inline(__always)
  func sum(_ plane: Int, _ x: Int) -> Vector8 {
    let line = columns(plane) + x
    return Vector8(at: line - 1) + Vector8(at: line) + Vector8(at: line + 1)
  }

  @inline(__always)
  func sums(_ plane: Int, _ x: Int) -> ColorVector {
    ColorVector(sum(plane, x), sum(plane + 1, x), sum(plane + 2, x))
  }

  // MARK: Values

  @inline(__always)
  private func values(_ x: Int, _ y: Int, hasAmbient: Bool) -> Vector8 {
    let place = y &* planes.stride &+ x
    var isVoid = Vector8(at: planes[Plane.validity] + place) .<= 0
    if hasClipping {
      let line = columns(Plane.summed) + x
      for column in -2...2 { isVoid .|= Vector8(at: line + column) .> 0 }
    }
    let scale = 1 / sum(Plane.validity, x).greater(Vector8(repeating: 1))
    let flash = sums(Plane.flash, x) * scale
    let light = hasAmbient ? sums(Plane.ambient, x) * scale : .zero
    let flashVariance = confidence.flashNoise.variance(flash)
    let lightVariance = hasAmbient ? confidence.ambientNoise.variance(light) : .zero
    let variance = flashVariance + lightVariance
    let difference = flash - light
    let ratio = Vector8(repeating: confidence.ratioUncertainty)
    var terms = ConfidenceTerms()

    // Neighbours share some of their noise (demosaicing, resampling, JPEG): nine count like four.
    // Beyond three standard deviations, of noise and of the ratio, below nothing: something moved.
    let deviation: ColorVector = variance.squareRoot * Vector8(repeating: 0.5) + light * ratio
    let below = Vector8.zero.greater(-(difference / (deviation + Vector8(repeating: 1e-5))).min)
    isVoid .|= below .> 3
    terms.impossibility = below * below

    let alpha = Vector8(at: planes[Plane.quality] + place)
    let told = EstimateQuality(alpha: alpha)
    let quality = told.quality
    let result = sums(Plane.estimate, x) * scale
    let isEstimated = (alpha .< 1) .& (alpha .>= 0)
    // The estimate's own account: q = s² / (s² + 9).
    let brightness = Vector8.zero.greater(result.brightness)
    let total = variance.brightnessVariance.greater(Vector8(repeating: 1e-12))
    let power = quality.greater(Vector8(repeating: 1 / 1024)) * 9
    // It reckons with the noise that resampling has left of each pixel, and neighbours then share it.
    let reckoned = flashVariance + lightVariance * Vector8(repeating: confidence.ambientNoiseGain)
    let regain = total / reckoned.brightnessVariance.greater(Vector8(repeating: 1e-12))
    let estimated: Vector8 = brightness * brightness * (1 - quality) / power * regain
    let remaining = (total * Self.remainingShare).replacing(with: estimated, where: isEstimated)
    let response = budget.response(result, white: confidence.white, deviation: remaining.squareRoot())

    // Measurement and fill share as their errors have it: the fill is right to a tenth.
    let level = brightness.greater(Vector8(repeating: 1e-6))
    let shift = light * ratio
    let relativeShift = shift.brightness / level
    let relativeError = remaining / (level * level) + relativeShift * relativeShift
    let measured = Self.fillError / (Self.fillError + relativeError)
    let filled = 1 - measured
    // By noise alone: a worse ratio must not make noise count less.
    let own = Self.fillError / (Self.fillError + remaining / (level * level))
    let weight = own * own
    terms.noise = response.squaredError(variance: variance * (remaining / total)) * weight
    terms.ratio = response.squaredError(shift: shift) * weight
    terms.filledShare = filled * filled
    let guess = result.positive * result.positive * Vector8(repeating: Self.fillError)
    terms.filled = response.squaredError(variance: guess) * terms.filledShare
    if hasAmbient {
      let residual = localResidual(place)
      let overall = confidence.residual * confidence.residual
      terms.residual = residual
      terms.misregistration = change(Plane.ambient, x, place, response) * (residual + overall)
      terms.movement = response.squaredError(variance: light * light * Vector8(repeating: 0.01)) * residual
    }
    let excess = light.brightness / level
    terms.ambient = excess * excess
    // A fill from afar may belong to other lights.
    terms.extrapolation = terms.filledShare * (1 - told.nearness)
    // What moved harms as far as there is ambient light.
    terms.contradiction = told.contradiction * (terms.ambient / (1 + terms.ambient))
    terms.disagreement = disagreement(difference - result, variance, response)
    terms.edge = change(Plane.estimate, x, place, response)
    terms.relief = relief(x, place, flash, flashVariance)
    let (red, green, blue) = confidence.balance
    terms.calibration = confidence.calibrationError.square(
      ColorVector(red) * result.x + ColorVector(green) * result.y + ColorVector(blue) * result.z)
    let highest = flash.positive.max * (1 / 0.7)
    terms.clipping = highest * highest * highest * highest
    let square = response.reflectance * response.reflectance
    terms.glare = square * square
    terms.darkness = 0.09 / (response.lightness * response.lightness)

    if confidence.term > 0 {
      // For calibration, which must not see what is void.
      return terms[confidence.term - 1].replacing(with: -1, where: isVoid)
    }
    // NaN and infinity fail the comparison.
    let largest = terms.noise + terms.filled + terms.misregistration + terms.edge + terms.glare
    isVoid .|= .!(largest .< .greatestFiniteMagnitude)
    return network.probability(terms).unit.replacing(with: 0, where: isVoid)
  }

  /// What averaging over a surface of some sixty pixels leaves of the variance.
  private static let remainingShare: Float = 1.0 / 30
  /// The fill's relative error, squared.
  private static let fillError: Float = 0.01
}
