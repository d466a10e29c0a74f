import CGEGL
import Raster

/// A graph of operations. Its nodes live as long as the graph.
///
/// The corresponding C type is `GeglNode`, used as the parent of others.
public final class Graph: @unchecked Sendable {
  /// The parent node.
  public let pointer: OpaquePointer
  private let isOwned: Bool

  /// An empty graph.
  public init() throws {
    guard let pointer = gegl_node_new() else { throw GEGLError("GEGL cannot make a graph; was it started?") }
    self.pointer = pointer
    isOwned = true
  }

  /// The inside of a node that somebody else owns, such as the node of a meta operation.
  public init(inside pointer: OpaquePointer) {
    self.pointer = pointer
    isOwned = false
  }

  deinit { if isOwned { g_object_unref(UnsafeMutableRawPointer(pointer)) } }

  /// Adds a node with an operation, its properties set. Throws on an unknown operation, an unknown
  /// property, or a value that does not fit; then nothing was added.
  @discardableResult
  public func add(_ operation: String, _ properties: KeyValuePairs<String, Value> = [:]) throws -> Node {
    guard Catalogue.contains(operation) else { throw GEGLError("there is no operation '\(operation)'") }
    guard let child = Structure.exclusively({ gegl_node_create_child(pointer, operation) }) else {
      throw GEGLError("GEGL cannot make a node for '\(operation)'")
    }
    let node = Node(child, in: self)
    do {
      for (name, value) in properties { try node.set(name, value) }
    } catch {
      remove(node)
      throw error
    }
    return node
  }

  /// Adds a node that gives the pixels of a buffer.
  public func add(_ buffer: Buffer) throws -> Node {
    let node = try add("gegl:buffer-source")
    node.show(buffer)
    return node
  }

  /// Takes a node out of the graph; it must not be used afterwards.
  public func remove(_ node: Node) { _ = Structure.exclusively { gegl_node_remove_child(pointer, node.pointer) } }

  /// The node inside the graph that stands for what the graph's own input pad receives.
  public func input(_ pad: String = "input") throws -> Node {
    guard let proxy = gegl_node_get_input_proxy(pointer, pad) else {
      throw GEGLError("GEGL makes no input pad '\(pad)'")
    }
    return Node(proxy, in: self)
  }

  /// The node inside the graph whose result the graph's own output pad gives.
  public func output(_ pad: String = "output") throws -> Node {
    guard let proxy = gegl_node_get_output_proxy(pointer, pad) else {
      throw GEGLError("GEGL makes no output pad '\(pad)'")
    }
    return Node(proxy, in: self)
  }
}

/// One operation in a graph.
public struct Node: @unchecked Sendable, Equatable {
  /// The `GeglNode`, owned by its graph.
  public let pointer: OpaquePointer
  /// The graph it belongs to, kept alive by its nodes.
  public let graph: Graph

  init(_ pointer: OpaquePointer, in graph: Graph) {
    self.pointer = pointer
    self.graph = graph
  }

  /// Whether both are the same node.
  public static func == (one: Node, other: Node) -> Bool { one.pointer == other.pointer }

  /// The name of its operation.
  public var operation: String { gegl_node_get_operation(pointer).map { String(cString: $0) } ?? "" }

  /// Where its result has pixels.
  public var boundingBox: Rectangle { Rectangle(gegl_node_get_bounding_box(pointer)) }

  /// The pixel format of its result, once that is known (after something was computed, or its bounds were asked for).
  public var outputFormat: PixelFormat? {
    guard let operation = gegl_node_get_gegl_operation(pointer) else { return nil }
    // A meta operation has no format of its own.
    if cgegl_operation_is_meta(operation) != 0 { return inner?.outputFormat }
    return PixelFormat(gegl_operation_get_format(operation, "output"))
  }

  /// The node inside a meta operation that gives its result; nil for other operations.
  public var inner: Node? {
    guard let operation = gegl_node_get_gegl_operation(pointer), cgegl_operation_is_meta(operation) != 0,
      let output = gegl_node_get_output_proxy(pointer, "output"),
      let inner = gegl_node_get_producer(output, "input", nil)
    else { return nil }
    return Node(inner, in: graph)
  }

  /// The colour space of its result, once that is known (after something was computed).
  public var outputSpace: ColorSpace? {
    guard let operation = gegl_node_get_gegl_operation(pointer) else { return nil }
    return gegl_operation_get_format(operation, "output").flatMap { ColorSpace(babl_format_get_space($0)) }
  }

  // MARK: pads

  /// Whether it has a pad of that name.
  public func has(pad: String) -> Bool { gegl_node_has_pad(pointer, pad) != 0 }

