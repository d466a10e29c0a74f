import Synchronization

/// Connects a device to an output, and builds the pipeline between them.
///
/// The corresponding class of AVFoundation is `AVCaptureSession`. While the session runs, every change of its configuration
/// rebuilds the pipeline, which is slow and counted (``PhotoOutput/reconfigurationCount``); several changes between
/// ``beginConfiguration()`` and ``commitConfiguration()`` rebuild it once. During a capture changes are refused.
public final class CaptureSession: Sendable {
  /// What the session is for; it chooses the device's format.
  public enum Preset: String, CaseIterable, Sendable {
    /// Photos.
    case photo
    /// Video: the device's best, and of a size.
    case high
    case hd1920x1080, hd4K3840x2160
    /// The format is chosen on the device.
    case inputPriority

    /// The format that a preset means for a device.
    func format(among formats: [CaptureDevice.Format]) -> CaptureDevice.Format? {
      func video(_ height: Int) -> CaptureDevice.Format? {
        formats.first { !$0.isHighestPhotoQualitySupported && $0.height == height }
      }
      switch self {
      case .photo: return formats.first(where: \.isHighestPhotoQualitySupported)
      // What takes photos only has nothing else to choose.
      case .high: return formats.first { !$0.isHighestPhotoQualitySupported } ?? formats.first
      case .hd1920x1080: return video(1080)
      case .hd4K3840x2160: return video(2160)
      case .inputPriority: return formats.first
      }
    }
  }

  private struct State {
    var configuration = SessionConfiguration()
    /// What the configuration is to become, between begin and commit.
    var pending: SessionConfiguration?
    var pipeline: PhotoPipeline?
    var isReconfiguring = false
    var reconfigurations = 0
    /// How often the session was stopped: what is being built then is not needed any more.
    var stops = 0
    var captures: [Int64: CaptureJob] = [:]
    var isRunning: Bool { pipeline != nil }

    mutating func adopt(_ wanted: SessionConfiguration) {
      configuration = wanted
      if let format = wanted.format { wanted.input?.device.use(format) }
    }
  }

  private let state = Mutex(State())

  /// A session without device and output, with the preset ``Preset/high``.
  public init() {}

  /// What the session is for.
  public var sessionPreset: Preset { configuration.preset }
  /// Its input.
  public var inputs: [CaptureDeviceInput] { configuration.input.map { [$0] } ?? [] }
  /// Its output.
  public var outputs: [PhotoOutput] { configuration.output.map { [$0] } ?? [] }
  /// Whether it runs.
  public var isRunning: Bool { state.withLock { $0.isRunning } }

  // MARK: configuration

  /// Adds the device.
  /// - Throws: ``CaptureError/alreadyConnected(_:)`` where the session has a device, or the device a session.
  public func addInput(_ input: CaptureDeviceInput) async throws(CaptureError) {
    guard input.device.attach(to: self) else {
      throw .alreadyConnected("\(input.device.localizedName) belongs to another session; take it out there first")
    }
    do throws(CaptureError) {
      try await change { configuration throws(CaptureError) in
        guard configuration.input == nil else {
          throw .alreadyConnected("the session has a device; remove it before another is added")
        }
        configuration.input = input
        configuration.format = input.device.activeFormat
        try configuration.select(configuration.preset)
      }
    } catch {
      if !inputs.contains(where: { $0.device === input.device }) { input.device.detach() }
      throw error
    }
  }

  /// Takes the device out; a running session stops.
  public func removeInput(_ input: CaptureDeviceInput) async throws(CaptureError) {
    try await change { configuration throws(CaptureError) in
      guard configuration.input === input else { throw .notConnected }
      (configuration.input, configuration.format) = (nil, nil)
    }
    input.device.detach()
  }

  /// Adds the output.
  /// - Throws: ``CaptureError/alreadyConnected(_:)`` where the session has an output, or the output a session.
  public func addOutput(_ output: PhotoOutput) async throws(CaptureError) {
    guard output.attach(to: self) else {
      throw .alreadyConnected("the output belongs to another session; make a new one")
    }
    do throws(CaptureError) {
      try await change { configuration throws(CaptureError) in
        guard configuration.output == nil else {
          throw .alreadyConnected("the session has an output; remove it before another is added")
        }
        configuration.output = output
      }
    } catch {
      if !outputs.contains(where: { $0 === output }) { output.detach() }
      throw error
    }
  }

  /// Takes the output out; a running session stops.
  public func removeOutput(_ output: PhotoOutput) async throws(CaptureError) {
    try await change { configuration throws(CaptureError) in
      guard configuration.output === output else { throw .notConnected }
      configuration.output = nil
    }
    output.detach()
  }

  /// Chooses what the session is for.
  /// - Throws: ``CaptureError/formatNotAvailable(_:)`` where the device has no such format.
  public func setSessionPreset(_ preset: Preset) async throws(CaptureError) {
    try await change { configuration throws(CaptureError) in try configuration.select(preset) }
  }

