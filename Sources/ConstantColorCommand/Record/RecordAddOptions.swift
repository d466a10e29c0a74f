import ConstantColorOperations
import Development
import Photo
import Raster
import SkinRecord

/// What `record add` was asked to do: the command line, checked.
struct RecordAddOptions {
  let request: CaptureRequest
  let keeps, startsSeries: Bool
  let report: String?
  let running: RunningOptions

  static let specifications =
    [
      OptionSpecification.database,
      .subject("The code of the person, such as P-014: letters, digits, '-', '_', '.'; never a name."),
      .site("What was photographed, such as \"left forearm\": the same words each time."),
      OptionSpecification("--flash", "FILE", "The photograph with flash."),
      OptionSpecification(
        "--ambient", "FILE", isRepeatable: true, "The photograph without flash; several are averaged."),
      OptionSpecification("--swap", nil, "The two files are the wrong way round: exchanges them."),
      OptionSpecification(
        "--profile", "FILE", "The calibration profile of this camera and flash: a series has the same one throughout."),
      OptionSpecification(
        "--region", "[NAME=]X,Y,W,H", isRepeatable: true,
        "What to measure: left, top, width and height in pixels of the photograph with flash; several with "
          + "names of their own. "
          + "Default: the middle, half as wide as the shorter side."),
      OptionSpecification(
        "--grey", "X,Y,W,H[=R]",
        "A grey card in the picture, beside the skin, and its reflectance, 0.02 to 1 (default 0.18): tells L* "
          + "and ITA."),
      OptionSpecification(
        "--distance", "fixed|CM", values: ["fixed"],
        "A stand or a spacer kept the distance at which the profile's chart was taken; its length in cm where "
          + "it is known. With "
          + "--exposure fixed it tells L* and ITA."),
      OptionSpecification(
        "--exposure", "auto|fixed", "auto (default) meters the stored picture; fixed makes brightness comparable."),
      OptionSpecification(
        "--threshold", "T",
        "The confidence, 0 to 1, from which pixels count, and below which a capture is to be taken again; "
          + "default 0.8."),
      OptionSpecification("--tolerance", "E", "The colour error (CIEDE2000) that confidence speaks of; default 3."),
      OptionSpecification(
        "--keep", nil,
        "Adds the record although it is below the threshold; it stays marked. The exit status is "
          + "3 all the same."),
      OptionSpecification(
        "--new-series", nil,
        "Begins a new series of the site: for another profile, chart, exposure or "
          + "lightness reference."),
      OptionSpecification(
        "--date", "DATE", "When it was taken: 2026-05-31 or 2026-05-31T12:34; default: as the file says, or now."),
      OptionSpecification(
        "--format", "png|tif|exr|jpg",
        "How pictures are stored: png (default, 16 bit), tif, exr or jpg (8 bit, "
          + "small)."),
      OptionSpecification(
        "--align", "MODEL", values: ["auto", "none", "translation", "homography", "mesh"], "As in 'develop'."),
      OptionSpecification("--exposure-ratio", "auto|N", "As in 'develop'."),
      OptionSpecification("--linear", nil, "The inputs are linear camera values, whatever their profile says."),
      OptionSpecification("--no-flat-field", nil, "Leaves the profile's flat field out."),
      OptionSpecification(
        "--report", "FILE",
        "Writes the record as JSON, also of one that is not added; - is "
          + "standard output."),
    ] + OptionSpecification.running

