import Photo

/// The file of a scene: a NumPy archive (.npz) of arrays, rows of pixels.
extension SceneTruth {
  /// Larger files are no scenes.
  private static let largestFile = 1 << 31

  /// Reads a file with the members refl and lit (height × width × 3) and fall, shadow and amb (height × width), of
  /// halves, floats or doubles. Throws `PhotoError`.
  public init(reading path: String) throws {
    let bytes = try ByteFile.read(path, as: "a scene's truth (.npz)", atMost: Self.largestFile)
    do {
      let archive = try ZipArchive(bytes)
      func array(_ name: String) throws(ArrayError) -> NumPyArray {
        let member = try archive.member(name + ".npy")
        do { return try NumPyArray(member) } catch { throw ArrayError("its member '\(name)' \(error)") }
      }
      let lit = try array("lit")
      guard lit.shape.count == 3, lit.shape[2] == 3, lit.count > 0 else {
        throw ArrayError("its member 'lit' is not height × width × 3")
      }
      self.init(width: lit.shape[1], height: lit.shape[0])
      let size = [height, width]
      func colors(_ array: NumPyArray, _ name: String) throws(ArrayError) -> [SIMD3<Float>] {
        guard array.shape == size + [3] else { throw ArrayError("its member '\(name)' is of another size than 'lit'") }
        let floats = array.floats
        return (0..<floats.count / 3).map { SIMD3(floats[3 * $0], floats[3 * $0 + 1], floats[3 * $0 + 2]) }
      }
      func plane(_ name: String) throws(ArrayError) -> [Float] {
        let array = try array(name)
        guard array.shape == size else { throw ArrayError("its member '\(name)' is of another size than 'lit'") }
        return array.floats
      }
      self.lit = try colors(lit, "lit")
      reflectance = try colors(array("refl"), "refl")
      falloff = try plane("fall")
      shadow = try plane("shadow")
      ambient = try plane("amb")
    } catch let error as ArrayError { throw PhotoError(path, "\(error); make the set again") }
  }

  /// Writes the file: the same members, as halves, packed; and the scene's own regions (flags). Throws `PhotoError`.
  ///
  /// - Parameter regions: a byte a pixel: what holds for the scene, whatever the exposures.
  public func write(to path: String, regions: [Region]) throws {
    let count = width * height
    guard count > 0, reflectance.count == count, lit.count == count, falloff.count == count, shadow.count == count,
      ambient.count == count, regions.count == count
    else { throw PhotoError(path, "the scene has not as many values as pixels") }
    func colors(_ values: [SIMD3<Float>]) -> [UInt8] {
      NumPyArray.file(values.flatMap { [$0.x, $0.y, $0.z] }, shape: [height, width, 3])
    }
    func plane(_ values: [Float]) -> [UInt8] { NumPyArray.file(values, shape: [height, width]) }
    do {
      let archive = try ZipArchive.file([
        ("refl.npy", colors(reflectance)), ("lit.npy", colors(lit)), ("fall.npy", plane(falloff)),
        ("shadow.npy", plane(shadow)), ("amb.npy", plane(ambient)),
        ("flags.npy", NumPyArray.file(regions.map(\.rawValue), shape: [height, width])),
      ])
      try ByteFile.write(archive, to: path)
    } catch let error as ArrayError { throw PhotoError(path, "\(error)") }
  }
}
