import CGEGL
import GEGL
import Raster

/// The Swift side of one GEGL operation object: its properties, and the prepared copy that works.
///
/// Its subclasses are generic over the operation; GObject's callbacks, which cannot be, reach the
/// operation through this class.
class Instance: @unchecked Sendable {
  private let lock = Lock()
  private var said: [String] = []
  private var changes: Set<Int> = []
  private var padBounds: [String: Rectangle] = [:]
  fileprivate(set) var storages: [AnyPropertyStorage] = []

  fileprivate init() {}

  // MARK: properties; identifiers count from 1

  func load(_ id: Int, into target: UnsafeMutablePointer<GValue>) {
    guard storages.indices.contains(id - 1) else { return }
    storages[id - 1].load(into: target)
  }

  /// Takes a value, and remembers where it is a new one.
  func take(_ id: Int, _ value: UnsafePointer<GValue>) {
    guard storages.indices.contains(id - 1), storages[id - 1].take(value) else { return }
    locked { _ = changes.insert(id) }
  }

  /// Whether a property has a new value of which nobody was told yet; from now on it counts as told.
  func isChangeToTell(_ id: Int) -> Bool { locked { changes.remove(id) != nil } }

  // MARK: where the pads' pictures were when GEGL last asked, on its main thread

  func keep(_ bounds: Rectangle?, of pad: String) { locked { padBounds[pad] = bounds } }
  /// All but those of the input, which an invalidation may still ask for.
  func forgetBounds() { locked { padBounds = padBounds.filter { $0.key == "input" } } }
  func keptBounds(of pad: String) -> Rectangle? { locked { padBounds[pad] } }

  // MARK: what the kinds of operations do

  func prepare(_ preparation: inout Preparation) {}
  var reach: Reach { .margin(0) }
  func bounds() -> Rectangle { Rectangle(width: 0, height: 0) }
  func process(_ input: Pixels, _ aux: Pixels?, _ aux2: Pixels?, into output: MutablePixels, area: Rectangle) {}
  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {}
  func attach(to graph: Graph) {}
  func update() {}

  /// Says what is new of the warnings; the same one twice in a row is said once.
  fileprivate func say(_ warnings: [String], name: String) {
    let new = locked { () -> [String] in
      defer { said = warnings }
      return warnings == said ? [] : warnings
    }
    for sentence in new { cgegl_warning("\(name): \(sentence)") }
  }

  fileprivate func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}

/// An instance of a certain operation.
class OperationInstance<Op: Operation>: Instance, @unchecked Sendable {
  /// The operation whose properties the host sets.
  let operation: Op
  private var prepared: Op?

  required override init() {
    operation = Op()
    super.init()
    storages = GEGLOperation.storages(of: operation)
  }

  /// The copy that processes: with the properties of when it was prepared.
  var current: Op {
    locked { prepared } ?? operation
  }

  /// A copy with the properties as they are now.
  func snapshot() -> Op {
    let copy = Op()
    for (mine, theirs) in zip(GEGLOperation.storages(of: copy), storages) { mine.take(theirs) }
    return copy
  }

  override func prepare(_ preparation: inout Preparation) {
    var copy = snapshot()
    copy.prepare(&preparation)
    locked { prepared = copy }
    say(preparation.warnings, name: Op.name)
  }
}

final class PointFilterInstance<Op: PointFilter>: OperationInstance<Op>, @unchecked Sendable {
  override func process(
    _ input: Pixels, _ aux: Pixels?, _ aux2: Pixels?, into output: MutablePixels, area: Rectangle
  ) {
    current.process(input, into: output, area: area)
  }
}

final class PointComposerInstance<Op: PointComposer>: OperationInstance<Op>, @unchecked Sendable {
  override func process(
    _ input: Pixels, _ aux: Pixels?, _ aux2: Pixels?, into output: MutablePixels, area: Rectangle
  ) {
    current.process(input, aux, into: output, area: area)
  }
}

final class PointComposer3Instance<Op: PointComposer3>: OperationInstance<Op>, @unchecked Sendable {
  override func process(
    _ input: Pixels, _ aux: Pixels?, _ aux2: Pixels?, into output: MutablePixels, area: Rectangle
  ) {
    current.process(input, aux, aux2, into: output, area: area)
  }
}

final class AreaInstance<Op: AreaOperation>: OperationInstance<Op>, @unchecked Sendable {
  override var reach: Reach { current.reach }
  override func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    current.process(inputs, into: output, area: area, run: run)
  }
}

final class SourceInstance<Op: Source>: OperationInstance<Op>, @unchecked Sendable {
  override func bounds() -> Rectangle { snapshot().bounds() }
  override func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    current.process(into: output, area: area, run: run)
  }
}

final class MetaInstance<Op: MetaOperation>: OperationInstance<Op>, @unchecked Sendable {
  private var nodes: Op.Nodes?

  override func attach(to graph: Graph) {
    do {
      nodes = try Op.attach(to: graph)
      update()
    } catch {
      say(["\(error)"], name: Op.name)
    }
  }

  override func update() {
    guard let nodes else { return }
    do {
      try operation.update(nodes)
      say([], name: Op.name)
    } catch {
      say(["\(error)"], name: Op.name)
    }
  }

  override func load(_ id: Int, into target: UnsafeMutablePointer<GValue>) {
    guard let nodes, storages.indices.contains(id - 1), storages[id - 1].isResult,
      let found = operation.found(storages[id - 1].name, in: nodes)
    else { return super.load(id, into: target) }
    switch found {
    case .double(let number): g_value_set_double(target, number)
    case .string(let text): g_value_set_string(target, text)
    default: super.load(id, into: target)
    }
  }
}
