import ColorScience
import GEGL
import JSONValue
import Photo
import Simulation
import TestSupport
import Testing

@Suite("Truth", .serialized) struct TruthTests {
  private let folder: TemporaryFolder

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  private func file(_ name: String) -> String { "\(folder.path)/\(name)" }

  @Test("Each region has its own bit, as the masks of sets have")
  func regions() {
    #expect(Region.names.map(\.region.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128])
  }

  private var pair: PairTruth {
    let light = PairTruth.Light(lux: 200, spectrum: "4500:green", x: 0.36, y: 0.37, cct: 4500, duv: 0.01)
    var second = light
    second.spectrum = "FL11"
    (second.cct, second.duv) = (nil, nil)
    let patch = PairTruth.Patch(
      name: "dark skin", kind: .colorChecker, centre: SIMD2(10.5, 20),
      polygon: [SIMD2(5, 15), SIMD2(16, 15), SIMD2(16, 25)],
      falloff: 0.75, xyz: XYZ(0.11, 0.1, 0.07))
    return PairTruth(
      id: "E0200_T4500_green", width: 64, height: 48, homography: [1, 0.01, 2.5, -0.01, 1, -1.5, 0, 1e-6, 1],
      shake: "small", orientation: 6, exposureRatio: 0.49, ambient: light, secondAmbient: second, flash: light,
      shadowDepth: 0.6, scene: "scene.npz", mask: "mask.png", black: 256, white: 4095, patches: [patch])
  }

  @Test("A pair's truth reads back as it was written")
  func pairs() throws {
    try pair.write(to: file("a.json"))
    #expect(try PairTruth(reading: file("a.json")) == pair)
    var dark = pair
    (dark.ambient, dark.secondAmbient, dark.shadowDepth) = (nil, nil, nil)
    try dark.write(to: file("b.json"))
    #expect(try PairTruth(reading: file("b.json")) == dark)
  }

  @Test("A truth that makes no sense is refused in one line that names the member")
  func badPairs() throws {
    let good = pair.json.text()
    let changes = [
      ("\"E0200_T4500_green\"", "\"../up\"", "id"), ("\"scene.npz\"", "\"/etc/passwd\"", "scene"),
      ("\"size\": [64, 48]", "\"size\": [64, 1e300]", "size"), ("\"size\": [64, 48]", "\"size\": [0, 0]", "size"),
      ("1.0, 0.01, 2.5", "1.0, 0.01", "H_flash_to_ambient"), ("\"colorchecker\"", "\"other\"", "kind"),
      ("\"orientation\": 6", "\"orientation\": 9", "orientation"), ("[16.0, 25.0]", "[1e99, 0]", "polygon"),
      ("\"black\": 256", "\"black\": -1", "black"), ("0.49", "0", "exposure_ratio"),
    ]
    for (old, new, member) in changes {
      let parts = good.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
      try #require(parts.count == 2, "\(old)")
      try ByteFile.write(Array("\(parts[0])\(new)\(parts[1])".utf8), to: file("bad.json"))
      let error = #expect(throws: PhotoError.self) { try PairTruth(reading: file("bad.json")) }
      #expect(error?.message.contains(member) == true, "\(error?.message ?? "")")
    }
  }

  private func scene() -> SceneTruth {
    var scene = SceneTruth(width: 20, height: 16)
    for index in 0..<320 {
      let value = Float(index) / 256
      scene.reflectance[index] = SIMD3(value, 0.5, -value)
      scene.lit[index] = SIMD3(value / 2, 1 / 3, 65504)
      (scene.falloff[index], scene.shadow[index], scene.ambient[index]) = (value, 1 - value, 0x1p-20)
    }
    return scene
  }

  @Test("A scene reads back to the precision of halves")
  func scenes() throws {
    let written = scene()
    try written.write(to: file("s.npz"), regions: .init(repeating: [.far, .wall], count: 320))
    let read = try SceneTruth(reading: file("s.npz"))
    #expect(read.width == 20 && read.height == 16)
    // Multiples of 1/256 below 2 are halves.
    #expect(read.reflectance == written.reflectance && read.falloff == written.falloff && read.shadow == written.shadow)
    #expect(read.ambient == written.ambient)
    #expect(read.lit.allSatisfy { abs($0.y - 1 / 3) < 1e-4 && $0.z == 65504 })
  }

  private var hasNumPy: Bool { (try? Command(["python3", "-c", "import numpy"]))?.status == 0 }

