import ColorScience
import Raster

/// What is true of pairs.
extension Simulator {
  /// The truth of a condition's scene, pixel by pixel.
  public func truth(of condition: Condition, execution: Execution) -> SceneTruth {
    let scene = scene(condition)
    let view = SceneView(
      scene: scene, width: width, height: height, toFlashFrame: HandMotion.identity, isAmbientFrame: false,
      execution: execution)
    let d65 = LightField(scene.surfaces, flash: { XYZ(reflectance: $0, under: .d65).vector })
    var truth = SceneTruth(width: width, height: height)
    truth.reflectance = view.picture { point, _ in d65.surface(point) }.map { SIMD3($0.x, $0.y, $0.z) }
    truth.lit = view.picture { point, _ in d65.diffuseFlash(point) }.map { SIMD3($0.x, $0.y, $0.z) }
    let light = view.picture { point, _ in SIMD4(point.flash, point.shadow, point.ambient.sum(), 0) }
    truth.falloff = light.map(\.x)
    truth.shadow = light.map(\.y)
    truth.ambient = light.map(\.z)
    return truth
  }

  func truth(_ condition: Condition, _ scene: Scene, _ homography: [Double], _ ratio: Double) -> PairTruth {
    func light(_ source: Illuminant, _ lux: Double) -> PairTruth.Light {
      let white = source.chromaticity
      let temperature = white.flatMap { CorrelatedColorTemperature($0) }
      return PairTruth.Light(
        lux: lux, spectrum: source.name, x: white?.x ?? 0, y: white?.y ?? 0, cct: temperature?.kelvin,
        duv: temperature?.duv)
    }
    let frame = SceneFrame(scene, width: width, height: height)
    let name = sceneName(condition)
    var truth = PairTruth(
      id: condition.id, width: width, height: height, homography: homography, shake: condition.shake.rawValue,
      orientation: Int(orientation.rawValue), exposureRatio: ratio,
      ambient: condition.lux > 0 ? light(condition.ambient, condition.lux) : nil,
      secondAmbient: condition.second.map { light($0, condition.lux) }, flash: light(flash, flashLux),
      shadowDepth: scene.lighting.band.map { Double($0.depth) }, scene: name + ".npz", mask: condition.id + "_mask.png",
      black: camera.sensor.black, white: camera.sensor.white)
    truth.page = scene.sheet.map { sheet in
      [Place(-1, -1), Place(1, -1), Place(1, 1), Place(-1, 1)].map { frame.pixel(sheet.place($0)) }
    }
    truth.patches = scene.patches.map { patch in
      PairTruth.Patch(
        name: patch.name, kind: patch.kind, centre: frame.pixel(patch.centre), polygon: patch.corners.map(frame.pixel),
        falloff: Double(scene.point(at: patch.centre, isAmbientFrame: false).flash),
        xyz: XYZ(reflectance: scene.surfaces[patch.surface], under: .d65))
    }
    return truth
  }

  /// The regions of the flash frame's pixels. Clipping is that of the light, before noise.
  func mask(
    _ condition: Condition, _ scene: Scene, _ flash: [SIMD4<Float>], _ ambient: [SIMD4<Float>], _ homography: [Double],
    _ execution: Execution
  ) -> [Region] {
    let view = SceneView(
      scene: scene, width: width, height: height, toFlashFrame: HandMotion.identity, isAmbientFrame: false,
      execution: execution)
    func isClipped(_ light: SIMD4<Float>) -> Bool { max(light.x, light.y, light.z) >= 0.995 }
    let frame = SceneFrame(scene, width: width, height: height)
    let rows = execution.map(height, placeholder: []) { y in
      (0..<width).map { x -> Region in
        var region = view.centre(x, y).region
        if isClipped(flash[y * width + x]) { region.insert(.clippedFlash) }
        let place = HandMotion.apply(homography, Double(x), Double(y))
        let (u, v) = (Int(place.x.rounded()), Int(place.y.rounded()))
        if (0..<width).contains(u), (0..<height).contains(v), isClipped(ambient[v * width + u]) {
          region.insert(.clippedAmbient)
        }
        if scene.moving != nil, hasMoved(scene, frame.place((Double(x), Double(y)))) { region.insert(.moving) }
        return region
      }
    }
    return rows.flatMap(\.self)
  }

  /// Whether another surface is at a place in the ambient frame, or another shadow.
  private func hasMoved(_ scene: Scene, _ place: Place) -> Bool {
    let before = scene.point(at: place, isAmbientFrame: false)
    let after = scene.point(at: place, isAmbientFrame: true)
    let change = abs(before.ambient.sum() - after.ambient.sum())
    return before.first != after.first || change > 0.1 * before.ambient.sum()
  }
}
