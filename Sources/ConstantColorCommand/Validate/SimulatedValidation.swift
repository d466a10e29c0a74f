import GEGL
import GEGLOperation
import Photo
import Simulation
import Validation

/// Renders the pairs of the protocol, from a tripod and from the hand, and judges what becomes of them.
///
/// Each series is a set of its own, as `simulate` writes them and others can judge them.
final class SimulatedValidation: PairValidation {
  private let simulation: SimulationOptions
  private let options: ValidateOptions
  private let bar: ProgressBar
  private(set) var figures: ValidationFigures
  private(set) var problems: [String] = []
  private(set) var notes: [String] = []
  private(set) var samples = TermSamples()

  init(_ simulation: SimulationOptions, _ options: ValidateOptions, _ bar: ProgressBar) {
    self.simulation = simulation
    self.options = options
    self.bar = bar
    figures = ValidationFigures(version: version, settings: simulation.description, tolerance: options.tolerance)
  }

  func run() throws {
    let motions: [HandMotion] = simulation.isShakeGiven ? [simulation.shake] : [.none, .small]
    for motion in motions {
      let name = motion == .none ? "steady" : "hand-held"
      var conditions = simulation.conditions(shake: motion)
      // They tell about the confidence, and belong to hands.
      if motion != .none { conditions += Condition.extras(shake: motion) }
      try judge(conditions, name)
    }
  }

  private func judge(_ conditions: [Condition], _ name: String) throws {
    let scratch = options.keepsResults ? nil : try asInput { try ScratchFolder() }
    let folder = "\(scratch?.path ?? options.output ?? ".")/\(name)"
    let writer = SetWriter(
      simulation.simulator, conditions: conditions + [Condition.calibration()].compactMap(\.self),
      description: simulation.members)
    let bar = bar
    let set = try writer.write(to: folder, execution: Run.execution) { done, all in
      bar.show("rendering, \(name)", Double(done) / Double(max(all, 1)))
    }
    guard let set else { throw RenderingCancelled() }
    let validation = SetValidation(set, options, bar, results: options.keepsResults ? folder : nil)
    defer {
      problems += validation.problems
      notes += validation.notes
      samples.add(validation.samples)
    }
    try validation.run()
    figures.series += validation.figures.series
  }
}
