import CGEGL

/// Hands operations to GEGL.
///
/// With a module (in a plug-in) their types belong to it, and the call may be repeated, since GEGL
/// opens every plug-in twice. Without one (in a program, before `gegl_init`) they are static.
/// Where a program has already registered a static type of the same name, a plug-in's steps aside
/// in silence, so that a program always runs the operations it was built with. So does the second of
/// two copies of a plug-in that lie in two of GEGL's folders.
public func register(_ operations: [any Operation.Type], with module: UnsafeMutablePointer<GTypeModule>? = nil) {
  for operation in operations {
    guard let type = OperationType(operation) else { continue }
    let known = g_type_from_name(type.typeName)
    if known != 0,
      module == nil || g_type_get_plugin(known).map({ UnsafeRawPointer($0) }) != module.map({ UnsafeRawPointer($0) })
    {
      continue
    }

    var parent = GTypeQuery()
    g_type_query(type.kind.parent, &parent)
    var info = GTypeInfo()
    info.class_size = guint16(clamping: parent.class_size)
    info.instance_size = guint16(clamping: parent.instance_size)
    info.class_init = { initializeClass($0, $1) }
    info.class_data = UnsafeRawPointer(Unmanaged.passRetained(type).toOpaque())
    info.instance_init = { object, klass in
      guard let object, let klass else { return }
      OperationType.of(cgegl_type_of_class(klass))?.attachInstance(to: object.rebound())
    }
    if let module {
      _ = gegl_module_register_type(module, type.kind.parent, type.typeName, &info, GTypeFlags(rawValue: 0))
    } else {
      _ = g_type_register_static(type.kind.parent, type.typeName, &info, GTypeFlags(rawValue: 0))
    }
  }
}

extension UnsafeMutablePointer {
  /// The same object as its base class sees it: GObject's cast.
  func rebound<Base>(to type: Base.Type = Base.self) -> UnsafeMutablePointer<Base> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Base.self)
  }
}
