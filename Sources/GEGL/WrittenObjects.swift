import CGEGL

// Properties that are objects, and have a written form all the same: colours, curves, paths, formats.

extension PropertyDescription.Kind {
  /// Whether its values are objects that are written as texts.
  var isWrittenObject: Bool {
    switch self {
    case .color, .curve, .vectorPath, .format: true
    default: false
    }
  }
}

extension PropertyDescription {
  /// Whether a text describes a value, where values are written objects; true for other kinds.
  public func accepts(written text: String) -> Bool {
    let type: GType
    switch kind {
    case .color: type = cgegl_type_color()
    case .curve: type = cgegl_type_curve()
    case .vectorPath: type = cgegl_type_path()
    case .format: type = cgegl_type_pointer()
    default: return true
    }
    return Messages.capture(exclusively: true) { withGValue(type) { storeObject(text, kind, in: $0) } }.result
  }
}

/// The written form of an object; nil where it has none.
func objectText(_ value: UnsafePointer<GValue>) -> String? {
  let type = value.pointee.g_type
  if type == cgegl_type_color() {
    guard let object = g_value_get_object(value) else { return "" }
    var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
    gegl_color_get_rgba(
      UnsafeMutablePointer<GeglColor>(OpaquePointer(object)), &red, &green, &blue, &alpha)
    let numbers = [red, green, blue, alpha].map { "\(Float($0))" }
    return "rgba(\(numbers.joined(separator: ", ")))"
  }
  if type == cgegl_type_curve() {
    guard let object = g_value_get_object(value) else { return "" }
    let curve = UnsafeMutablePointer<GeglCurve>(OpaquePointer(object))
    return (0..<gegl_curve_num_points(curve)).map { index in
      var (x, y) = (0.0, 0.0)
      gegl_curve_get_point(curve, index, &x, &y)
      return "\(x),\(y)"
    }.joined(separator: " ")
  }
  if type == cgegl_type_path() {
    guard let object = g_value_get_object(value) else { return "" }
    guard let text = gegl_path_to_string(UnsafeMutablePointer<GeglPath>(OpaquePointer(object))) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
  return nil
}

/// Makes the object that a text describes, and stores it; false where it describes none.
func storeObject(_ text: String, _ kind: PropertyDescription.Kind, in target: UnsafeMutablePointer<GValue>) -> Bool {
  switch kind {
  case .color:
    // GEGL says only in a message that a colour makes no sense.
    let (color, messages) = Messages.capture(exclusively: true) { gegl_color_new(text) }
    guard let color else { return false }
    g_value_take_object(target, UnsafeMutableRawPointer(color))
    return messages.isEmpty
  case .curve:
    let points = text.split(separator: " ").map { $0.split(separator: ",").compactMap { Double($0) } }
    guard points.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isFinite) }), !points.isEmpty,
      let curve = gegl_curve_new(0, 1)
    else { return false }
    for point in points { _ = gegl_curve_add_point(curve, point[0], point[1]) }
    g_value_take_object(target, UnsafeMutableRawPointer(curve))
    return true
  case .vectorPath:
    guard text.unicodeScalars.allSatisfy({ $0.isASCII }), let path = gegl_path_new_from_string(text) else {
      return false
    }
    g_value_take_object(target, UnsafeMutableRawPointer(path))
    return true
  case .format:
    guard let format = try? PixelFormat(text) else { return false }
    g_value_set_pointer(target, UnsafeMutableRawPointer(mutating: UnsafeRawPointer(format.babl)))
    return true
  default: return false
  }
}
