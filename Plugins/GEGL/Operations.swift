import GEGLOperation

/// The operations of this project, as `register` takes them.
public let constantColorOperations: [any GEGLOperation.Operation.Type] = [
  LoadRaw.self, Align.self, AverageAmbient.self, MatchExposure.self, SubtractAmbient.self, EstimateFlashOnly.self,
  FlatFieldOperation.self, AdaptToD65.self, ConfidenceOperation.self, ReflectanceCheckOperation.self,
  WhiteBalanceAmbient.self, AmbientLookOperation.self, RenderOutput.self,
  MarkLowConfidence.self, EvenPaper.self, WhiteBackground.self,
  Develop.self,
]
