import ColorScience
import Glibc

/// A flat scene of things on a wall, lit by the room and by a flash beside the lens.
///
/// Flat means that hand shake is a homography, so that the truth about alignment is exact. Depth is in the light: the flash
/// falls off, objects throw shadows, and a window shows a background that the flash hardly reaches.
struct Scene: Sendable {
  /// Reflectances, by number.
  var surfaces: [Spectrum]
  var lighting = Lighting()
  var wall: Wall
  var plates: [Plate] = []
  var solids: [Solid] = []
  var wires: [Wire] = []
  /// The window to a far background.
  var window: Window?
  /// What lies elsewhere in the ambient frame, and by how much.
  var moving: (solid: Solid, shift: Place)?
  /// The outline of a page.
  var sheet: Shape?
  /// From the places that an upright camera sees to places of the scene, row by row; nil for an upright camera.
  var view: [Double]?
  /// Surfaces whose colour is to be measured.
  var patches: [Patch] = []

  /// A patch: its name, its kind, its corners, and what it is of.
  struct Patch: Sendable {
    var name: String
    var kind: PairTruth.Patch.Kind
    var corners: [Place]
    var surface: Int

    var centre: Place { corners.reduce(.zero, +) / Float(max(corners.count, 1)) }
  }

  /// Two surfaces in clouds.
  struct Wall: Sendable {
    var surfaces: (Int, Int)
    var texture: Texture

    func paint(_ point: inout ScenePoint, _ place: Place) {
      let clouds = texture.clouds(place, size: 42)
      (point.first, point.second) = (Int32(surfaces.0), Int32(surfaces.1))
      point.mix = smoothstep(0.52, 0.64, clouds)
      point.gain = 0.72 + 0.45 * texture.clouds(place + Place(400, 90), size: 23)
    }
  }

  /// A flat thing on the wall.
  struct Plate: Sendable {
    var shape: Shape
    var paint: Paint

    enum Paint: Sendable {
      case plain(Int)
      /// Patches in a frame: columns, rows, surfaces row by row, the part of a cell that is patch, the frame's surface.
      case patches(columns: Int, rows: Int, [Int], part: Float, frame: Int)
      /// Lines of writing: paper and ink.
      case writing(paper: Int, ink: Int, Texture)
      /// Print that can be read: paper and ink.
      case printed(paper: Int, ink: Int, PrintedPage)
    }
  }

  /// A thing with a volume, which throws shadows.
  struct Solid: Sendable {
    enum Form: Sendable { case ball, cylinder }

    var form: Form
    var shape: Shape
    var surface: Int
    /// How strongly it mirrors, and how sharply (the exponent of Blinn's model).
    var gloss: Float = 0
    var sharpness: Float = 60
    /// How far from the wall, as the length of the flash's shadow.
    var height: Float = 4
  }

  /// A thin dark line, straight up or waving from left to right.
  struct Wire: Sendable {
    var start: Place
    var length, width: Float
    var wave: (height: Float, period: Float)?
    var surface: Int

    func covers(_ place: Place) -> Bool {
      guard let wave else {
        return abs(place.x - start.x) < width / 2 && place.y >= start.y && place.y <= start.y + length
      }
      guard abs(place.y - start.y) < 2 * wave.height + width else { return false }
      let phase = (place.x - start.x) * 2 * .pi / wave.period
      let slope = wave.height * 2 * .pi / wave.period * cos(phase)
      let off = abs(place.y - start.y - wave.height * sin(phase))
      return off < width / 2 * (1 + slope * slope).squareRoot() && place.x >= start.x && place.x <= start.x + length
    }
  }

  /// A far background behind a frame.
  struct Window: Sendable {
    var shape: Shape
    var frame: Int
    var background: Wall
    /// Small plates in it.
    var plates: [Plate]
    /// What of the flash reaches it at its top and at its bottom, and of the room's light.
    var flash: (top: Float, bottom: Float)
    var ambient: Float
  }

  /// What is at a place; `isAmbientFrame` asks for the later moment, in which something may have moved.
  func point(at place: Place, isAmbientFrame: Bool) -> ScenePoint {
    var point = ScenePoint()
    if let window, window.shape.contains(place) {
      return through(window, place)
    }
    for wire in wires where wire.covers(place) {
      point.paint(wire.surface)
      light(&point, place, isAmbientFrame)
      return point
    }
    if let moving {
      let here = isAmbientFrame ? place - moving.shift : place
      if moving.solid.shape.contains(here) {
        lit(moving.solid, &point, here)
        return point
      }
    }
    if let solid = solids.first(where: { $0.shape.contains(place) }) {
      lit(solid, &point, place)
      return point
    }
    if let plate = plates.last(where: { $0.shape.contains(place) }) {
      plate.paint(&point, place)
      point.flashGloss = lighting.glare(place)
    } else {
      wall.paint(&point, place)
      point.region.insert(.wall)
    }
    light(&point, place, isAmbientFrame)
    return point
  }

  private func through(_ window: Window, _ place: Place) -> ScenePoint {
    var point = ScenePoint()
    if window.shape.distance(place) > -4 {
      point.paint(window.frame)
      light(&point, place, true)
      return point
    }
    if let plate = window.plates.last(where: { $0.shape.contains(place) }) {
      plate.paint(&point, place)
    } else {
      window.background.paint(&point, place)
    }
    let down = 0.5 + 0.5 * window.shape.local(place).y
    point.flash = window.flash.top + (window.flash.bottom - window.flash.top) * down
    point.ambient = lighting.ambient(place) * window.ambient
    point.region = .far
    return point
  }

