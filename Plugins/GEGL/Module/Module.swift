import CGEGL
import ConstantColorOperations
import GEGLOperation

// The two functions by which GEGL knows a plug-in; everything else stays inside the library.

nonisolated(unsafe) private var information = GeglModuleInfo(abi_version: guint32(GEGL_MODULE_ABI_VERSION))

/// GEGL's question for which version of its interface this plug-in was made.
///
/// GEGL copies what the pointer shows.
@c(gegl_module_query)
public func moduleQuery(_ module: UnsafeMutablePointer<GTypeModule>?) -> UnsafePointer<GeglModuleInfo>? {
  withUnsafePointer(to: &information) { $0 }
}

/// GEGL's call to register the plug-in's operations: made twice for each plug-in.
@c(gegl_module_register)
public func moduleRegister(_ module: UnsafeMutablePointer<GTypeModule>?) -> gboolean {
  register(constantColorOperations, with: module)
  return 1
}
