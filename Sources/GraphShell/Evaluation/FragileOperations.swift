import GEGL

/// Operations of GEGL 0.4 that read or write memory that is not there, or give other pixels each time, and what keeps them from
/// it. Found by running every operation with missing, tiny and displaced inputs.
enum FragileOperations {
  /// Those that need what only a program can give them.
  static let programsOnly = ["gegl:npd": "'gegl:npd' deforms a model, which only a program can give it"]
  /// Those of which every pad must be fed.
  static let fullyFed: Set = ["gegl:seamless-clone", "gegl:seamless-clone-compose"]
  /// The least width and height of what they are fed with.
  static let leastSide = [
    "gegl:denoise-dct": 16, "gegl:fractal-trace": 16, "gegl:panorama-projection": 16, "gegl:slic": 16,
    "gegl:stereographic-projection": 16,
  ]

  /// Those whose pixels depend on the part of the result that is asked for, and so on what was looked at before. Computed
  /// whole, they do not. Found by asking every operation for parts, and for all.
  static let wholeOnly = [
    "gegl:box-blur", "gegl:edge-neon", "gegl:edge-sobel", "gegl:mblur", "gegl:mosaic",
    "gegl:noise-reduction",
    "gegl:softglow", "gegl:tile-glass",
  ]
  /// Those that throw dice: no two results are the same.
  static let random: Set = ["gegl:c2g", "gegl:fattal02", "gegl:stress"]

  /// Makes those of ``wholeOnly`` compute whole results in this process.
  static let prepared: Void = wholeOnly.forEach(Catalogue.computeWhole)

  /// Why a node may not be made as it is; nil where it may.
  static func refusal(_ node: NodeDefinition) -> String? {
    // It moves its second picture by numbers in single precision until they are those in double precision: never, for most.
    guard node.operation == "gegl:pack" else { return nil }
    for name in ["gap", "align"] {
      guard let number = node.setting(name).flatMap({ Double($0.description) }), Double(Float(number)) != number else {
        continue
      }
      return "'gegl:pack' never ends with \(name)=\(number); use \((number * 4).rounded() / 4)"
    }
    return nil
  }
}
