import JSONValue
import Photo

/// A folder of simulated pairs: `inputs` is what a photographer has, `truth` what nobody has.
///
///     inputs/set.json               the pairs' files, and the pair to calibrate from
///     inputs/ID_flash.dng …         the frames
///     truth/set.json                how the set was made
///     truth/ID.json, ID_mask.png    a pair's ``PairTruth`` and ``Region``s
///     truth/scene_….npz             a ``SceneTruth``
public struct SimulationSet: Equatable, Sendable {
  /// Two frames of one scene.
  public struct Pair: Equatable, Sendable {
    /// The pair's name.
    public var id: String
    /// The names of its files in `inputs`.
    public var flash, ambient: String

    /// A pair from its parts.
    public init(id: String, flash: String, ambient: String) {
      (self.id, self.flash, self.ambient) = (id, flash, ambient)
    }
  }

  /// The pair to calibrate from.
  public struct Calibration: Equatable, Sendable {
    /// Its files.
    public var pair: Pair
    /// The centres of dark skin, bluish green, black and white in the flash frame, as stored.
    public var corners: [SIMD2<Double>]

    /// A calibration pair from its parts.
    public init(pair: Pair, corners: [SIMD2<Double>]) { (self.pair, self.corners) = (pair, corners) }
  }

  /// Where the set is.
  public var folder: String
  /// The pairs, in order.
  public var pairs: [Pair]
  /// The pair to calibrate from; nil where there is none.
  public var calibration: Calibration?
  /// The pair of a white sheet; nil where there is none.
  public var sheet: Pair?
  /// The size of the frames as stored.
  public var width, height: Int
  /// How the set was made, for people and programs: members of `truth/set.json`.
  public var description: [JSON.Member]

  /// A set from its parts.
  public init(
    folder: String, pairs: [Pair], calibration: Calibration?, width: Int, height: Int, description: [JSON.Member] = []
  ) {
    self.folder = folder
    self.pairs = pairs
    self.calibration = calibration
    (self.width, self.height) = (width, height)
    self.description = description
  }

  // MARK: files

  /// Where a frame is.
  public func input(_ name: String) -> String { "\(folder)/inputs/\(name)" }
  /// Where a file of the truth is.
  public func truth(_ name: String) -> String { "\(folder)/truth/\(name)" }

  /// The truth of a pair. Throws `PhotoError`.
  public func truth(of pair: Pair) throws -> PairTruth {
    let path = truth(pair.id + ".json")
    let truth = try PairTruth(reading: path)
    guard truth.id == pair.id else { throw PhotoError(path, "is of the pair \(truth.id); make the set again") }
    return truth
  }

  /// The regions of a pair. Throws `PhotoError`.
  public func regions(of pair: PairTruth) throws -> [Region] {
    try RegionMask.read(truth(pair.mask), width: pair.width, height: pair.height)
  }

  /// The scene of a pair. Throws `PhotoError`.
  public func scene(of pair: PairTruth) throws -> SceneTruth {
    let path = truth(pair.scene)
    let scene = try SceneTruth(reading: path)
    guard scene.width == pair.width, scene.height == pair.height else {
      throw PhotoError(
        path, "is \(scene.width) × \(scene.height) pixels, not \(pair.width) × \(pair.height); make the set again")
    }
    return scene
  }

  private static let mostPairs = 10_000
  private static let cornerNames = ["dark_skin", "bluish_green", "black", "white"]

  /// Reads a folder's `inputs/set.json` and, where there is one, `truth/set.json`. Throws `PhotoError`.
  public init(reading folder: String) throws {
    let reader = try TruthReader("\(folder)/inputs/set.json")
    let size = try reader.size()
    func pair(_ reader: TruthReader) throws -> Pair {
      Pair(id: try reader.name("id"), flash: try reader.name("flash"), ambient: try reader.name("ambient"))
    }
    let pairs = try reader.list("pairs").map(pair)
    guard (1...Self.mostPairs).contains(pairs.count) else { throw reader.wrong("pairs", "a list of pairs") }
    guard Set(pairs.map(\.id)).count == pairs.count else { throw reader.wrong("pairs", "a list of different pairs") }
    let calibration = try reader.inside("calibration").map { reader in
      guard let corners = reader.inside("chart_corners") else { throw reader.wrong("chart_corners", "four places") }
      return Calibration(pair: try pair(reader), corners: try Self.cornerNames.map { try corners.point($0) })
    }
    self.init(folder: folder, pairs: pairs, calibration: calibration, width: size.width, height: size.height)
    sheet = try reader.inside("sheet").map(pair)
    if case .object(let members) = try TruthReader(truth("set.json")).json { description = members }
  }

  /// Writes `inputs/set.json` and `truth/set.json` into folders that are there. Throws `PhotoError`.
  public func write() throws {
    func members(_ pair: Pair) -> [JSON.Member] {
      [
        JSON.Member("id", .string(pair.id)), JSON.Member("flash", .string(pair.flash)),
        JSON.Member("ambient", .string(pair.ambient)),
      ]
    }
    let corners = calibration.map { calibration in
      JSON.object(
        zip(Self.cornerNames, calibration.corners).map { JSON.Member($0.0, JSON([$0.1.x, $0.1.y])) })
    }
    let shots = calibration.map { calibration in
      JSON.object(members(calibration.pair) + [JSON.Member("chart_corners", corners ?? .null)])
    }
    let inputs: JSON = [
      "pairs": .array(pairs.map { .object(members($0)) }), "calibration": shots ?? .null,
      "sheet": sheet.map { .object(members($0)) } ?? .null,
      "size": .array([.integer(width), .integer(height)]),
    ]
    let ours = ["pairs", "calibration"]
    let truth = JSON.object(
      description.filter { !ours.contains($0.key) } + [
        JSON.Member("pairs", .array(pairs.map { .string($0.id) })),
        JSON.Member("calibration", JSON(calibration?.pair.id)),
      ])
    try inputs.write(to: input("set.json"))
    try truth.write(to: self.truth("set.json"))
  }
}
