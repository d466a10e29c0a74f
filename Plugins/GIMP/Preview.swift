import ConstantColor
import Development
import GEGL
import Photo
import Raster

/// The development of a pair at a reduced size, for the dialog.
final class Preview {
  /// What can be looked at.
  enum Show: String, CaseIterable {
    case result, confidence, marked, fallback, flash, ambient

    var label: String {
      switch self {
      case .result: "The result"
      case .confidence: "Confidence: white is sure"
      case .marked: "The result, low confidence hatched"
      case .fallback: "Fallback: ambient frame, white-balanced"
      case .flash: "Before: with flash"
      case .ambient: "Before: without flash"
      }
    }
  }

  /// The longest side.
  static let side = 400

  /// The pair at its full size.
  let pair: LoadedPair
  private let small: LoadedPair
  private var options: Options?
  private var development: PairDevelopment?
  private var hasFallback = false
  private(set) var meanConfidence = 0.0

  init(_ pair: LoadedPair) throws {
    self.pair = pair
    let longest = max(pair.flash.width, pair.flash.height, 1)
    func reduced(_ picture: LoadedPicture) throws -> LoadedPicture {
      var small = picture
      small.buffer = try picture.buffer.reduced(
        by: Double(Preview.side) / Double(longest),
        format: PixelFormat("RGBA float", space: picture.buffer.format?.space))
      // Means have less noise than the file says.
      (small.noise, small.noiseCorrelation) = (nil, nil)
      return small
    }
    small = try LoadedPair(
      flash: reduced(pair.flash), ambients: pair.ambients.map(reduced), linear: pair.isCameraRGB)
  }

  var width: Int { small.flash.width }
  var height: Int { small.flash.height }

  /// What one should know of the pair.
  var notes: [String] {
    guard let development else { return [] }
    return development.findings.map(\.message) + development.notes
  }

  /// Develops with other options, where they change anything. Throws `InputError`.
  func update(_ options: Options) throws {
    var relevant = options
    for option in [Option.space, .confidence, .fallback] { relevant[option] = "" }
    guard relevant != self.options else { return }
    self.options = nil
    var settings = try options.settings()
    settings.space = .sRGB
    let development = try PairDevelopment(small, settings)
    try development.measure {
      let box = development.steps.confidence.boundingBox
      var means = CenterWeighting(box)
      _ = try development.readConfidence(box, into: &means)
      meanConfidence = means.centerWeightedMean ?? 0
      return means
    }
    (self.development, self.options, hasFallback) = (development, relevant, false)
  }

  /// A picture as bytes, three a pixel, for a screen.
  func pixels(_ show: Show) throws -> [UInt8] {
    guard let development else { return [] }
    let steps = development.steps
    let (box, format) = (small.flash.buffer.extent, try PixelFormat("R'G'B' u8"))
    switch show {
    case .result: return try steps.render.read(box, format: format, as: UInt8.self)
    case .marked: return try steps.marked.read(box, format: format, as: UInt8.self)
    case .flash: return try small.flash.buffer.read(box, format: format, as: UInt8.self)
    case .ambient: return try small.ambient.buffer.read(box, format: format, as: UInt8.self)
    case .fallback:
      if !hasFallback {
        try development.measureLights()
        try steps.measureFallback()
        hasFallback = true
      }
      return try steps.renderFallback.read(box, format: format, as: UInt8.self)
    case .confidence:
      let values = try steps.confidence.read(box, format: PixelFormat("Y float"), as: Float.self)
      return values.flatMap { value in
        let byte = UInt8((value > 0 ? min(value, 1) : 0) * 255 + 0.5)
        return [byte, byte, byte]
      }
    }
  }
}
