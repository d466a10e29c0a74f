import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc

/// Starts GEGL with this project's operations.
func startLibrary(threads: Int?, memory: UInt64) {
  Library.start(Library.Configuration(threads: threads, tileCacheBytes: memory)) { register(constantColorOperations) }
}

/// Ctrl-C, and being asked to end, stop the running kernel; what was being written does not appear.
func cancelOnInterrupt() {
  _ = Run.cancellation
  for number in [SIGINT, SIGTERM, SIGHUP] {
    signal(number) { _ in
      // The second one ends the process at once.
      if Run.cancellation.isCancelled { _exit(130) }
      Run.cancellation.cancel()
    }
  }
  // Whoever starts this program may have blocked them, which it would inherit.
  var mask = sigset_t()
  sigemptyset(&mask)
  for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&mask, number) }
  pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  // A limit on the size of files is an error of writing, not the end.
  signal(SIGXFSZ, SIG_IGN)
}