  /// Feeds the pad `input` of this node from another node's output. Throws where the pad is missing
  /// or the connection would make a circle.
  public func connect(_ input: String = "input", from source: Node, output: String = "output") throws {
    guard gegl_node_has_pad(pointer, input) != 0 else { throw GEGLError("'\(operation)' has no pad '\(input)'") }
    guard gegl_node_has_pad(source.pointer, output) != 0 else {
      throw GEGLError("'\(source.operation)' has no pad '\(output)'")
    }
    guard !source.depends(on: self) else {
      throw GEGLError("'\(operation)' already feeds '\(source.operation)': the connection would make a circle")
    }
    guard gegl_node_connect_from(pointer, input, source.pointer, output) != 0 else {
      throw GEGLError("GEGL cannot connect '\(source.operation)' to '\(operation)'")
    }
  }

  /// Takes away what feeds the pad.
  public func disconnect(_ input: String) { _ = gegl_node_disconnect(pointer, input) }

  /// The node that feeds the pad; nil where there is none.
  public func producer(_ input: String = "input") -> Node? {
    guard gegl_node_has_pad(pointer, input) != 0 else { return nil }
    return gegl_node_get_producer(pointer, input, nil).map { Node($0, in: graph) }
  }

  private func depends(on node: Node) -> Bool {
    var seen: Set<OpaquePointer> = []
    var stack = [self]
    while let next = stack.popLast() {
      if next == node { return true }
      guard seen.insert(next.pointer).inserted, let pads = gegl_node_list_input_pads(next.pointer) else { continue }
      defer { g_strfreev(pads) }
      var index = 0
      while let pad = pads[index] {
        if let producer = next.producer(String(cString: pad)) { stack.append(producer) }
        index += 1
      }
    }
    return false
  }

  // MARK: properties

  /// Sets a property. Throws on an unknown name, a value of another type, or one outside the limits.
  public func set(_ name: String, _ value: Value) throws {
    let property = try property(name)
    guard property.isWritable else { throw GEGLError("'\(name)' of '\(operation)' is a result and cannot be set") }
    switch (property.kind, value) {
    case (.double(let range, _), .double(let number)) where !range.contains(number): throw property.expected(value)
    case (.double(let range, _), .int(let number)) where !range.contains(Double(number)): throw property.expected(value)
    case (.int(let range, _), .int(let number)) where !range.contains(number): throw property.expected(value)
    default: break
    }
    guard let spec = gegl_node_find_property(pointer, name) else { throw unknown(name) }
    try withGValue(cgegl_param_value_type(spec)) { target in
      try value.store(in: target, property: property)
      gegl_node_set_property(pointer, name, target)
    }
  }

  /// The value of a property; throws on an unknown name, or where it is no plain value.
  public func value(_ name: String) throws -> Value {
    guard let spec = gegl_node_find_property(pointer, name) else { throw unknown(name) }
    return try withGValue(cgegl_param_value_type(spec)) { target in
      gegl_node_get_property(pointer, name, target)
      if cgegl_param_is_format(spec) != 0, let format = g_value_get_pointer(target) {
        return .string(PixelFormat(OpaquePointer(format))?.name ?? "")
      }
      guard let value = Value(target) else { throw GEGLError("'\(name)' of '\(operation)' is no plain value") }
      return value
    }
  }

  /// The value of a property that is a number; nil where it is none, or not known yet.
  public func number(_ name: String) -> Double? {
    switch try? value(name) {
    case .double(let number) where number.isFinite: number
    case .int(let number): Double(number)
    default: nil
    }
  }

  /// The text of a property, such as what a step has found; nil where there is none.
  public func text(_ name: String) -> String? {
    guard case .string(let text)? = try? value(name), !text.isEmpty else { return nil }
    return text
  }

  /// Whether its operation has a property of that name.
  public func has(_ property: String) -> Bool { gegl_node_find_property(pointer, property) != nil }

  /// The description of a property; throws on an unknown name.
  public func property(_ name: String) throws -> PropertyDescription {
    guard let spec = gegl_node_find_property(pointer, name) else { throw unknown(name) }
    return PropertyDescription(spec)
  }

  private func unknown(_ name: String) -> GEGLError { GEGLError("'\(operation)' has no property '\(name)'") }

  /// Sets a property that is an object; the node shares it.
  func set(object name: String, _ object: UnsafeMutableRawPointer, type: GType) {
    withGValue(type) { target in
      g_value_set_object(target, object)
      gegl_node_set_property(pointer, name, target)
    }
  }

  /// Makes a node that gives the pixels of a buffer give those of another.
  public func show(_ buffer: Buffer) {
    set(object: "buffer", UnsafeMutableRawPointer(buffer.pointer), type: cgegl_type_buffer())
  }

  /// Whether GEGL keeps what the node computes; true unless set.
  public var keepsResult: Bool {
    get { cgegl_node_dont_cache(pointer) == 0 }
    nonmutating set { cgegl_node_set_dont_cache(pointer, newValue ? 0 : 1) }
  }

  /// Forgets what the node has computed, so that it is computed anew when next asked for.
  public func invalidate() {
    guard let operation = gegl_node_get_gegl_operation(pointer) else { return }
    gegl_operation_invalidate(operation, nil, 1)
  }
}
