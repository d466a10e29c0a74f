import CGEGL
import Raster

extension Rectangle {
  /// A rectangle of GEGL's.
  public init(_ area: GeglRectangle) {
    self.init(x: Int(area.x), y: Int(area.y), width: Int(area.width), height: Int(area.height))
  }

  /// Whether this is GEGL's mark for a picture without bounds, such as a plain colour's.
  public var isInfinite: Bool {
    let area = GeglRectangle(self)
    return withUnsafePointer(to: area) { cgegl_rectangle_is_infinite($0) != 0 }
  }
}

extension GeglRectangle {
  /// The rectangle as GEGL takes it; places beyond 32 bits are moved to the nearest that fits.
  public init(_ rectangle: Rectangle) {
    self.init(
      x: gint(clamping: rectangle.x), y: gint(clamping: rectangle.y),
      width: gint(clamping: rectangle.width), height: gint(clamping: rectangle.height))
  }
}