  init(_ arguments: Arguments) throws {
    try arguments.refuseOperands()
    guard let subject = try arguments.subject else {
      throw UsageError("'--subject' is missing; give the person's code, such as P-014")
    }
    guard let site = try arguments.site else {
      throw UsageError("'--site' is missing; say what was photographed, such as \"left forearm\"")
    }
    let (flash, ambients) = try arguments.frames
    var settings = DevelopmentSettings()
    settings.threshold = try arguments.number("--threshold", in: 0...1)
    settings.tolerance = try arguments.number("--tolerance", in: DevelopmentSettings.tolerances) ?? 3
    settings.profile = arguments.value("--profile")
    settings.alignment = try arguments.choice("--align") ?? .auto
    settings.exposureRatio = try arguments.exposureRatio
    settings.isLinear = arguments.has("--linear")
    settings.usesFlatField = !arguments.has("--no-flat-field")
    switch arguments.value("--exposure") {
    case nil, "auto": settings.exposure = .auto
    case "fixed": settings.exposure = .fixed
    case let text?: throw UsageError("'--exposure' takes auto or fixed here, not '\(text)'")
    }
    var request = CaptureRequest(
      flash: flash, ambients: ambients, settings: settings, subject: subject, site: site)
    request.regions = try Self.regions(arguments.all("--region"))
    request.grey = try arguments.value("--grey").map(greyCard)
    request.distance = try arguments.value("--distance").map(Self.distance)
    if request.distance != nil, settings.exposure != .fixed || settings.profile == nil {
      throw UsageError(
        "'--distance' tells how light the skin is only together with '--exposure fixed' and '--profile'; give "
          + "them, too")
    }
    if request.grey != nil, request.distance != nil {
      throw UsageError("'--grey' and '--distance' both tell how light the skin is; give one of the two")
    }
    request.taken = try arguments.value("--date").map(Self.date)
    request.format = try Self.format(arguments.value("--format"))
    self.request = request
    (keeps, startsSeries) = (arguments.has("--keep"), arguments.has("--new-series"))
    report = arguments.value("--report")
    try checkWritable(report)
    try checkDistinct(
      inputs: [flash] + ambients + [settings.profile, arguments.value("--database")].compactMap(\.self),
      outputs: [report].compactMap(\.self))
    running = try RunningOptions(arguments)
  }

  private static func regions(_ texts: [String]) throws -> [CaptureRequest.NamedRegion] {
    var regions: [CaptureRequest.NamedRegion] = []
    for (index, text) in texts.enumerated() {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
      let name = parts.count == 2 ? parts[0] : texts.count == 1 ? "region" : "region \(index + 1)"
      guard RecordName.isSite(name), let box = regionBox(parts[parts.count - 1]) else {
        throw UsageError(
          "'--region' takes left, top, width and height in pixels, such as rash=820,640,200,200, "
            + "not '\(text)'")
      }
      guard !regions.contains(where: { $0.name == name }) else {
        throw UsageError("the region '\(name)' is given twice; give each a name of its own")
      }
      regions.append(CaptureRequest.NamedRegion(name: name, box: box))
    }
    guard regions.count <= 64 else { throw UsageError("'--region' is given \(regions.count) times; 64 are the most") }
    return regions
  }

  private static func distance(_ text: String) throws -> CaptureRequest.FixedDistance {
    if text == "fixed" { return CaptureRequest.FixedDistance(centimetres: nil) }
    guard let number = Double(text), (1...1000).contains(number) else {
      throw UsageError("'--distance' takes fixed, or a length from 1 to 1000 cm, not '\(text)'")
    }
    return CaptureRequest.FixedDistance(centimetres: number)
  }

  private static func date(_ text: String) throws -> String {
    guard let seconds = Timestamp.seconds(text) else {
      throw UsageError("'--date' takes a date such as 2026-05-31 or 2026-05-31T12:34, not '\(text)'")
    }
    return Timestamp.text(seconds)
  }

  private static func format(_ name: String?) throws -> PictureFormat {
    guard let name else { return .png }
    guard let format = PictureFormat.allCases.first(where: { $0.usualExtension == name }) else {
      let all = PictureFormat.allCases.map(\.usualExtension)
      throw UsageError(
        "'--format' takes one of \(all.joined(separator: ", ")), not '\(name)'" + suggestion(for: name, among: all))
    }
    return format
  }
}
