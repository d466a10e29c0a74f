import GEGLOperation

extension Words {
  /// The same with the place in the menus of GIMP 3: beside the other steps.
  var inGIMPFilters: Words {
    var words = self
    words.keys["gimp:menu-path"] = "<Image>/Filters/Constant Color"
    words.keys["gimp:menu-label"] = title + "..."
    return words
  }
}

/// The operations of this project, as `register` takes them.
public let constantColorOperations: [any GEGLOperation.Operation.Type] = [
  LoadRaw.self, Align.self, AverageAmbient.self, MatchExposure.self, SubtractAmbient.self, EstimateFlashOnly.self,
  FlatFieldOperation.self, AdaptToD65.self, ConfidenceOperation.self, ReflectanceCheckOperation.self,
  WhiteBalanceAmbient.self, AmbientLookOperation.self, RenderOutput.self,
  MarkLowConfidence.self, EvenPaper.self, WhiteBackground.self,
  Develop.self,
]
