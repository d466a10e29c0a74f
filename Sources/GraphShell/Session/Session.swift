import GEGL
import JSONValue
import Photo
import Raster

/// A session of the graph shell: a graph, variables, and the statements that change them.
///
/// Used by one thread at a time. GEGL must have been started.
public final class Session {
  /// What undo goes back to.
  struct State: Equatable {
    var document = GraphDocument()
    var variables: [String: Value] = [:]
    /// How many unnamed nodes were made.
    var unnamed = 0
  }

  /// A state, and the statement that ended it.
  struct Step {
    var state: State
    var statement: String
  }

  /// The program around it.
  public var environment: SessionEnvironment
  let book = OperationBook()
  private(set) var state = State()
  private(set) var live: LiveGraph
  private(set) var undone: [Step] = []
  private(set) var done: [Step] = []
  /// The statements that ran, the oldest first.
  private(set) var statements: [String] = []
  var options = SessionOptions()
  var results = KeptResults()
  /// Files that GEGL's own loaders can read, as they were then.
  var checkedFiles: [String: FileStamp] = [:]
  /// How deep `source` is nested.
  var sourceDepth = 0
  /// The statement that runs.
  private var current = ""

  /// A session without nodes.
  public init(_ environment: SessionEnvironment = SessionEnvironment()) throws {
    self.environment = environment
    live = try LiveGraph(book)
    FragileOperations.prepared
  }

  /// The nodes, as statements.
  public var document: GraphDocument { state.document }

  /// The variables.
  public var variables: [String: Value] { state.variables }

  /// Sets a variable, as `name=value` on the command line does. Throws a sentence where the name is none.
  public func setVariable(_ name: String, _ text: String) throws {
    guard Name.isValid(name), !name.contains("~") else { throw GEGLError("'\(name)' is no name for a variable") }
    state.variables[name] = PropertyText.literal(text)
  }

  // MARK: running

  /// Runs one statement.
  ///
  /// - Parameters:
  ///   - script: the name under which errors are reported.
  ///   - line: the line of the script on which the statement begins, from 1.
  /// - Throws: ``ScriptError``, ``SessionEnd``, or `RenderingCancelled` where it was stopped.
  public func run(_ statement: String, script: String, line: Int) throws {
    do {
      try run(statement)
    } catch let problem as Diagnostic {
      throw ScriptError(problem, of: statement, script: script, line: line)
    } catch let error as ScriptError { throw error } catch let error as SessionEnd {
      throw error
    } catch is RenderingCancelled {
      environment.recover()
      throw RenderingCancelled()
    } catch {
      throw ScriptError(Diagnostic(0, "\(error)"), of: statement, script: script, line: line)
    }
  }

  private func run(_ text: String) throws {
    guard text.utf8.count <= 1 << 20 else { throw Diagnostic(0, "the statement is too long") }
    let statement = try Parser.parse(text, context)
    if statement == .empty { return }
    // History commands do not count as what they speak of.
    current = text
    statements.append(text)
    if statements.count > Self.mostStatements { statements.removeFirst(Self.mostStatements / 10) }
    let clock = ContinuousClock()
    let start = clock.now
    let (_, messages) = try Messages.capture { try execute(statement) }
    if environment.execution.cancellation.isCancelled { throw RenderingCancelled() }
    if let message = messages.first(where: { !isHarmless($0) }) { throw Diagnostic(0, words(message)) }
    if options.timing { environment.note("took \(Format.short((clock.now - start).seconds, digits: 3)) s") }
  }

  private var context: Parser.Context {
    Parser.Context(
      commands: CommandTable.names, expressionCommands: CommandTable.expressionNames,
      nodes: Set(document.names), functions: Measurements.names, variables: variables)
  }

  private func execute(_ statement: Statement) throws {
    switch statement {
    case .empty: break
    case .define(let name, let pipeline): try define(name, pipeline)
    case .variable(let name, let value): try assign(name, value)
    case .set(let member, let value): try set(member, value)
    case .read(let member): try read(member)
    case .show(let node): try CommandTable.run("show", [node], in: self)
    case .describe(let word): try describe(word)
    case .command(let name, let words): try CommandTable.run(name.text, words, in: self)
    case .expression(_, let text, let offset): try check(text, offset)
    case .value(let text, let offset): try printValue(of: text, offset)
    case .system(let text, let offset): try runSystem(text, offset)
    }
  }

  /// What GEGL says, as an error.
  func words(_ message: Messages.Message) -> String {
    let text = message.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return message.domain.isEmpty || message.domain == "constant-color" ? text : "\(message.domain): \(text)"
  }

