import ColorScience
import ConstantColorOperations
import GEGL
import GEGLOperation
import Photo

/// A single photograph as its camera shows it: with the white balance that the camera chose, in an output space.
public struct StandardPicture {
  /// The photograph.
  public let picture: LoadedPicture
  /// The picture before and after it is rendered into the output space.
  public let developed, rendered: Node

  /// Loads a photograph and wires the steps. Of the settings, space, exposure and linearity count; automatic exposure leaves a
  /// developed picture as bright as it is. Throws ``InputError`` for a file that cannot be used.
  public init(_ path: String, _ settings: DevelopmentSettings) throws {
    do { picture = try PictureLoader.load(path, linear: settings.isLinear) } catch { throw InputError(error) }
    let isCameraRGB = settings.isLinear || picture.isCameraRGB
    let graph = try Graph()
    developed = try graph.add(
      "constant-color:adapt-to-d65", ["input-colour": .choice(isCameraRGB ? "camera" : "encoded")])
    rendered = try graph.add("constant-color:render-output", ["space": .choice(settings.space.identifier)])
    try developed.connect(from: graph.add(picture.buffer))
    try rendered.connect(from: developed)
    if let model = picture.isCameraRGB ? picture.cameraModel : nil,
      let matrix = picture.asShotNeutral(model).flatMap({ model.toD65(neutral: $0) })
    {
      try developed.set("matrix", .string(matrix.rowMajor.map { "\($0)" }.joined(separator: " ")))
    }
    if case .auto = settings.exposure, isCameraRGB { return }
    try rendered.set("exposure", "fixed")
    if case .stops(let stops) = settings.exposure { try rendered.set("exposure-gain", .double(stops)) }
  }
}

extension LoadedPicture {
  /// Camera RGB of white by the white balance that the camera chose; nil where the file does not tell.
  public func asShotNeutral(_ model: CameraColorModel) -> SIMD3<Double>? {
    let tags = metadata.dng
    return tags?.asShotNeutral ?? tags?.asShotWhite.flatMap { model.neutral(of: $0) } ?? raw?.asShotNeutral
  }
}