  /// The light on the wall, with the shadows of all that stands before it.
  private func light(_ point: inout ScenePoint, _ place: Place, _ isAmbientFrame: Bool) {
    point.flash = lighting.flash(place)
    point.shadow = lighting.shadow(place)
    point.ambient = lighting.ambient(place) * lighting.left(of: point.shadow)
    func shade(_ solid: Solid, _ place: Place) {
      let offset = lighting.flashShadowOffset * solid.height
      if solid.shape.contains(place - offset) {
        point.flash *= 0.03
        point.region.insert(.flashShadow)
      }
      let depth = 2.2 * solid.height
      let beside = place - Place(0.7, 0.9) * depth
      guard solid.shape.isNear(beside, margin: 0.6 * depth) else { return }
      point.ambient *= 1 - 0.6 * smoothstep(0.6 * depth, -0.6 * depth, solid.shape.distance(beside))
    }
    for solid in solids { shade(solid, place) }
    if let moving { shade(moving.solid, isAmbientFrame ? place - moving.shift : place) }
    if point.shadow > 0.5 { point.region.insert(.ambientShadow) }
  }

  private func lit(_ solid: Solid, _ point: inout ScenePoint, _ place: Place) {
    point.paint(solid.surface)
    let local = solid.shape.local(place)
    let flat = solid.form == .cylinder ? Place(local.x, 0) : local
    let normal = SIMD3(flat.x, flat.y, max(1 - (flat * flat).sum(), 0).squareRoot())
    let toFlash = lighting.directionOfFlash(from: place)
    point.shadow = lighting.shadow(place)
    let room = lighting.ambient(place) * lighting.left(of: point.shadow)
    let fall = lighting.flash(place)
    point.flash = fall * max((normal * toFlash).sum(), 0)
    let toRoom = lighting.directionOfAmbient
    // Half of the room's light comes from everywhere.
    point.ambient = room * (0.45 + 0.55 * max((normal * toRoom).sum(), 0) / toRoom.z)
    if point.shadow > 0.5 { point.region.insert(.ambientShadow) }
    guard solid.gloss > 0 else { return }
    func mirror(_ light: SIMD3<Float>) -> Float {
      let sum = light + SIMD3(0, 0, 1)
      let half = sum / (sum * sum).sum().squareRoot()
      return solid.gloss * pow(max((normal * half).sum(), 0), solid.sharpness)
    }
    point.flashGloss = fall * mirror(toFlash)
    point.ambientGloss = 0.25 * room * mirror(toRoom)
    if point.flashGloss > 0.3 { point.region.insert(.specular) }
  }
}

extension Scene.Plate {
  func paint(_ point: inout ScenePoint, _ place: Place) {
    switch paint {
    case .plain(let surface): point.paint(surface)
    case .patches(let columns, let rows, let surfaces, let part, let frame):
      let local = shape.local(place)
      // A frame as wide as the gaps goes around.
      let margin = (1 - part) / Float(columns)
      let cell = (local * 0.5 + 0.5 - margin / 2) / (1 - margin) * Place(Float(columns), Float(rows))
      let (column, row) = (Int(cell.x.rounded(.down)), Int(cell.y.rounded(.down)))
      let inside = cell - Place(Float(column), Float(row)) - 0.5
      let index = row * columns + column
      guard (0..<columns).contains(column), (0..<rows).contains(row), max(abs(inside.x), abs(inside.y)) < part / 2,
        surfaces.indices.contains(index)
      else { return point.paint(frame) }
      point.paint(surfaces[index])
    case .writing(let paper, let ink, let texture):
      point.paint(paper)
      point.second = Int32(ink)
      point.mix = Self.isInk(shape.local(place), texture) ? 1 : 0
    case .printed(let paper, let ink, let print):
      point.paint(paper)
      point.second = Int32(ink)
      point.mix = print.coverage(shape.local(place))
    }
  }

  /// The corners of a patch, clockwise from the top left.
  func patchCorners(_ index: Int) -> [Place] {
    guard case .patches(let columns, let rows, _, let part, _) = paint, columns > 0 else { return [] }
    let margin = (1 - part) / Float(columns)
    return [Place(-1, -1), Place(1, -1), Place(1, 1), Place(-1, 1)].map { corner in
      let cell = Place(Float(index % columns), Float(index / columns)) + 0.5 + corner * (part / 2)
      return shape.place((cell / Place(Float(columns), Float(rows)) * (1 - margin) + margin / 2) * 2 - 1)
    }
  }

  /// Strokes of chance in words and lines: not to be read, but with the edges of letters.
  private static func isInk(_ local: Place, _ texture: Texture) -> Bool {
    let (line, column) = ((local.y * 0.5 + 0.5) * 14, (local.x * 0.5 + 0.5) * 44)
    let (row, letter) = (Int32(line), Int32(column))
    guard row > 0, row < 13, letter > 2, letter < 41 else { return false }
    // Spaces between words, short last lines.
    guard texture.chance(letter, row) > 0.16, row % 5 != 4 || letter < 22 else { return false }
    let cell = Place(column - Float(letter), line - Float(row))
    guard cell.y > 0.2, cell.y < 0.75, cell.x > 0.08, cell.x < 0.85 else { return false }
    let (sx, sy) = (Int32(cell.x * 4), Int32((cell.y - 0.2) * 8))
    return texture.chance(letter &* 16 &+ sx, row &* 16 &+ sy) > 0.5
  }
}
