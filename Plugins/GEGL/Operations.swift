import GEGLOperation

/// The operations of this project, as `register` takes them.
public nonisolated(unsafe) let constantColorOperations: [any GEGLOperation.Operation.Type] = [
  SubtractAmbient.self,
]
