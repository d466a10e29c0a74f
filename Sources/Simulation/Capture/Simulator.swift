import Calibration
import ColorScience
import ConstantColor
import Glibc
import Raster

/// Takes pairs of photographs of scenes that do not exist, from spectra to the sensor's numbers.
public struct Simulator: Sendable {
  /// The camera.
  public var camera: CameraModel
  /// The flash, and its illuminance at the centre of the scene in lux.
  public var flash: Illuminant
  /// The same.
  public var flashLux: Double
  /// The size of frames in pixels, as stored.
  public var width, height: Int
  /// EXIF's orientation, for the files.
  public var orientation: Orientation = .upright
  /// The chart's reflectances.
  public var chart: [Spectrum]
  /// Another number: another scene, hand and noise.
  public var seed: UInt64
  /// A page instead of the standard scene.
  public var page: PageShot?
  /// Whether each pair shows another product before a white sheet, instead of the standard scene.
  public var hasProducts = false
  private let matrices: ColorMatrices
  private let anchor: SIMD3<Double>

  /// A simulator; nil for a camera that cannot see colours.
  ///
  /// - Parameters:
  ///   - flashLux: above 0.
  ///   - chart: the reflectances of 24 patches.
  public init?(
    camera: CameraModel, flash: Illuminant, flashLux: Double, width: Int, height: Int, chart: [Spectrum], seed: UInt64
  ) {
    guard let matrices = ColorMatrices(camera), let light = Illuminant(named: "D55"), width > 1, height > 1 else {
      return nil
    }
    self.camera = camera
    self.flash = flash
    self.flashLux = flashLux
    (self.width, self.height) = (width, height)
    self.chart = chart
    self.seed = seed
    self.matrices = matrices
    anchor = camera.response(.perfectDiffuser, light)
  }

  /// A pair, and what is true of it.
  public struct Pair: Sendable {
    /// What was asked for.
    public var condition: Condition
    /// The frames.
    public var flash, ambient: Frame
    /// The truth; the scene's own is ``Simulator/truth(of:execution:)``.
    public var truth: PairTruth
    /// The regions of the flash frame's pixels.
    public var mask: [Region]
  }

  /// A frame.
  public struct Frame: Sendable {
    /// The sensor's numbers, row by row.
    public var samples: [UInt16]
    /// Time and ISO.
    public var exposure: ExposureControl.Exposure
    /// The white balance that the camera chose: camera RGB of its white, green 1.
    public var neutral: SIMD3<Double>
    /// Whether the flash fired.
    public var isFlash: Bool
    /// NoiseProfile.
    public var noise: (slope: Double, offset: Double)
    /// When it was taken, in milliseconds since the set's first pair.
    public var time: Int
  }

  /// The scene of a condition: the same for all conditions of a series.
  func scene(_ condition: Condition) -> Scene {
    var options = Scene.Options(
      seed: seed, chart: chart, isMixed: condition.second != nil, moves: condition.moves)
    if condition.isCalibration { return .calibration(options) }
    if page != nil || hasProducts { options.frameHeight = 640 * Float(height) / Float(width) }
    if condition.isSheet { return .sheet(options) }
    if hasProducts { return .product(options, number: Self.hash(condition.id), glows: condition.glows) }
    guard let page else { return .standard(options) }
    return .page(page, options)
  }

  /// Which conditions share a ``SceneTruth``: the name of its file without extension.
  public func sceneName(_ condition: Condition) -> String {
    if condition.isCalibration { return "scene_calibration" }
    if condition.isSheet { return "scene_sheet" }
    if hasProducts { return "scene_product_" + condition.id }
    let kind = page == nil ? "scene_standard" : "scene_page"
    return kind + (condition.second == nil ? "" : "_mixed") + (condition.moves ? "_moving" : "")
  }

  // MARK: taking

