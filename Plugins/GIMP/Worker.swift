import CGimp
import GEGL
import GEGLOperation

/// Something that is computed on a thread of its own, so that a dialog goes on living, and that can be stopped.
final class Worker {
  private let work: () throws -> Void
  private let done: (Result<Void, any Error>) -> Void
  private var result: Result<Void, any Error> = .failure(RenderingCancelled())
  private var thread: UnsafeMutablePointer<GThread>?

  /// Starts it. `done` is called by GTK's main loop, unless the work is stopped before.
  init(_ work: @escaping () throws -> Void, done: @escaping (Result<Void, any Error>) -> Void) {
    (self.work, self.done) = (work, done)
    // Held by the thread, and then by the main loop.
    let data = Unmanaged.passRetained(self).toOpaque()
    thread = g_thread_new(
      "preview",
      { data in
        guard let data else { return nil }
        let worker = Unmanaged<Worker>.fromOpaque(data).takeUnretainedValue()
        worker.result = Result { try worker.work() }
        g_idle_add(
          { data in
            if let data { Unmanaged<Worker>.fromOpaque(data).takeRetainedValue().finish() }
            return 0
          }, data)
        return nil
      }, data)
  }

  /// Stops it and waits for its end. What it was computing is void.
  func stop() {
    guard thread != nil else { return }
    Run.cancellation.cancel()
    join()
  }

  private func finish() {
    guard thread != nil else { return }
    join()
    done(result)
  }

  private func join() {
    if let thread { _ = g_thread_join(thread) }
    thread = nil
    Run.recover()
  }
}
