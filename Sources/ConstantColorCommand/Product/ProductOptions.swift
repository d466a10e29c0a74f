import ColorScience
import Development
import Photo
import Raster
import SkinRecord

/// What `product` was asked to do: the command line, checked.
struct ProductOptions {
  /// A place whose colour is known.
  struct Swatch {
    var name: String
    var box: Rectangle
    /// CIELAB under D65, 2°.
    var color: Lab
  }

  let pairs: [PhotoPair]
  let files: SeriesFiles
  let settings: DevelopmentSettings
  let threshold: Double
  let grey: CaptureRequest.GreyCard?
  let swatches: [Swatch]
  /// The largest ΔE00 of a swatch.
  let difference: Double
  /// Nil: it stays as it is.
  let background: Lab?
  let running: RunningOptions

  static let specifications =
    own + DevelopOptions.specifications.filter { shared.contains($0.name) } + OptionSpecification.running

  /// The options of `develop` that mean the same here.
  private static let shared: Set<String> = [
    "--swap", "--space", "--align", "--exposure-ratio", "--tolerance", "--flash-white", "--matrix", "--adaptation",
    "--linear", "--profile", "--no-flat-field",
  ]

  private static let formats = ["png", "tif", "exr", "jpg"]

  private static let own = [
    OptionSpecification("--flash", "FILE", "A single product instead of a folder: the photograph with flash."),
    OptionSpecification("--ambient", "FILE", isRepeatable: true, "The same without flash; several are averaged."),
    OptionSpecification(
      "--manifest", "FILE.csv", "A table of the pairs instead of a folder, as in 'batch', without options."),
    OptionSpecification("--output", "DIR", "The folder for the results; it is made where it is missing."),
    OptionSpecification("--format", "NAME", values: formats, "The results: png (default), tif, exr or jpg."),
    OptionSpecification(
      "--grey", "X,Y,W,H[=R]",
      "A grey or white card in every picture, and its reflectance, 0.02 to 1 (default 0.18): tells how bright it is."),
    OptionSpecification(
      "--swatch", "[NAME=]X,Y,W,H=L,A,B", isRepeatable: true,
      "A place in every picture whose colour is known, in CIELAB under D65: its ΔE00 is told. Without --grey the first tells "
        + "how bright the picture is."),
    OptionSpecification("--difference", "E", "The largest ΔE00 of a swatch that passes, 0.1 to 50; default 3."),
    OptionSpecification(
      "--background", "L[,A,B]|keep",
      "The background's colour, CIELAB under D65; default 100, white. keep leaves it as it is."),
    OptionSpecification(
      "--exposure", "auto|fixed|EV", "As in 'develop', where no card or swatch tells the brightness; default fixed."),
    OptionSpecification(
      "--threshold", "T",
      "The mean confidence of the product, 0 to 1, below which it is to be taken again; default 0.8."),
  ]

  init(_ arguments: Arguments) throws {
    let output = arguments.value("--output") ?? ""
    guard !output.isEmpty else { throw UsageError("'--output' is missing; name a folder for the results") }
    let format = arguments.value("--format") ?? "png"
    guard Self.formats.contains(format) else {
      throw UsageError(
        "'--format' takes one of \(Self.formats.joined(separator: ", ")), not '\(format)'"
          + suggestion(for: format, among: Self.formats))
    }
    let files = SeriesFiles(folder: output, ending: "." + format, hasFallback: false)
    let pairs = try Self.pairs(arguments)
    (self.files, self.pairs) = (files, pairs)
    let results = pairs.flatMap { [files.result($0.name), files.confidence($0.name), files.report($0.name)] }
    try checkDistinct(
      inputs: pairs.flatMap { [$0.flash] + $0.ambients } + [arguments.value("--profile")].compactMap(\.self),
      outputs: (results + ["report.csv", "report.json"]).map { output + "/" + $0 })
    guard let first = pairs.first else { throw UsageError("name the folder with the photographs") }
    threshold = try arguments.number("--threshold", in: 0...1) ?? 0.8
    var settings = try DevelopOptions(
      arguments, flash: first.flash, ambients: first.ambients, output: nil, report: nil, threshold: threshold
    ).settings
    settings.exposure = try DevelopOptions.exposure(arguments, default: .fixed)
    self.settings = settings
    grey = try arguments.value("--grey").map(greyCard)
    swatches = try Self.swatches(arguments.all("--swatch"))
    if grey != nil || !swatches.isEmpty, arguments.has("--exposure") {
      throw UsageError("'--grey' and '--swatch' tell how bright pictures are; leave '--exposure' out")
    }
    difference = try arguments.number("--difference", in: 0.1...50) ?? 3
    if arguments.has("--difference"), swatches.isEmpty {
      throw UsageError("'--difference' is about swatches; name one with '--swatch'")
    }
    background = try Self.background(arguments.value("--background") ?? "100")
    running = try RunningOptions(arguments)
  }