  /// Messages that are about nothing the user did.
  func isHarmless(_ message: Messages.Message) -> Bool { false }

  // MARK: changing

  /// Changes the state by one step of undo. What GEGL complains about does not happen.
  func change(_ body: (inout State) throws -> Void) throws {
    var new = state
    try body(&new)
    guard new != state else { return }
    let old = state
    try apply(new.document)
    remember(old)
    state = new
  }

  /// Keeps what undo goes back to from here; what was undone before is forgotten.
  private func remember(_ old: State) {
    done.append(Step(state: old, statement: current))
    if done.count > Self.mostSteps { done.removeFirst() }
    undone = []
  }

  /// Sessions that never end must not grow for ever.
  private static let mostSteps = 1000
  private static let mostStatements = 10_000

  private func apply(_ new: GraphDocument) throws {
    guard new != document else { return }
    let changed = new.nodes.filter { $0 != document[$0.name] }
    for node in changed { try checkFile(node) }
    do {
      let (_, messages) = try Messages.capture(exclusively: true) {
        // Some loaders read their file when they are told of it.
        try changed.contains { !$0.namedFiles.isEmpty }
          ? StandardError.withoutChatter { try live.apply(new) } : live.apply(new)
      }
      // Operations that are not fed yet complain about that.
      if try changed.allSatisfy(isFed), let message = messages.first(where: { !isHarmless($0) }) {
        throw GEGLError(words(message))
      }
    } catch {
      // What was there worked; whatever it says now was said before.
      _ = Messages.capture(exclusively: true) { try? live.apply(document) }
      throw error
    }
  }

  /// Whether a node has its first input, or the file that it reads.
  private func isFed(_ node: NodeDefinition) throws -> Bool {
    let operation = try book.describe(node.operation)
    if let pad = operation.orderedInputs.first { return node.source(of: pad) != nil }
    return operation.property("path")?.kind != .path || node.setting("path") != nil
  }

  /// Renames a node without making it anew, as one step.
  func rename(_ old: String, to new: String) throws {
    var changed = state
    let steps = document.steps(of: old)
    for name in [old] + steps {
      let target = new + name.dropFirst(old.count)
      changed.document.rename(name, to: target)
      live.rename(name, to: target)
    }
    remember(state)
    state = changed
  }

  /// Goes back before the last statements that changed something; the statements. Throws where there are none.
  func undo(_ count: Int) throws -> [String] {
    try move(count, from: \.done, to: \.undone, "undo")
  }

  /// Does again what was undone; the statements. Throws where there are none.
  func redo(_ count: Int) throws -> [String] {
    try move(count, from: \.undone, to: \.done, "redo")
  }

  private func move(
    _ count: Int, from: ReferenceWritableKeyPath<Session, [Step]>, to: ReferenceWritableKeyPath<Session, [Step]>,
    _ verb: String
  ) throws -> [String] {
    guard !self[keyPath: from].isEmpty else { throw GEGLError("there is nothing to \(verb)") }
    var moved: [String] = []
    for _ in 0..<count {
      guard let step = self[keyPath: from].last else { break }
      try apply(step.state.document)
      self[keyPath: from].removeLast()
      self[keyPath: to].append(Step(state: state, statement: step.statement))
      state = step.state
      moved.append(step.statement)
    }
    return moved
  }

  /// Changes values in the graph and in all that undo remembers, such as paths when the folder changes.
  func mapSettings(_ change: (NodeDefinition, NodeDefinition.Setting) -> Value) throws {
    var new = state
    new.document.mapSettings(change)
    try apply(new.document)
    state = new
    for index in done.indices { done[index].state.document.mapSettings(change) }
    for index in undone.indices { undone[index].state.document.mapSettings(change) }
  }

  // MARK: replies

  /// Prints a result in the form that was chosen.
  func reply(_ text: @autoclosure () -> String, json: @autoclosure () -> JSON, csv: @autoclosure () -> String) {
    switch options.output {
    case .text:
      let text = text()
      if !text.isEmpty { environment.print(text) }
    case .json: environment.print(json().text(indented: false))
    case .csv: environment.print(csv())
    }
  }

  /// Prints a table; as JSON it is one object, whose key is what the rows are.
  func reply(_ table: ReplyTable, _ rows: String, json: @autoclosure () -> JSON? = nil) {
    reply(
      table.text(width: environment.width()), json: .object([JSON.Member(rows, json() ?? table.json)]), csv: table.csv)
  }
}

/// What `set` changes.
struct SessionOptions {
  var output = OutputForm.text
  var timing = false
  var space = automaticSpace

  static let automaticSpace = "auto"
  static let ownSpace = "own"
  var terminal = "auto"
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
