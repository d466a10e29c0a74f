import CGimp
import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc

/// The GIMP plug-in: a program that GIMP starts, first to ask for its procedures, then each time one is called.
@main enum PlugIn {
  static func main() {
    var info = GimpPlugInInfo(
      init_proc: nil, quit_proc: nil, query_proc: { for procedure in Procedure.allCases { procedure.install() } },
      run_proc: { name, count, parameters, resultCount, results in
        // Not before: libgimp has configured GEGL only now.
        Library.start { register(constantColorOperations) }
        let call = Call(name, parameters, count: Int(count))
        let values = call.run()
        // Kept: libgimp reads them when this function has returned.
        let memory = UnsafeMutablePointer<GimpParam>.allocate(capacity: values.count)
        memory.initialize(from: values, count: values.count)
        resultCount?.pointee = gint(values.count)
        results?.pointee = memory
      })
    exit(gimp_main(&info, CommandLine.argc, CommandLine.unsafeArgv))
  }
}
