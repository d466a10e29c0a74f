import GEGL

/// One node, as a statement makes it.
public struct NodeDefinition: Equatable, Sendable {
  /// What feeds a pad.
  public struct Input: Equatable, Sendable {
    /// The pad.
    public var pad: String
    /// The node that feeds it.
    public var source: String
  }

  /// A property and its value.
  public struct Setting: Equatable, Sendable {
    /// The property.
    public var name: String
    /// Its value.
    public var value: Value
  }

  /// Its name.
  public var name: String
  /// Its operation, in full.
  public var operation: String
  /// What feeds it, in the order of its pads.
  public var inputs: [Input] = []
  /// The properties that were set, in the order in which they were.
  public var settings: [Setting] = []

  /// The node that feeds a pad.
  public func source(of pad: String) -> String? { inputs.first { $0.pad == pad }?.source }

  /// The value that a property was set to.
  public func setting(_ name: String) -> Value? { settings.first { $0.name == name }?.value }

  /// Feeds a pad from a node, or (nil) from nothing.
  mutating func connect(_ pad: String, to source: String?) {
    if let index = inputs.firstIndex(where: { $0.pad == pad }) {
      if let source { inputs[index].source = source } else { inputs.remove(at: index) }
    } else if let source {
      let place = inputs.firstIndex { PadOrder.rank(pad) < PadOrder.rank($0.pad) } ?? inputs.endIndex
      inputs.insert(Input(pad: pad, source: source), at: place)
    }
  }

  /// Sets a property, or (nil) takes the setting away.
  mutating func set(_ name: String, _ value: Value?) {
    if let index = settings.firstIndex(where: { $0.name == name }) {
      if let value { settings[index].value = value } else { settings.remove(at: index) }
    } else if let value {
      settings.append(Setting(name: name, value: value))
    }
  }
}

/// All nodes of a session, as statements: what undo keeps, files hold, and GEGL's nodes are made from.
public struct GraphDocument: Equatable, Sendable {
  /// The names, in the order in which the nodes were made.
  public private(set) var names: [String] = []
  private var definitions: [String: NodeDefinition] = [:]

  /// A graph without nodes.
  public init() {}

  /// The definition of a node.
  public subscript(name: String) -> NodeDefinition? { definitions[name] }

  /// All definitions, in the order in which the nodes were made.
  public var nodes: [NodeDefinition] { names.compactMap { definitions[$0] } }

  /// Adds a node, or replaces the one of that name in its place.
  mutating func put(_ node: NodeDefinition) {
    if definitions.updateValue(node, forKey: node.name) == nil { names.append(node.name) }
  }

  /// Takes a node out; pads that it fed are fed by nothing.
  mutating func remove(_ name: String) {
    definitions[name] = nil
    names.removeAll { $0 == name }
    for consumer in consumers(of: name) {
      for input in consumer.inputs where input.source == name {
        definitions[consumer.name]?.connect(input.pad, to: nil)
      }
    }
  }

  /// Gives a node another name, everywhere.
  mutating func rename(_ old: String, to new: String) {
    guard var definition = definitions.removeValue(forKey: old) else { return }
    definition.name = new
    definitions[new] = definition
    names = names.map { $0 == old ? new : $0 }
    for name in names {
      guard var consumer = definitions[name], consumer.inputs.contains(where: { $0.source == old }) else { continue }
      for index in consumer.inputs.indices where consumer.inputs[index].source == old {
        consumer.inputs[index].source = new
      }
      definitions[name] = consumer
    }
  }

  /// The nodes that a node feeds.
  public func consumers(of name: String) -> [NodeDefinition] {
    nodes.filter { $0.inputs.contains { $0.source == name } }
  }

  /// The nodes that feed no other, in the order in which they were made.
  public var ends: [String] {
    var fed: Set<String> = []
    for node in definitions.values { for input in node.inputs { fed.insert(input.source) } }
    return names.filter { !fed.contains($0) }
  }

  /// A node and all that feeds it, sources first; each once. Nil: all nodes.
  public func ordered(upTo name: String? = nil) -> [NodeDefinition] {
    var result: [NodeDefinition] = []
    var seen: Set<String> = []
    // Without recursion: a pipe may have thousands of steps.
    var stack: [(name: String, isDone: Bool)] = (name.map { [$0] } ?? names.reversed()).map { ($0, false) }
    while let (name, isDone) = stack.popLast() {
      guard let node = definitions[name] else { continue }
      if isDone {
        result.append(node)
      } else if seen.insert(name).inserted {
        stack.append((name, true))
        for input in node.inputs.reversed() { stack.append((input.source, false)) }
      }
    }
    return result
  }

  /// Whether one node gets light from another, or is it.
  func depends(_ name: String, on other: String) -> Bool {
    var seen: Set<String> = []
    var stack = [name]
    while let name = stack.popLast() {
      if name == other { return true }
      guard seen.insert(name).inserted else { continue }
      stack += definitions[name]?.inputs.map(\.source) ?? []
    }
    return false
  }

  /// The unnamed steps that belong to a node: those of its pipe and of its brackets.
  func steps(of name: String) -> [String] { names.filter { $0.hasPrefix(name + "~") } }

  /// Replaces values everywhere, such as relative paths.
  mutating func mapSettings(_ change: (NodeDefinition, NodeDefinition.Setting) -> Value) {
    for (name, node) in definitions {
      for index in node.settings.indices {
        definitions[name]?.settings[index].value = change(node, node.settings[index])
      }
    }
  }
}
