import ColorScience
import Glibc
import JSONValue
import Photo
import Raster

/// How frames are written.
public enum FrameFormat: String, CaseIterable, Sendable {
  /// What the sensor gives.
  case dng
  /// Camera RGB in linear light, demosaiced, 16 bit, black 0 and saturation 65535: for `--linear`.
  case tiff
  /// What the camera itself makes of it: 8 bit sRGB with its own white balance and curve.
  case jpeg
}

/// Takes the pairs of a set and writes it: the frames, and the truth.
public struct SetWriter: Sendable {
  /// Who takes them.
  public var simulator: Simulator
  /// What to take; pairs have different names.
  public var conditions: [Condition]
  /// Only pairs whose name contains it are taken, beside the one to calibrate from; they are the same as among all. Nil: every pair.
  public var only: String?
  /// How frames are written, at least one; the set names files of the first in this order: DNG, TIFF, JPEG.
  public var formats: Set<FrameFormat>
  /// What the set says of how it was made.
  public var description: [JSON.Member]

  /// A writer of pairs.
  public init(
    _ simulator: Simulator, conditions: [Condition], formats: Set<FrameFormat> = [.dng], description: [JSON.Member] = []
  ) {
    self.simulator = simulator
    self.conditions = conditions
    self.formats = formats
    self.description = description
  }

  private var mainExtension: String { formats.contains(.dng) ? "dng" : formats.contains(.tiff) ? "tif" : "jpg" }

  /// Writes the set into a folder, which is made where it is missing; what stands there under the same names is replaced.
  ///
  /// - Parameter progress: told how many pairs are done, before each.
  /// - Returns: the set; nil where the execution was cancelled: `inputs/set.json` goes first and is written last, so nothing
  ///   unfinished looks like a set.
  /// - Throws: `PhotoError` for what cannot be written.
  public func write(
    to folder: String, execution: Execution, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
  ) throws -> SimulationSet? {
    try Self.makeFolders(folder)
    var set = SimulationSet(
      folder: folder, pairs: [], calibration: nil, width: simulator.width, height: simulator.height,
      description: description)
    // A set that stood here before must not name the new one's frames while they are half done.
    unlink(set.input("set.json"))
    var scenes = Set<String>()
    // The number of a pair tells its time, whatever else is taken.
    let wanted = conditions.enumerated().filter { isWanted($0.element) }
    for (done, (index, condition)) in wanted.enumerated() {
      progress(done, wanted.count)
      guard let pair = simulator.pair(condition, index: index, execution: execution),
        !execution.cancellation.isCancelled
      else { return nil }
      try write(pair.flash, to: set.input("\(condition.id)_flash"), execution)
      try write(pair.ambient, to: set.input("\(condition.id)_ambient"), execution)
      try pair.truth.write(to: set.truth(condition.id + ".json"))
      try RegionMask.write(
        pair.mask, width: simulator.width, height: simulator.height, to: set.truth(pair.truth.mask))
      if scenes.insert(pair.truth.scene).inserted { try writeScene(condition, pair, in: set, execution) }
      let entry = SimulationSet.Pair(
        id: condition.id, flash: "\(condition.id)_flash.\(mainExtension)",
        ambient: "\(condition.id)_ambient.\(mainExtension)")
      if condition.isCalibration {
        set.calibration = SimulationSet.Calibration(
          pair: entry, corners: [0, 5, 23, 18].map { pair.truth.patches[$0].centre })
      } else if condition.isSheet {
        set.sheet = entry
      } else {
        set.pairs.append(entry)
      }
      if execution.cancellation.isCancelled { return nil }
    }
    progress(wanted.count, wanted.count)
    try set.write()
    return set
  }

  /// Makes the folders of a set where they are missing; the folder around them must be. Throws `PhotoError`.
  public static func makeFolders(_ folder: String) throws {
    for folder in [folder, folder + "/inputs", folder + "/truth"] { try Folder.create(folder) }
  }

  private func isWanted(_ condition: Condition) -> Bool {
    condition.isCalibration || condition.isSheet || only.map { condition.id.contains($0) } ?? true
  }

  private func writeScene(
    _ condition: Condition, _ pair: Simulator.Pair, in set: SimulationSet, _ execution: Execution
  ) throws {
    let scene = simulator.truth(of: condition, execution: execution)
    // What was stopped is void, and belongs into no file.
    guard !execution.cancellation.isCancelled else { return }
    // Clipping is a matter of the exposures, not of the scene.
    let regions = pair.mask.map { $0.subtracting([.clippedFlash, .clippedAmbient]) }
    try scene.write(to: set.truth(pair.truth.scene), regions: regions)
    let name = pair.truth.scene.split(separator: ".").first.map(String.init) ?? pair.truth.scene
    let toSRGB = RGBSpace.sRGB.toXYZ.inverse ?? .identity
    try write(
      set.truth(name + ".png"), sample: .uint16, PictureAttachments(icc: RGBSpace.sRGB.iccProfile),
      scene.lit.map { xyz in
        let linear = toSRGB * SIMD3<Double>(xyz)
        return SIMD3(
          TransferFunction.sRGB.encode(min(max(linear.x, 0), 1)),
          TransferFunction.sRGB.encode(min(max(linear.y, 0), 1)),
          TransferFunction.sRGB.encode(min(max(linear.z, 0), 1)))
      })
  }

  private func write(_ frame: Simulator.Frame, to path: String, _ execution: Execution) throws {
    let metadata = FrameMetadata(camera: simulator.camera, frame: frame)
    let exif = metadata.exif(orientation: UInt16(simulator.orientation.rawValue))
    if formats.contains(.dng) {
      let file = try AtomicFile(path + ".dng")
      try file.write(simulator.dng(frame).file)
      try file.commit()
    }
    if formats.contains(.tiff) {
      let linear = simulator.demosaiced(frame, execution: execution)
      guard !execution.cancellation.isCancelled else { return }
      try write(
        path + ".tif", sample: .uint16, PictureAttachments(exif: exif),
        linear.map { SIMD3<Double>(SIMD3(min(max($0.x, 0), 1), min(max($0.y, 0), 1), min(max($0.z, 0), 1))) })
    }
    if formats.contains(.jpeg) {
      let pixels = simulator.developed(frame, execution: execution)
      guard !execution.cancellation.isCancelled else { return }
      try write(
        path + ".jpg", sample: .uint8, PictureAttachments(icc: RGBSpace.sRGB.iccProfile, exif: exif), pixels)
    }
  }

  /// Writes values of 0...1.
  private func write(
    _ path: String, sample: PictureLayout.Sample, _ attachments: PictureAttachments, _ pixels: [SIMD3<Double>]
  ) throws {
    let width = simulator.width
    let layout = PictureLayout(width: width, height: simulator.height, channels: 3, sample: sample)
    let most = sample == .uint8 ? 255.0 : 65535
    try PictureDestination(path).write(layout, attachments) { rows, bytes in
      for (index, pixel) in pixels[(rows.lowerBound * width)..<(rows.upperBound * width)].enumerated() {
        for channel in 0..<3 {
          let number = UInt16(pixel[channel] * most + 0.5)
          let place = 3 * index + channel
          if sample == .uint8 {
            bytes.storeBytes(of: UInt8(clamping: number), toByteOffset: place, as: UInt8.self)
          } else {
            bytes.storeBytes(of: number, toByteOffset: 2 * place, as: UInt16.self)
          }
        }
      }
    }
  }
}