  @Test("NumPy reads scenes, and scenes of NumPy's are read, packed and not, in all precisions")
  func numPy() throws {
    guard hasNumPy else { return }
    try scene().write(to: file("s.npz"), regions: .init(repeating: [.far, .wall], count: 320))
    let program = """
      import sys, numpy as np
      z = np.load(sys.argv[1])
      assert sorted(z.files) == ['amb', 'fall', 'flags', 'lit', 'refl', 'shadow'], z.files
      assert z['refl'].shape == (16, 20, 3) and z['refl'].dtype == np.float16
      assert z['flags'].dtype == np.uint8 and (z['flags'] == 132).all()
      i = np.arange(320).reshape(16, 20) / 256
      assert (z['refl'][..., 0] == i).all() and (z['fall'] == i).all() and (z['amb'] == 2 ** -20).all()
      assert (z['lit'][..., 1] == np.float16(1 / 3)).all()
      for name, kind, save in (('a', '<f8', np.savez), ('b', '<f4', np.savez_compressed), ('c', '<f2', np.savez)):
          save(sys.argv[2] + name + '.npz', **{k: z[k].astype(kind) for k in z.files})
      np.savez(sys.argv[2] + 'big.npz', **{k: z[k].astype('>f4') for k in z.files})
      np.savez(sys.argv[2] + 'fortran.npz', **{k: np.asfortranarray(z[k]) for k in z.files})
      """
    let run = try Command(["python3", "-c", program, file("s.npz"), folder.path + "/"])
    try #require(run.status == 0, "\(run.errors)")
    let ours = try SceneTruth(reading: file("s.npz"))
    for name in ["a", "b", "c"] {
      let theirs = try SceneTruth(reading: file(name + ".npz"))
      #expect(theirs.lit == ours.lit && theirs.reflectance == ours.reflectance && theirs.shadow == ours.shadow)
    }
    for name in ["big", "fortran"] { #expect(throws: PhotoError.self) { try SceneTruth(reading: file(name + ".npz")) } }
  }

  @Test("Damaged scenes are refused in one line, wherever the damage is")
  func damagedScenes() throws {
    try scene().write(to: file("s.npz"), regions: .init(repeating: [], count: 320))
    let good = try ByteFile.read(file("s.npz"), as: "a scene", atMost: 1 << 20)
    for length in stride(from: 1, to: good.count, by: 97) {
      try ByteFile.write(Array(good.prefix(length)), to: file("cut.npz"))
      #expect(throws: PhotoError.self) { try SceneTruth(reading: file("cut.npz")) }
    }
    for place in stride(from: 0, to: good.count, by: 31) {
      var bytes = good
      bytes[place] ^= 0xFF
      try ByteFile.write(bytes, to: file("flipped.npz"))
      // Times and attributes may be anything; what is read without an error is what was written.
      if let read = try? SceneTruth(reading: file("flipped.npz")) { #expect(read.lit.count == 320) }
    }
  }

  @Test("A mask reads back as it was written, and one of another size or kind is refused")
  func masks() throws {
    let regions = (0..<64 * 48).map { Region(rawValue: UInt8($0 % 256)) }
    try RegionMask.write(regions, width: 64, height: 48, to: file("m.png"))
    #expect(try RegionMask.read(file("m.png"), width: 64, height: 48) == regions)
    #expect(throws: PhotoError.self) { try RegionMask.read(file("m.png"), width: 48, height: 64) }
    let layout = PictureLayout(width: 64, height: 48, channels: 3, sample: .uint8)
    try PictureDestination(file("rgb.png")).write(layout) { _, _ in }
    #expect(throws: PhotoError.self) { try RegionMask.read(file("rgb.png"), width: 64, height: 48) }
  }

  @Test("A set reads back as it was written")
  func sets() throws {
    let run = try Command(["mkdir", file("inputs"), file("truth")])
    try #require(run.status == 0)
    let shots = SimulationSet.Pair(id: "calibration", flash: "c_flash.dng", ambient: "c_ambient.dng")
    let corners = [SIMD2(1.5, 2), SIMD2(50, 2), SIMD2(50, 40), SIMD2(1, 40.25)]
    var set = SimulationSet(
      folder: folder.path, pairs: [.init(id: "E1", flash: "E1_flash.dng", ambient: "E1_ambient.dng")],
      calibration: .init(pair: shots, corners: corners), width: 64, height: 48,
      description: [JSON.Member("flash", "LED-B4"), JSON.Member("config", ["seed": .integer(1)])])
    try set.write()
    var read = try SimulationSet(reading: folder.path)
    let known = ["flash", "config"]
    read.description = read.description.filter { known.contains($0.key) }
    // The JSON reader sorts nothing; the set's own members follow those of its maker.
    #expect(read == set)
    set.calibration = nil
    try set.write()
    #expect(try SimulationSet(reading: folder.path).calibration == nil)
  }
}
