/// Operations of GEGL 0.4 that read or write memory that is not there, and what keeps them from it. Found by running every
/// operation with missing, tiny and displaced inputs.
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
}