  /// Takes a pair.
  ///
  /// - Parameter index: its number in the set, which tells the time.
  /// - Returns: nil where the execution was cancelled.
  public func pair(_ condition: Condition, index: Int = 0, execution: Execution) -> Pair? {
    let scene = scene(condition)
    var generator = SplitMix(seed: seed, 3, Self.hash(condition.id))
    let homography = condition.shake.homography(width: width, height: height, &generator)
    let ambientWhite = condition.lux * white(condition)
    let flashWhite = ambientWhite + flashLux * camera.response(.perfectDiffuser, flash)
    let flashExposure = exposure(flashWhite)
    let ambientExposure = condition.hasEqualExposure ? flashExposure : exposure(ambientWhite)
    let phase = generator.uniform()

    func frame(_ isFlash: Bool) -> (Frame, [SIMD4<Float>]) {
      let exposure = isFlash ? flashExposure : ambientExposure
      let light = light(condition, isFlash: isFlash, scene, exposure)
      let view = SceneView(
        scene: scene, width: width, height: height,
        toFlashFrame: isFlash ? HandMotion.identity : HandMotion.inverse(homography) ?? HandMotion.identity,
        isAmbientFrame: !isFlash, execution: execution)
      let flicker = flicker(condition, exposure, phase: phase, isFlash: isFlash)
      let picture = view.picture { point, row in
        guard !flicker.isEmpty else { return light.radiance(point) }
        var point = point
        point.ambient *= flicker[row]
        point.ambientGloss *= flicker[row]
        return light.radiance(point)
      }
      let gain = Double(exposure.iso) / camera.exposure.isoRange.lowerBound
      let readout = SensorReadout(sensor: camera.sensor, gain: gain)
      let samples = readout.samples(
        picture, width: width, height: height, seed: seed, Self.hash(condition.id), isFlash ? 1 : 2, execution)
      let neutral = AutomaticWhiteBalance.neutral(
        white: isFlash ? flashWhite : ambientWhite, anchor: anchor, &generator)
      return (
        Frame(
          samples: samples, exposure: exposure, neutral: neutral, isFlash: isFlash, noise: readout.noiseProfile,
          time: index * 1000 + (isFlash ? 400 : 200)),
        picture
      )
    }
    let (flashFrame, flashPicture) = frame(true)
    guard !execution.cancellation.isCancelled else { return nil }
    let (ambientFrame, ambientPicture) = frame(false)
    guard !execution.cancellation.isCancelled else { return nil }
    var truth = truth(condition, scene, homography, flashExposure.product / ambientExposure.product)
    truth.flashShot = shot(flashFrame, white: flashWhite)
    truth.ambientShot = shot(ambientFrame, white: ambientWhite)
    let mask = mask(condition, scene, flashPicture, ambientPicture, homography, execution)
    return Pair(condition: condition, flash: flashFrame, ambient: ambientFrame, truth: truth, mask: mask)
  }

  private func shot(_ frame: Frame, white: SIMD3<Double>) -> PairTruth.Shot {
    PairTruth.Shot(
      exposureTime: 1 / Double(frame.exposure.perSecond), iso: Double(frame.exposure.iso), fNumber: camera.fNumber,
      asShotNeutral: frame.neutral, white: white.y > 0 ? white / white.y : .zero)
  }

  /// Camera RGB of a white surface in the room's light of 1 lux; of both lights where there are two.
  private func white(_ condition: Condition) -> SIMD3<Double> {
    let first = camera.response(.perfectDiffuser, condition.ambient)
    guard let second = condition.second else { return first }
    return (first + camera.response(.perfectDiffuser, second)) / 2
  }

  private func exposure(_ white: SIMD3<Double>) -> ExposureControl.Exposure {
    let part = white.max() / max(anchor.y, 1e-12)
    let square = camera.fNumber * camera.fNumber
    return camera.exposure.exposure(
      saturationProduct: part > 0 ? ExposureControl.saturation * square / part : .infinity)
  }

