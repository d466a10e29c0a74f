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

  /// The longest side of what is shown, and of what is developed for it: what is found in much smaller pictures is less sure.
  static let (side, workingSide) = (400, 1000)

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
        by: Double(Preview.workingSide) / Double(longest),
        format: PixelFormat("RGBA float", space: picture.buffer.format?.space))
      // Means have less noise than the file says.
      (small.noise, small.noiseCorrelation) = (nil, nil)
      return small
    }
    small = try LoadedPair(
      flash: reduced(pair.flash), ambients: pair.ambients.map(reduced), linear: pair.isCameraRGB)
  }

  /// The size of what is shown.
  var size: (width: Int, height: Int) {
    func shown(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
    return (shown(small.flash.width), shown(small.flash.height))
  }

  /// Whether what is developed is smaller than the pair.
  var isReduced: Bool { small.flash.width < pair.flash.width }

  private var factor: Double { min(1, Double(Preview.side) / Double(max(small.flash.width, small.flash.height, 1))) }

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
    switch show {
    case .result: return try shown(steps.render.buffer())
    case .marked: return try shown(steps.marked.buffer())
    case .flash: return try shown(small.flash.buffer)
    case .ambient: return try shown(small.ambient.buffer)
    case .fallback:
      if !hasFallback {
        try development.measureLights()
        try steps.measureFallback()
        hasFallback = true
      }
      return try shown(steps.renderFallback.buffer())
    case .confidence:
      // The numbers themselves, not as if they were light.
      return try numbers(steps.confidence.buffer()).flatMap { [$0, $0, $0] }
    }
  }

  private func shown(_ picture: Buffer) throws -> [UInt8] {
    let format = try PixelFormat("R'G'B' u8")
    let small = try picture.reduced(by: factor, format: format)
    return try small.read(frame(small), format: format, as: UInt8.self)
  }

  private func numbers(_ map: Buffer) throws -> [UInt8] {
    let format = try PixelFormat("Y float")
    let small = try map.reduced(by: factor, format: format)
    return try small.read(frame(small), format: format, as: Float.self).map {
      UInt8(($0 > 0 ? min($0, 1) : 0) * 255 + 0.5)
    }
  }

  /// As much of it as is shown.
  private func frame(_ picture: Buffer) -> Rectangle {
    Rectangle(x: picture.extent.x, y: picture.extent.y, width: size.width, height: size.height)
  }
}
