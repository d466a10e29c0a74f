import Calibration
import Capture
import Dispatch
import Photo
import Raster
import Simulation
import Synchronization

/// A camera in rooms that do not exist: each capture is of the next condition, as a RAW file, from spectra.
///
/// Of what it takes everything is known: ``Simulation/Simulator`` tells the truth of the same condition.
public final class SimulatedFrames: FrameSource {
  /// The camera, its flash, and the scene.
  public let simulator: Simulator
  /// The rooms, one for each capture; the last stays.
  public let conditions: [Condition]
  private let next = Mutex(0)

  /// A camera that takes pairs in rooms, one after the other; nil without any.
  public init?(_ simulator: Simulator, conditions: [Condition]) {
    guard !conditions.isEmpty else { return nil }
    (self.simulator, self.conditions) = (simulator, conditions)
  }

  /// A phone's camera with an LED flash of 200 lux before a scene with chart, skin, paper and objects, in a room of one
  /// light; nil for a light that does not exist.
  ///
  /// - Parameters:
  ///   - lux, kelvin: the room's light at the centre: 0 lux is a dark room; 1000 to 25000 K.
  ///   - width, height: the size of the frames.
  ///   - shake: how the hand moves between the frames.
  ///   - seed: another number, another scene, hand and noise.
  public convenience init?(
    lux: Double = 100, kelvin: Double = 3000, tint: Tint = .planckian, width: Int = 640, height: Int = 480,
    shake: HandMotion = .none, seed: UInt64 = 1
  ) {
    guard lux >= 0, lux.isFinite, (64...8192).contains(width), (48...8192).contains(height),
      let camera = CameraModel.named.first, let flash = Illuminant(named: "LED-B4"),
      let chart = ChartReference.colorChecker.reflectances, let light = Illuminant.white(kelvin: kelvin, tint: tint),
      let simulator = Simulator(
        camera: camera, flash: flash, flashLux: 200, width: width, height: height, chart: chart, seed: seed)
    else { return nil }
    self.init(simulator, conditions: [Condition(id: "room", ambient: light, lux: lux, shake: shake)])
  }

  /// The frames of the next condition.
  public func frames(for request: FrameRequest) async throws -> CapturedFrames {
    let index = next.withLock { next in
      defer { next = min(next + 1, conditions.count) }
      return next
    }
    let condition = conditions[min(index, conditions.count - 1)]
    let token = CancellationToken()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // Not on one of the threads that all tasks share: it takes a while.
        DispatchQueue.global().async { [self] in
          continuation.resume(with: Result { try take(condition, index, request, token) })
        }
      }
    } onCancel: {
      token.cancel()
    }
  }

  private func take(
    _ condition: Condition, _ index: Int, _ request: FrameRequest, _ token: CancellationToken
  ) throws -> CapturedFrames {
    let execution = Execution(cancellation: token, parallelFor: Execution.serial.parallelFor)
    guard let pair = simulator.pair(condition, index: index, execution: execution), !token.isCancelled else {
      throw CaptureError.cancelled
    }
    let folder = try ScratchFolder()
    func write(_ frame: Simulator.Frame, _ name: String) throws -> String {
      let file = try AtomicFile(folder.file(name))
      try file.write(simulator.dng(frame).file)
      try file.commit()
      return folder.file(name)
    }
    return CapturedFrames(
      name: condition.id, flash: request.needsFlash ? try write(pair.flash, "flash.dng") : nil,
      ambients: request.needsAmbient ? [try write(pair.ambient, "ambient.dng")] : [],
      discard: { withExtendedLifetime(folder) {} })
  }
}

extension CaptureDevice {
  /// A simulated camera; of a phone or tablet where it is to keep that model's rules.
  public convenience init(
    simulated frames: SimulatedFrames, model: DeviceModel? = nil, deviceType: DeviceType = .builtInWideAngleCamera,
    calibrationProfile: String? = nil
  ) {
    if let model {
      self.init(model: model, deviceType: deviceType, source: frames, calibrationProfile: calibrationProfile)
    } else {
      self.init(name: "simulated camera", source: frames, calibrationProfile: calibrationProfile)
    }
  }
}
