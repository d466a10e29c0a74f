import CGimp

/// The procedures that the plug-in has, as GIMP's procedure browser shows them.
enum Procedure: String, CaseIterable {
  /// Develops two layers of an image.
  case layers = "plug-in-constant-color"
  /// Develops two files into a new image.
  case files = "plug-in-constant-color-from-pair"

  struct Value {
    let type: GimpPDBArgType
    let name, summary: String
  }

  var menuLabel: String {
    switch self {
    case .layers: "_Constant Color..."
    case .files: "Constant Color from _Pair..."
    }
  }

  var menuPath: String {
    switch self {
    case .layers: "<Image>/Colors"
    case .files: "<Image>/File/Create"
    }
  }

  /// The kinds of images that it is for; nil: it needs none.
  var imageTypes: String? { self == .layers ? "RGB*" : nil }

  var blurb: String {
    switch self {
    case .layers: "The true colours of a scene from two layers, one with flash and one without"
    case .files: "The true colours of a scene from two photographs, one with flash and one without"
    }
  }

  var help: String {
    let what =
      "What the scene looks like lit by the flash alone, under daylight (D65): the ambient frame is aligned with the flash "
      + "frame, brought to its exposure and subtracted. Gives the pixels that 'constant-color develop' gives with the same "
      + "options. The confidence tells for each pixel how likely its colour is right, 0 to 1. "
    switch self {
    case .layers:
      return what
        + "The result is a new layer above the flash layer, in the precision and the colour profile of the image; the fallback, "
        + "a hidden layer below it, is the ambient frame, white-balanced. All is one undo step. "
        + "Without interaction all parameters count; with the last values the ambient layer is the one that stays, or the next."
    case .files:
      return what
        + "Takes RAW, JPEG, HEIF, PNG, TIFF and other files, with what their metadata tell. The result is a new image, 32-bit "
        + "floating point, with the profile of the colour space that was asked for and the metadata of the flash frame."
    }
  }

  /// The parameters before the options.
  var inputs: [Value] {
    let mode = Value(
      type: GIMP_PDB_INT32, name: "run-mode",
      summary: "The run mode { RUN-INTERACTIVE (0), RUN-NONINTERACTIVE (1), RUN-WITH-LAST-VALS (2) }")
    switch self {
    case .layers:
      return [
        mode, Value(type: GIMP_PDB_IMAGE, name: "image", summary: "The image, which is RGB"),
        Value(type: GIMP_PDB_DRAWABLE, name: "drawable", summary: "The layer with the flash frame"),
        Value(type: GIMP_PDB_DRAWABLE, name: "ambient", summary: "The layer with the ambient frame: without flash"),
      ]
    case .files:
      return [
        mode, Value(type: GIMP_PDB_STRING, name: "flash", summary: "The file with the flash frame"),
        Value(type: GIMP_PDB_STRING, name: "ambient", summary: "The file with the ambient frame: without flash"),
      ]
    }
  }

  var options: [Option] {
    switch self {
    case .layers: Option.allCases.filter { $0 != .space }
    case .files: Option.allCases
    }
  }

  var parameters: [Value] {
    inputs + options.map { Value(type: $0.type, name: $0.rawValue, summary: $0.summary) }
  }

  var results: [Value] {
    let image = Value(type: GIMP_PDB_IMAGE, name: "image", summary: "The new image")
    return (self == .files ? [image] : []) + [
      Value(type: GIMP_PDB_LAYER, name: "result", summary: "The layer with the result"),
      Value(type: GIMP_PDB_DRAWABLE, name: "confidence-map", summary: "The channel or the mask (-1: none)"),
      Value(type: GIMP_PDB_LAYER, name: "fallback-layer", summary: "The layer with the fallback (-1: none)"),
      Value(
        type: GIMP_PDB_FLOAT, name: "mean-confidence",
        summary: "The mean confidence, 0 to 1, weighted towards the centre"),
      Value(type: GIMP_PDB_STRING, name: "notes", summary: "What one should know of the pair, a line each"),
    ]
  }

  /// Tells GIMP of the procedure.
  func install() {
    let (parameters, results) = (parameters.map(\.definition), results.map(\.definition))
    gimp_install_procedure(
      rawValue, blurb, help, "The authors of Constant Color", "The authors of Constant Color", "2026", menuLabel,
      imageTypes, GIMP_PLUGIN, gint(parameters.count), gint(results.count), parameters, results)
    gimp_plugin_menu_register(rawValue, menuPath)
  }
}

extension Procedure.Value {
  /// As libgimp takes it; the texts are kept, since GIMP is told once and the process ends then.
  var definition: GimpParamDef { GimpParamDef(type: type, name: strdup(name), description: strdup(summary)) }
}