  /// Whether the device, if there is one, has a format for a preset.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    configuration.input.map { preset.format(among: $0.device.formats) != nil } ?? true
  }

  /// Holds changes back until ``commitConfiguration()``.
  public func beginConfiguration() { state.withLock { $0.pending = $0.pending ?? $0.configuration } }

  /// Makes the changes since ``beginConfiguration()`` together. Where that is refused they are still held back.
  public func commitConfiguration() async throws(CaptureError) {
    guard state.withLock({ $0.pending != nil }) else { return }
    try await change(isLast: true) { _ throws(CaptureError) in }
  }

  func setActiveFormat(_ format: CaptureDevice.Format, of device: CaptureDevice) async throws(CaptureError) {
    try await change { configuration throws(CaptureError) in
      guard configuration.input?.device === device else { throw .notConnected }
      (configuration.format, configuration.preset) = (format, .inputPriority)
    }
  }

  /// Enables constant colour, or disables it. Nothing is rebuilt where that is so already.
  func setConstantColorEnabled(_ isEnabled: Bool) async throws(CaptureError) {
    if configuration.isConstantColorEnabled == isEnabled { return }
    try await change { configuration throws(CaptureError) in
      if isEnabled, let obstacle = configuration.obstacle { throw .constantColorNotSupported(obstacle) }
      configuration.isConstantColorEnabled = isEnabled
    }
  }

  // MARK: running

  /// Builds the pipeline. Does nothing in a session that runs.
  ///
  /// - Throws: ``CaptureError/notConnected`` without device or output, ``CaptureError/configurationFailed(_:)`` where the
  ///   device or its calibration profile cannot be used.
  public func startRunning() async throws(CaptureError) {
    if isRunning { return }
    try await change(starting: true, isLast: true) { configuration throws(CaptureError) in
      guard configuration.input != nil, configuration.output != nil else { throw .notConnected }
    }
  }

  /// Cancels what is being captured, waits for that, and takes the pipeline down.
  public func stopRunning() async {
    let jobs = state.withLock { state -> [CaptureJob] in
      state.pipeline = nil
      state.stops += 1
      return Array(state.captures.values)
    }
    for job in jobs { job.cancel() }
    for job in jobs { await job.finished() }
  }

  /// Changes the configuration, and rebuilds the pipeline where it runs. Whatever throws, nothing has changed.
  ///
  /// - Parameters:
  ///   - starting: whether the session is to run afterwards.
  ///   - isLast: whether what was held back is done, too; otherwise the change is held back with it.
  private func change(
    starting: Bool = false, isLast: Bool = false, _ body: (inout SessionConfiguration) throws(CaptureError) -> Void
  ) async throws(CaptureError) {
    let stops = state.withLock { $0.stops }
    let (wanted, mustBuild) = try begin(starting, isLast, body)
    guard mustBuild, let device = wanted.input?.device, wanted.output != nil else {
      if mustBuild { finish(wanted, nil, stops) }
      return
    }
    do throws(CaptureError) {
      let built = try await PhotoPipeline.build(device, isConstantColorEnabled: wanted.isConstantColorEnabled)
      finish(wanted, built, stops)
    } catch {
      state.withLock { $0.isReconfiguring = false }
      throw error
    }
  }

  private func begin(
    _ starting: Bool, _ isLast: Bool, _ body: (inout SessionConfiguration) throws(CaptureError) -> Void
  ) throws(CaptureError) -> (SessionConfiguration, mustBuild: Bool) {
    try state.withLock { state throws(CaptureError) in
      if state.isReconfiguring { throw .reconfiguring }
      if !state.captures.isEmpty { throw .captureInProgress }
      var wanted = state.pending ?? state.configuration
      try body(&wanted)
      wanted.settle()
      if state.pending != nil, !isLast {
        state.pending = wanted
        return (wanted, false)
      }
      guard starting || state.isRunning else {
        state.adopt(wanted)
        state.pending = nil
        return (wanted, false)
      }
      state.isReconfiguring = true
      return (wanted, true)
    }
  }

  /// Takes over a configuration and what was built for it; without device the session stops.
  private func finish(_ configuration: SessionConfiguration, _ pipeline: PhotoPipeline?, _ stops: Int) {
    state.withLock { state in
      state.adopt(configuration)
      state.pending = nil
      state.pipeline = state.stops == stops ? pipeline : nil
      state.isReconfiguring = false
      if pipeline != nil { state.reconfigurations += 1 }
    }
  }

  // MARK: for the output

  /// The configuration, as it will be after a commit.
  var configuration: SessionConfiguration { state.withLock { $0.pending ?? $0.configuration } }

  /// How often the pipeline was built.
  var reconfigurations: Int { state.withLock { $0.reconfigurations } }

  /// Whether anything is being captured.
  var isCapturing: Bool { state.withLock { !$0.captures.isEmpty } }

  /// Starts a capture where the rules allow it.
  func begin(
    _ check: (SessionConfiguration) throws(CaptureError) -> Void,
    _ make: (SessionConfiguration, PhotoPipeline) throws(CaptureError) -> CaptureJob
  ) throws(CaptureError) -> CaptureJob {
    try state.withLock { state throws(CaptureError) in
      if state.isReconfiguring { throw .reconfiguring }
      try check(state.configuration)
      guard let pipeline = state.pipeline else { throw .sessionNotRunning }
      let job = try make(state.configuration, pipeline)
      state.captures[job.uniqueID] = job
      return job
    }
  }

  /// The capture of a number; nil where it is over.
  func capture(_ uniqueID: Int64) -> CaptureJob? { state.withLock { $0.captures[uniqueID] } }

  /// Forgets a capture.
  func end(_ uniqueID: Int64) { state.withLock { _ = $0.captures.removeValue(forKey: uniqueID) } }
}
