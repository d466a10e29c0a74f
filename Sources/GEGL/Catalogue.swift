import CGEGL

/// What an operation is and takes, as GEGL knows it.
public struct OperationDescription: Sendable {
  /// Its full name, such as "gegl:gaussian-blur".
  public let name: String
  /// Its title for people; empty where it has none.
  public let title: String
  /// What it does; empty where it does not say.
  public let summary: String
  /// The categories it is filed under.
  public let categories: [String]
  /// The names of its input pads.
  public let inputs: [String]
  /// The names of its output pads.
  public let outputs: [String]
  /// Its properties, in their order.
  public let properties: [PropertyDescription]

  /// A description of something that is used like an operation.
  public init(
    name: String, title: String, summary: String, categories: [String] = [], inputs: [String] = [],
    outputs: [String] = ["output"], properties: [PropertyDescription] = []
  ) {
    (self.name, self.title, self.summary, self.categories) = (name, title, summary, categories)
    (self.inputs, self.outputs, self.properties) = (inputs, outputs, properties)
  }

  /// The property of that name.
  public func property(_ name: String) -> PropertyDescription? { properties.first { $0.name == name } }
}

/// What a property takes.
public struct PropertyDescription: Sendable {
  /// The kinds of values that properties have.
  public enum Kind: Sendable, Equatable {
    /// A number, its hard limits, and the range that makes sense on a slider.
    case double(range: ClosedRange<Double>, ui: ClosedRange<Double>?)
    /// A whole number, likewise.
    case int(range: ClosedRange<Int>, ui: ClosedRange<Int>?)
    /// Yes or no.
    case bool
    /// A text.
    case string
    /// The path of a file.
    case path
    /// One of some choices: nick and label.
    case choice([Choice])
    /// A colour, written as GEGL does: "red", "#ff8000", "rgb(1, 0.5, 0)".
    case color
    /// A tone curve, written as its points: "0,0 0.5,0.7 1,1".
    case curve
    /// A drawn line, written as in SVG: "M 0 0 L 10 10".
    case vectorPath
    /// A pixel format, written as babl does: "R'G'B' u8".
    case format
    /// Something else (a buffer, a pointer); the name of its type.
    case other(String)
  }

  /// One choice of an enumeration.
  public struct Choice: Sendable, Equatable {
    /// How it is written.
    public let nick: String
    /// How it is shown.
    public let label: String
  }

  /// The property's name.
  public let name: String
  /// Its label for people.
  public let label: String
  /// What it is for.
  public let summary: String
  /// What it takes.
  public let kind: Kind
  /// Its value unless set; nil where it is no plain value.
  public let defaultValue: Value?
  /// Whether it can be set; one that cannot is a result of the operation.
  public let isWritable: Bool

  /// A description of a property of something that is used like an operation.
  public init(
    name: String, label: String, summary: String, kind: Kind, defaultValue: Value?, isWritable: Bool = true
  ) {
    (self.name, self.label, self.summary) = (name, label, summary)
    (self.kind, self.defaultValue, self.isWritable) = (kind, defaultValue, isWritable)
  }

  /// The error of a value that does not fit.
  public func expected(_ value: Value) -> GEGLError {
    GEGLError("'\(name)' takes \(expectation), not '\(value)'")
  }

  /// What fits, in words: "a number from 0 to 1".
  public var expectation: String {
    switch kind {
    case .double(let range, _): "a number from \(range.lowerBound) to \(range.upperBound)"
    case .int(let range, _): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .bool: "true or false"
    case .string: "a text"
    case .path: "the path of a file"
    case .color: "a colour, such as red, #ff8000 or rgb(1, 0.5, 0)"
    case .curve: "a curve by its points, such as \"0,0 0.5,0.7 1,1\""
    case .vectorPath: "a path as in SVG, such as \"M 0 0 L 10 10\""
    case .format: "a pixel format of babl's, such as \"R'G'B' u8\""
    case .choice(let choices): "one of " + choices.map(\.nick).joined(separator: ", ")
    case .other(let type): "a \(type)"
    }
  }
}

/// The operations that this process has: GEGL's own, plug-ins, and those registered by the program.
public enum Catalogue {
  /// The names of all operations, sorted.
  public static var names: [String] {
    var count: guint = 0
    guard let list = Structure.exclusively({ gegl_list_operations(&count) }) else { return [] }
    defer { g_free(list) }
    return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
  }

  /// Whether there is an operation of that name.
  public static func contains(_ name: String) -> Bool { Structure.exclusively { gegl_has_operation(name) != 0 } }

