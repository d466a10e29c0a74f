import Capture

/// Develops every pair of photographs in a folder, and says which are to be taken again.
///
///     capture-example FOLDER OUTPUT [THRESHOLD]
@main struct RetakeList {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count >= 2, let folder = words.first else {
      print("usage: capture-example FOLDER OUTPUT [THRESHOLD]")
      return
    }
    let output = words[words.startIndex + 1]
    let threshold = words.count > 2 ? Float(words[words.startIndex + 2]) ?? 0.8 : 0.8

    // A device: here, files.
    let files = try PairFiles(folder: folder)
    for file in files.unpaired { print("\(file.path): \(file.reason)") }
    let camera = CaptureDevice(files: files)

    // A session connects it to an output.
    let session = CaptureSession()
    let photoOutput = PhotoOutput()
    try await session.addInput(CaptureDeviceInput(device: camera))
    try await session.addOutput(photoOutput)
    try await session.setSessionPreset(.photo)

    // Once, before the session starts.
    guard photoOutput.isConstantColorSupported else {
      print(photoOutput.constantColorObstacle?.description ?? "")
      return
    }
    try await photoOutput.setConstantColorEnabled(true)
    try await session.startRunning()

    while files.remaining != 0 {
      // For each photo.
      var settings = PhotoSettings()
      settings.flashMode = .auto
      settings.isConstantColorEnabled = true
      settings.isConstantColorFallbackPhotoDeliveryEnabled = true
      do {
        try await develop(settings, photoOutput, into: output, threshold)
      } catch { print("failed: \(error)") }
    }
    await session.stopRunning()
  }

  private static func develop(
    _ settings: PhotoSettings, _ photoOutput: PhotoOutput, into output: String, _ threshold: Float
  ) async throws {
    for try await photo in try photoOutput.photos(with: settings) {
      // A pair in a folder of its own is called FOLDER/NAME.
      let name = photo.name.replacing("/", with: "_")
      if photo.isConstantColorFallbackPhoto {
        try photo.write(to: "\(output)/\(name)_fallback.png")
      } else {
        let confidence = photo.constantColorCenterWeightedMeanConfidenceLevel
        print("\(name): \(confidence < threshold ? "retake" : "good"), confidence \(confidence)")
        try photo.write(to: "\(output)/\(name).png")
        try photo.constantColorConfidenceMap?.write(to: "\(output)/\(name)_confidence.png")
      }
    }
  }
}
