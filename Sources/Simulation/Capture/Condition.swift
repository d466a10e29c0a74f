/// How one pair is taken: the lights, and what happens between the frames.
public struct Condition: Equatable, Sendable {
  /// The name of the pair.
  public var id: String
  /// The room's light, and its illuminance at the centre in lux; 0 for a dark room.
  public var ambient: Illuminant
  /// The same.
  public var lux: Double
  /// A second light from the right; then the first comes from the left.
  public var second: Illuminant?
  /// How the hand moves between the frames.
  public var shake: HandMotion
  /// Whether something moves.
  public var moves = false
  /// Whether both frames are exposed alike, as long as the flash frame.
  public var hasEqualExposure = false
  /// How deep the room's light flickers at 100 Hz, 0...1.
  public var flicker = 0.0
  /// Whether it is the picture of a chart that profiles are made from.
  public var isCalibration = false
  /// Whether it is the picture of a white sheet that flat fields are made from.
  public var isSheet = false
  /// Whether the product has a fluorescent dye.
  public var glows = false

  /// A pair in a room of one light.
  public init(id: String, ambient: Illuminant, lux: Double, shake: HandMotion) {
    self.id = id
    self.ambient = ambient
    self.lux = lux
    self.shake = shake
  }

  /// The conditions of the reference protocol: every illuminance with every temperature and tint, in that order.
  ///
  /// Names are as "E0200_T4500_green"; what is no whole number keeps its decimals. Lights that do not exist are left out.
  public static func matrix(lux: [Double], kelvin: [Double], tints: [Tint], shake: HandMotion) -> [Condition] {
    lux.flatMap { lux in
      kelvin.flatMap { kelvin in
        tints.compactMap { tint in
          Illuminant.white(kelvin: kelvin, tint: tint).map { light in
            let name = "E\(padded(lux))_T\(padded(kelvin))_\(tint.rawValue)"
            return Condition(id: name, ambient: light, lux: lux, shake: shake)
          }
        }
      }
    }
  }

  /// The pair of a chart, in a dim room, from which the set's profile is made.
  public static func calibration() -> Condition? {
    guard let light = Illuminant.white(kelvin: 4500) else { return nil }
    var condition = Condition(id: "calibration", ambient: light, lux: 50, shake: .none)
    condition.isCalibration = true
    return condition
  }

  /// The pair of a white sheet, in the same room.
  public static func sheet() -> Condition? {
    guard var condition = calibration() else { return nil }
    (condition.id, condition.isCalibration, condition.isSheet) = ("sheet", false, true)
    return condition
  }

  /// A product that glows.
  public static func glowing(shake: HandMotion) -> Condition? {
    guard let light = Illuminant(named: "4500") else { return nil }
    var condition = Condition(id: "glowing_E0050", ambient: light, lux: 50, shake: shake)
    condition.glows = true
    return condition
  }

  /// What is not in the matrix: a dark room, two lights, a thing that moves, a fluorescent lamp, equal exposures, a flickering lamp,
  /// a restless hand.
  public static func extras(shake: HandMotion) -> [Condition] {
    func light(_ name: String) -> Illuminant? { Illuminant(named: name) }
    func make(
      _ id: String, _ name: String, _ lux: Double, _ shake: HandMotion, _ change: (inout Condition) -> Void = { _ in }
    ) -> Condition? {
      guard let light = light(name) else { return nil }
      var condition = Condition(id: id, ambient: light, lux: lux, shake: shake)
      change(&condition)
      return condition
    }
    return [
      make("dark", "4500", 0, .none),
      make("mixed_E0200", "2900", 200, shake) { $0.second = light("6500") },
      make("moving_E0200", "4500", 200, shake) { $0.moves = true },
      make("fluor_E0200", "FL11", 200, shake),
      make("sameexp_E0200", "3000", 200, shake) { $0.hasEqualExposure = true },
      make("flicker_E0800", "4000", 800, shake) { $0.flicker = 0.35 },
      make("large_E0200", "6000:green", 200, .large), make("large_E0800", "3000:magenta", 800, .large),
    ].compactMap(\.self)
  }

  private static func padded(_ number: Double) -> String {
    // Different numbers must not give one name.
    let text = number == number.rounded() ? "\(Int(number))" : "\(number)"
    let digits = text.prefix { $0 != "." }.count
    return String(repeating: "0", count: max(0, 4 - digits)) + text
  }
}