  /// The operation of that name; throws where there is none.
  public static func describe(_ name: String) throws -> OperationDescription {
    guard contains(name) else { throw GEGLError("there is no operation '\(name)'") }
    let pads = padNames(name)
    return OperationDescription(
      name: name, title: key(name, "title"), summary: key(name, "description"),
      categories: key(name, "categories").split(separator: ":").map(String.init),
      inputs: pads.inputs, outputs: pads.outputs, properties: properties(of: name))
  }

  /// Makes all nodes of an operation compute their whole results at once, on one thread: for those whose pixels depend on
  /// which part is asked for. Does nothing where there is no such operation.
  public static func computeWhole(_ name: String) {
    guard contains(name) else { return }
    Structure.exclusively {
      guard let parent = gegl_node_new() else { return }
      defer { g_object_unref(UnsafeMutableRawPointer(parent)) }
      guard let node = gegl_node_create_child(parent, name), let operation = gegl_node_get_gegl_operation(node) else {
        return
      }
      cgegl_compute_whole(operation)
    }
  }

  private static func key(_ operation: String, _ key: String) -> String {
    gegl_operation_get_key(operation, key).map { String(cString: $0) } ?? ""
  }

  private static func padNames(_ operation: String) -> (inputs: [String], outputs: [String]) {
    Structure.exclusively {
      guard let parent = gegl_node_new() else { return ([], []) }
      defer { g_object_unref(UnsafeMutableRawPointer(parent)) }
      guard let node = gegl_node_create_child(parent, operation) else { return ([], []) }
      return (strings(gegl_node_list_input_pads(node)), strings(gegl_node_list_output_pads(node)))
    }
  }

  private static func strings(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
    guard let list else { return [] }
    defer { g_strfreev(list) }
    var result: [String] = []
    var index = 0
    while let text = list[index] {
      result.append(String(cString: text))
      index += 1
    }
    return result
  }

  private static func properties(of operation: String) -> [PropertyDescription] {
    var count: guint = 0
    guard let list = Structure.exclusively({ gegl_operation_list_properties(operation, &count) }) else { return [] }
    defer { g_free(list) }
    return (0..<Int(count)).compactMap { list[$0].map(PropertyDescription.init) }
  }
}

extension PropertyDescription {
  /// Reads a parameter of GObject.
  init(_ spec: UnsafeMutablePointer<GParamSpec>) {
    name = g_param_spec_get_name(spec).map { String(cString: $0) } ?? ""
    label = g_param_spec_get_nick(spec).map { String(cString: $0) } ?? ""
    summary = g_param_spec_get_blurb(spec).map { String(cString: $0) } ?? ""
    kind = Kind(spec)
    defaultValue = g_param_spec_get_default_value(spec).flatMap { Value($0) }
    isWritable = spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0
  }
}

extension PropertyDescription.Kind {
  init(_ spec: UnsafeMutablePointer<GParamSpec>) {
    if let number = cgegl_param_g_double(spec)?.pointee {
      let ui = cgegl_param_double(spec).map { Self.range($0.pointee.ui_minimum, $0.pointee.ui_maximum) }
      self = .double(range: Self.range(number.minimum, number.maximum), ui: ui)
    } else if let number = cgegl_param_g_int(spec)?.pointee {
      let ui = cgegl_param_int(spec).map { Self.range(Int($0.pointee.ui_minimum), Int($0.pointee.ui_maximum)) }
      self = .int(range: Self.range(Int(number.minimum), Int(number.maximum)), ui: ui)
    } else if let number = cgegl_param_g_uint(spec)?.pointee {
      self = .int(range: Self.range(Int(number.minimum), Int(number.maximum)), ui: nil)
    } else if let choices = cgegl_param_enum_class(spec)?.pointee {
      self = .choice(
        (0..<Int(choices.n_values)).compactMap { index in
          guard let nick = choices.values[index].value_nick else { return nil }
          let label = choices.values[index].value_name.map { String(cString: $0) } ?? ""
          return PropertyDescription.Choice(nick: String(cString: nick), label: label)
        })
    } else if cgegl_param_is_path(spec) != 0 {
      self = .path
    } else if cgegl_param_is_format(spec) != 0 {
      self = .format
    } else {
      let type = cgegl_param_value_type(spec)
      switch type {
      case cgegl_type_boolean(): self = .bool
      case cgegl_type_string(): self = .string
      case cgegl_type_color(): self = .color
      case cgegl_type_curve(): self = .curve
      case cgegl_type_path(): self = .vectorPath
      default: self = .other(g_type_name(type).map { String(cString: $0) } ?? "value")
      }
    }
  }

  private static func range<Bound: Comparable>(_ low: Bound, _ high: Bound) -> ClosedRange<Bound> {
    low <= high ? low...high : high...high
  }
}
