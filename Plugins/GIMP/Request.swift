import CGimp
import Development
import GEGL
import Photo

/// Where a frame comes from.
enum Frame: Equatable {
  case layer(gint32)
  case file(String)
}

/// What a call asks for.
struct Request {
  let procedure: Procedure
  /// Whether there is somebody who sees progress and messages.
  let isInteractive: Bool
  /// The image of the layers; -1 for files.
  var image: gint32 = -1
  var flash, ambient: Frame?
  var options = Options()

  init(_ procedure: Procedure, isInteractive: Bool) {
    (self.procedure, self.isInteractive) = (procedure, isInteractive)
  }

  /// Develops the pair, and adds the pictures to the image, or to a new one.
  func develop() throws -> Outcome {
    // Wrong options are told before anything is loaded.
    let settings = try options.settings()
    gimp_progress_init("Constant Color")
    let pair = try loadedPair()
    return try develop(pair, procedure == .files ? ResultEncoding(settings.space) : ResultEncoding(of: image))
  }

  /// Asks with a dialog, then develops.
  func ask() throws -> Outcome {
    let (request, preview) = try Dialog(self).run()
    let space = try request.options.settings().space
    gimp_progress_init("Constant Color")
    let outcome = try request.develop(
      preview.pair, procedure == .files ? ResultEncoding(space) : ResultEncoding(of: image))
    if procedure == .files { _ = gimp_display_new(outcome.image) }
    return outcome
  }

  /// The same for a pair that is loaded.
  func develop(_ pair: LoadedPair, _ encoding: ResultEncoding) throws -> Outcome {
    var last = ""
    let developed = try DevelopedPair(pair, options, encoding) { step, fraction in
      if step != last { gimp_progress_set_text("Constant Color: \(step)") }
      last = step
      gimp_progress_update(fraction)
    }
    // From here on nobody can stop it: GIMP would do so in the middle of the undo step.
    gimp_progress_end()
    let outcome =
      switch flash {
      case .layer(let id)?: try developed.add(to: image, above: Layer(id: id), options)
      default: try developed.makeImage(encoding, options)
      }
    if isInteractive {
      remember()
      if developed.hasWarnings { _ = gimp_message(developed.notes.joined(separator: "\n")) }
    }
    return outcome
  }

  /// The frames, in memory. Throws `InputError`.
  func loadedPair() throws -> LoadedPair {
    switch (flash, ambient) {
    case (.layer(let flash)?, .layer(let ambient)?):
      guard flash != ambient else { throw InputError("the flash and the ambient frame are one layer; choose two") }
      let origin = Layer(id: flash).offset
      return try LoadedPair(
        flash: Layer(id: flash).picture(origin: origin), ambients: [Layer(id: ambient).picture(origin: origin)])
    case (.file(let flash)?, .file(let ambient)?):
      guard !flash.isEmpty, !ambient.isEmpty else { throw InputError("two photographs are needed; name two files") }
      return try LoadedPair(flash: flash, ambients: [ambient], linear: false)
    default: throw InputError("two frames are needed: one with flash, one without")
    }
  }

  // MARK: the last values

  /// Takes the values of the last call in this session of GIMP, and the layer beside the flash layer.
  mutating func recall() throws {
    for (name, value) in Self.stored(procedure) {
      switch name {
      case "flash" where procedure == .files: flash = .file(value)
      case "ambient" where procedure == .files: ambient = .file(value)
      default: if let option = Option(rawValue: name) { options[option] = value }
      }
    }
    guard procedure == .layers, case .layer(let id)? = flash else { return }
    let layers = Layer.all(of: image).map(\.id)
    guard let place = layers.firstIndex(of: id) else { return }
    // The one below is what "Open as Layers" put there first.
    ambient = (layers.dropFirst(place + 1).first ?? layers.prefix(place).last).map { .layer($0) }
  }

  /// Keeps the values for the next call in this session.
  private func remember() {
    var lines = procedure.options.map { "\($0.rawValue)=\(options[$0])" }
    if case .file(let path)? = flash { lines.append("flash=\(path)") }
    if case .file(let path)? = ambient { lines.append("ambient=\(path)") }
    let bytes = Array(lines.joined(separator: "\0").utf8)
    _ = gimp_procedural_db_set_data(procedure.rawValue, bytes, guint32(clamping: bytes.count))
  }

  private static func stored(_ procedure: Procedure) -> [(String, String)] {
    let size = Int(gimp_procedural_db_get_data_size(procedure.rawValue))
    guard size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: size)
    guard gimp_procedural_db_get_data(procedure.rawValue, &bytes) != 0 else { return [] }
    return bytes.split(separator: 0).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }
  }
}