  /// What the sensor gets from surfaces, as parts of saturation.
  private func light(
    _ condition: Condition, isFlash: Bool, _ scene: Scene, _ exposure: ExposureControl.Exposure
  ) -> LightField {
    let square = camera.fNumber * camera.fNumber
    let scale = exposure.product / (ExposureControl.saturation * square * max(anchor.y, 1e-12))
    func lit(_ light: Illuminant, _ lux: Double) -> (Spectrum) -> SIMD3<Double> {
      { scale * lux * self.camera.response($0, light) }
    }
    let dark: (Spectrum) -> SIMD3<Double> = { _ in .zero }
    return LightField(
      scene.surfaces, flash: isFlash ? lit(flash, flashLux) : dark, first: lit(condition.ambient, condition.lux),
      second: condition.second.map { lit($0, condition.lux) } ?? dark)
  }

  /// What flicker does to each row: the mean over its time of exposure, one row after the other in 1/40 s; empty for steady light.
  private func flicker(
    _ condition: Condition, _ exposure: ExposureControl.Exposure, phase: Double, isFlash: Bool
  ) -> [Float] {
    guard condition.flicker > 0 else { return [] }
    let rate = 2 * Double.pi * 100
    let time = 1 / Double(max(exposure.perSecond, 1))
    let start = 2 * Double.pi * phase + (isFlash ? 2.1 : 0)
    return (0..<height).map { row in
      let begin = start + rate * (Double(row) / Double(height) / 40)
      let mean = (cos(begin) - cos(begin + rate * time)) / (rate * time)
      return Float(1 + condition.flicker * mean)
    }
  }

  static func hash(_ text: String) -> UInt64 {
    // FNV-1a, which is the same in every process.
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension Simulator {
  /// The DNG of a frame.
  public func dng(_ frame: Frame) -> DNGFile {
    let sensor = camera.sensor
    var file = DNGFile(width: width, height: height, samples: frame.samples)
    file.bits = sensor.bits
    (file.pattern, file.patternColumns) = (sensor.pattern.colors, sensor.pattern.columns)
    file.black = (1, 1, [Double(sensor.black)])
    file.white = [UInt32(sensor.white)]
    file.orientation = UInt16(orientation.rawValue)
    file.neutral = [frame.neutral.x, frame.neutral.y, frame.neutral.z]
    file.colorMatrices = [(17, matrices.warm.rowMajor), (21, matrices.cool.rowMajor)]
    (file.make, file.model) = (camera.make, camera.model)
    file.noiseProfile = (frame.noise.slope, frame.noise.offset)
    let exif = FrameMetadata(camera: camera, frame: frame)
    file.moreTags = exif.imageTags
    file.exposureTags = exif.exposureTags
    return file
  }

  /// How the camera itself develops a frame: values of 0...1 in sRGB, in the stored orientation.
  func developed(_ frame: Frame, execution: Execution) -> [SIMD3<Double>] {
    InCameraDevelopment(camera: camera, matrices: matrices).picture(
      demosaiced(frame, execution: execution), neutral: frame.neutral)
  }

  /// Camera RGB of a frame, row by row.
  func demosaiced(_ frame: Frame, execution: Execution) -> [Pixel] {
    let picture = DemosaicedFrame(mosaic(frame), neutral: frame.neutral)
    var pixels = [Pixel](repeating: .zero, count: width * height)
    pixels.withUnsafeMutableBytes { bytes in
      nonisolated(unsafe) let base = bytes.baseAddress
      let bands = Rectangle(width: width, height: height).bands(of: 32)
      execution.forEach(bands.count) { index in
        let band = bands[index]
        picture.read(band, into: MutablePixels(base.map { $0 + band.y * width * 16 }, count: band.count))
      }
    }
    return pixels
  }

  /// The sensor's numbers as ``ConstantColor`` takes them.
  public func mosaic(_ frame: Frame) -> Mosaic {
    let sensor = camera.sensor
    return Mosaic(
      SensorSamples(frame.samples, width: width, height: height), pattern: sensor.pattern,
      levels: SampleLevels(black: Float(sensor.black), white: Float(sensor.white)))
  }
}