  // MARK: parts

  private static func pairs(_ arguments: Arguments) throws -> [PhotoPair] {
    let manifest = arguments.value("--manifest")
    let sources = [arguments.operands.first, manifest, arguments.value("--flash")].compactMap(\.self)
    guard sources.count == 1, arguments.operands.count <= 1 else {
      throw UsageError("name one folder with the photographs, or a table with --manifest, or --flash and --ambient")
    }
    for option in ["--ambient", "--swap"] where arguments.has(option) && !arguments.has("--flash") {
      throw UsageError("'\(option)' names single files; name '--flash', too, or leave it out")
    }
    if arguments.has("--flash") {
      let (flash, ambients) = try arguments.frames
      var stem = flash.split(separator: "/").last.map { String($0) } ?? flash
      let ending = fileExtension(stem)
      if !ending.isEmpty { stem.removeLast(ending.count + 1) }
      if stem.hasSuffix("_flash") { stem.removeLast("_flash".count) }
      return [PhotoPair(name: stem.isEmpty ? "product" : stem, flash: flash, ambients: ambients, source: .names)]
    }
    if let manifest {
      do {
        let pairs = try PairManifest.read(manifest)
        guard pairs.allSatisfy(\.options.isEmpty) else {
          throw InputError("\(manifest): has options, which hold for 'batch'; a product series has one set of options")
        }
        return pairs
      } catch let error as ManifestError {
        throw InputError(error.problems.first ?? manifest)
      } catch { throw InputError(error) }
    }
    return try wholePairs(in: arguments.operands[0])
  }

  private static func swatches(_ texts: [String]) throws -> [Swatch] {
    var swatches: [Swatch] = []
    for (index, text) in texts.enumerated() {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { String($0) }
      let name = parts.count == 3 ? parts[0] : texts.count == 1 ? "swatch" : "swatch \(index + 1)"
      guard (2...3).contains(parts.count), !name.isEmpty, let box = regionBox(parts[parts.count - 2]),
        let color = lab(parts[parts.count - 1], whole: true)
      else {
        throw UsageError(
          "'--swatch' takes left, top, width and height in pixels, and L*, a*, b* under D65, such as "
            + "red=40,40,80,80=42.1,53.4,28.2, not '\(text)'")
      }
      guard !swatches.contains(where: { $0.name == name }) else {
        throw UsageError("the swatch '\(name)' is given twice; give each a name of its own")
      }
      swatches.append(Swatch(name: name, box: box, color: color))
    }
    return swatches
  }

  private static func background(_ text: String) throws -> Lab? {
    if text == "keep" { return nil }
    guard let color = lab(text, whole: false) else {
      throw UsageError("'--background' takes keep, or L* or L*,a*,b* under D65, such as 100 or 96,0,2, not '\(text)'")
    }
    return color
  }

  private static func lab(_ text: String, whole: Bool) -> Lab? {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == words.count, numbers.count == 3 || (numbers.count == 1 && !whole),
      (0...100).contains(numbers[0]), numbers.dropFirst().allSatisfy({ abs($0) <= 128 })
    else { return nil }
    return numbers.count == 3 ? Lab(numbers[0], numbers[1], numbers[2]) : Lab(numbers[0], 0, 0)
  }
}
