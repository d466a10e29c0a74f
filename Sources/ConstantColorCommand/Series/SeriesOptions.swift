import Development
import Photo

/// What `batch` and `watch` were asked to do: the command line, checked.
struct SeriesOptions {
  /// The folder of the photographs; nil for a table of pairs.
  let input: String?
  let manifest: String?
  let files: SeriesFiles
  let finder: PairFinder
  /// Words of every pair's command line.
  let words: [String]
  let retries: Bool
  let jobs: Int?
  let running: RunningOptions

  /// The options of `develop` that hold for a series, or in a table for one pair.
  static let shared = DevelopOptions.specifications.filter { names.contains($0.name) }

  private static let names: Set<String> = [
    "--space", "--float", "--threshold", "--exposure", "--align", "--exposure-ratio", "--look", "--tolerance",
    "--flash-white", "--matrix", "--adaptation", "--linear", "--profile", "--no-flat-field",
  ]

  /// The options of both commands.
  static let specifications = own + shared + OptionSpecification.running

  private static let own = [
    OptionSpecification("--output", "DIR", "The folder for the results; it is made where it is missing."),
    OptionSpecification(
      "--format", "NAME", values: formats,
      "The results: png (default), tif, exr or jpg. Confidence maps are of the same kind."),
    OptionSpecification("--fallback", nil, "Writes the fallback pictures, too."),
    OptionSpecification(
      "--pair-by", "EVIDENCE", values: PairFinder.Evidence.allCases.map(\.rawValue),
      "What tells that files are a pair: auto (default; names, and metadata where names tell nothing), names or metadata."
    ),
    OptionSpecification(
      "--flash-name", "PATTERN", isRepeatable: true,
      "Names of photographs with flash, without extension: * is what both names have in common, # a number. Default: NAME_flash "
        + "and the like. With --ambient-name."),
    OptionSpecification(
      "--ambient-name", "PATTERN", isRepeatable: true, "Names of photographs without flash, as '*_A#'."),
    OptionSpecification(
      "--within", "SECONDS", "The longest time between the frames of a pair, where metadata tell; default 5."),
    OptionSpecification(
      "--order", "ORDER", values: PairFinder.Order.allCases.map(\.rawValue),
      "How frames follow each other, where metadata tell: auto (default, to the clearly nearest), flash-first, ambient-first or "
        + "around."
    ),
    OptionSpecification("--retry", nil, "Tries pairs again that failed before, although nothing has changed."),
    OptionSpecification(
      "--jobs", "N", "Pairs at the same time, 1 to 64; default as many as threads and memory allow."),
  ]

  private static let formats = ["png", "tif", "exr", "jpg"]

  /// - Parameter takesManifest: whether a table may stand for the folder.
  init(_ arguments: Arguments, takesManifest: Bool) throws {
    manifest = takesManifest ? arguments.value("--manifest") : nil
    let operands = arguments.operands
    guard operands.count == (manifest == nil ? 1 : 0), operands.first != "" else {
      if let extra = operands.dropFirst(manifest == nil ? 1 : 0).first {
        throw UsageError(
          "'\(extra)' is not expected; " + (manifest == nil ? "name one folder" : "'--manifest' replaces the folder"))
      }
      throw UsageError("name the folder with the photographs" + (takesManifest ? ", or a table with --manifest" : ""))
    }
    input = operands.first.map(Self.withoutSlash)
    guard let output = arguments.value("--output").map(Self.withoutSlash), !output.isEmpty else {
      throw UsageError("'--output' is missing; name a folder for the results")
    }
    let format = arguments.value("--format") ?? "png"
    guard Self.formats.contains(format) else {
      throw UsageError(
        "'--format' takes one of \(Self.formats.joined(separator: ", ")), not '\(format)'"
          + suggestion(for: format, among: Self.formats))
    }
    files = SeriesFiles(folder: output, ending: "." + format, hasFallback: arguments.has("--fallback"))
    finder = try Self.finder(arguments)
    words = try Self.words(arguments, output: output)
    retries = arguments.has("--retry")
    jobs = try arguments.wholeNumber("--jobs", in: 1...64)
    running = try RunningOptions(arguments)
  }

  private static func withoutSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  private static func finder(_ arguments: Arguments) throws -> PairFinder {
    var finder = PairFinder()
    finder.evidence = try arguments.choice("--pair-by") ?? .auto
    finder.order = try arguments.choice("--order") ?? .auto
    finder.seconds = try arguments.number("--within", in: 0...3600) ?? finder.seconds
    let (flash, ambient) = (arguments.all("--flash-name"), arguments.all("--ambient-name"))
    guard flash.isEmpty == ambient.isEmpty else {
      throw UsageError("'--flash-name' and '--ambient-name' belong together; give both")
    }
    guard !flash.isEmpty else { return finder }
    guard let names = RoleNames(flash: flash, ambient: ambient) else {
      throw UsageError(
        "'--flash-name' and '--ambient-name' take names with one * (what both have in common) and at most one #, without folders"
      )
    }
    finder.names = names
    return finder
  }

  /// The shared options as words, always in one order; checked as `develop` does it.
  private static func words(_ arguments: Arguments, output: String) throws -> [String] {
    var words: [String] = []
    for option in shared where arguments.has(option.name) {
      words += option.placeholder == nil ? [option.name] : [option.name] + arguments.all(option.name)
    }
    try check(words)
    return words
  }

  private static func check(_ words: [String]) throws {
    // Of files that are not there: only the words are looked at.
    let names = ["--flash", "/nonexistent/flash", "--ambient", "/nonexistent/ambient", "--output", "/tmp/result.png"]
    let options = try DevelopOptions(Arguments(names + words, options: DevelopOptions.specifications))
    if let profile = options.profile { _ = try PairDevelopment.profile(profile) }
  }

  /// The words of a pair's command line: its own go before those of the series. Throws ``UsageError``.
  func words(for pair: PhotoPair) throws -> [String] {
    guard !pair.options.isEmpty else { return words }
    let own = try Arguments(pair.options, options: Self.shared)
    guard own.operands.isEmpty else { throw UsageError("'\(own.operands[0])' is no option") }
    let common = try Arguments(words, options: Self.shared)
    var result: [String] = []
    for option in Self.shared {
      let source = own.has(option.name) ? own : common
      guard source.has(option.name) else { continue }
      result += option.placeholder == nil ? [option.name] : [option.name] + source.all(option.name)
    }
    try Self.check(result)
    return result
  }

  /// Makes the folder of the results and keeps others out of it. Throws `InputError`.
  func begin() throws -> FolderLock {
    if let input, realPath(input) == realPath(files.folder) {
      throw UsageError("\(files.folder): holds the photographs; name another folder for the results")
    }
    for folder in [files.folder, files.hidden] { try makeFolder(folder) }
    let lock = try FolderLock(files.lock, of: files.folder)
    try files.create()
    return lock
  }
}
