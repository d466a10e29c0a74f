import ConstantColor
import Development
import Photo
import Raster
import Simulation
import Validation

/// Measures the pictures of one pair against its truth.
struct PairJudge {
  let truth: PairTruth
  let regions: [Region]
  let reference: SceneReference
  let execution: Execution
  /// The patches' pixels in the flash frame.
  let areas: [PatchArea]
  private let wellLit: [Bool]

  init(truth: PairTruth, regions: [Region], reference: SceneReference, execution: Execution) {
    (self.truth, self.regions) = (truth, regions)
    (self.reference, self.execution) = (reference, execution)
    areas = truth.patches.map { PatchArea($0, width: truth.width, height: truth.height) }
    wellLit = PicturePart.wellLit.pixels(regions, reference)
  }

  /// A picture in the geometry of the flash frame.
  ///
  /// - Parameter errors: the colour error of each pixel, where that is known already.
  func shown(_ picture: XYZPicture, errors: [Float]? = nil) -> PairMeasurement.Shown {
    pixels(picture, PatchMeasurement(truth.patches, shown: areas.map { $0.mean(of: picture) }), errors)
  }

  /// A picture in the geometry of the ambient frame: patches are looked up there, pixels brought over, by the true
  /// homography.
  func shown(ambient picture: XYZPicture) throws -> PairMeasurement.Shown {
    guard let map = Homography(truth.homography) else {
      throw InputError("its true homography leads nowhere; make the set again")
    }
    let patches = truth.patches.map { patch in
      PatchArea(patch, by: map, width: picture.width, height: picture.height).mean(of: picture)
    }
    let warped = picture.warped(by: map, width: truth.width, height: truth.height)
    return pixels(warped, PatchMeasurement(truth.patches, shown: patches), nil)
  }

  private func pixels(_ picture: XYZPicture, _ patches: PatchMeasurement, _ errors: [Float]?) -> PairMeasurement.Shown {
    var shown = PairMeasurement.Shown(patches: patches)
    let errors = errors ?? PixelErrors.measure(picture, reference, where: wellLit, execution: execution)
    shown.wellLitError = mean(errors, where: wellLit)
    if truth.shadowDepth != nil { shown.shadowLeft = ShadowEdge.left(in: picture, regions, reference) }
    shown.farWildShare = WildPixels.share(of: picture, scale: patches.scale, regions, reference)
    return shown
  }
}
