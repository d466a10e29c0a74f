import CGEGL
import GEGL

/// What a property may hold.
public protocol PropertyValue: Equatable, Sendable {
  /// Reads the value from a `GValue` of the property's type.
  init(_ value: UnsafePointer<GValue>)
  /// Stores the value in a `GValue` of the property's type.
  func store(in target: UnsafeMutablePointer<GValue>)
  /// The value as nodes take it.
  var plain: Value { get }
}

extension Double: PropertyValue {
  /// Reads a number.
  public init(_ value: UnsafePointer<GValue>) { self = g_value_get_double(value) }
  /// Stores a number.
  public func store(in target: UnsafeMutablePointer<GValue>) { g_value_set_double(target, self) }
  /// The value as nodes take it.
  public var plain: Value { .double(self) }
}

extension Int: PropertyValue {
  /// Reads a whole number.
  public init(_ value: UnsafePointer<GValue>) { self = Int(g_value_get_int(value)) }
  /// Stores a whole number.
  public func store(in target: UnsafeMutablePointer<GValue>) { g_value_set_int(target, gint(clamping: self)) }
  /// The value as nodes take it.
  public var plain: Value { .int(self) }
}

extension Bool: PropertyValue {
  /// Reads a flag.
  public init(_ value: UnsafePointer<GValue>) { self = g_value_get_boolean(value) != 0 }
  /// Stores a flag.
  public func store(in target: UnsafeMutablePointer<GValue>) { g_value_set_boolean(target, self ? 1 : 0) }
  /// The value as nodes take it.
  public var plain: Value { .bool(self) }
}

extension String: PropertyValue {
  /// Reads a text; a missing one is empty.
  public init(_ value: UnsafePointer<GValue>) { self = g_value_get_string(value).map { String(cString: $0) } ?? "" }
  /// Stores a text.
  public func store(in target: UnsafeMutablePointer<GValue>) { g_value_set_string(target, self) }
  /// The value as nodes take it.
  public var plain: Value { .string(self) }
}

/// An enumeration whose cases are a property's choices; the raw value is the nick: frozen once
/// published, since hosts save it.
public protocol PropertyChoice: PropertyValue, CaseIterable, RawRepresentable where RawValue == String {
  /// The name of the type in GObject, unique in the process.
  static var typeName: String { get }
  /// What people see.
  var label: String { get }
}

extension PropertyChoice {
  /// Reads a choice; a number that is none gives the first.
  public init(_ value: UnsafePointer<GValue>) {
    let index = Int(g_value_get_enum(value))
    let cases = Array(Self.allCases)
    // An enumeration without cases has no values, so that this is never reached for one.
    self = cases.indices.contains(index) ? cases[index] : cases[0]
  }

  /// Stores a choice.
  public func store(in target: UnsafeMutablePointer<GValue>) { g_value_set_enum(target, gint(index)) }

  /// The choice as nodes take it.
  public var plain: Value { .choice(rawValue) }

  var index: Int { Array(Self.allCases).firstIndex(of: self) ?? 0 }

  /// The type in GObject, registered at first use; GObject keeps its texts for ever.
  static var type: GType {
    let known = g_type_from_name(typeName)
    if known != 0 { return known }
    let cases = Array(allCases)
    let values = UnsafeMutablePointer<GEnumValue>.allocate(capacity: cases.count + 1)
    for (index, choice) in cases.enumerated() {
      (values + index).initialize(
        to: GEnumValue(
          value: gint(index), value_name: UnsafePointer(g_strdup(choice.label)),
          value_nick: UnsafePointer(g_strdup(choice.rawValue))))
    }
    (values + cases.count).initialize(to: GEnumValue(value: 0, value_name: nil, value_nick: nil))
    return g_enum_register_static(typeName, values)
  }
}

/// The place of a property's value, without its type.
class AnyPropertyStorage {
  let name: String
  let isResult: Bool
  init(name: String, isResult: Bool) {
    self.name = name
    self.isResult = isResult
  }

  /// The parameter that declares the property to GObject; nil where GObject refuses it.
  func makeSpec() -> UnsafeMutablePointer<GParamSpec>? { nil }
  func load(into target: UnsafeMutablePointer<GValue>) {}
  /// The value as nodes take it.
  var plain: Value { .bool(false) }
  /// Takes the host's value; false where it is the one there is already.
  func take(_ value: UnsafePointer<GValue>) -> Bool { false }
  /// Takes the value of the same property of another operation of this type. A result is shared
  /// from then on: what either assigns, both have.
  func take(_ other: AnyPropertyStorage) {}
}

/// The place of a property's value, guarded, since hosts set properties while pixels are processed.
final class PropertyStorage<Value: PropertyValue>: AnyPropertyStorage, @unchecked Sendable {
  typealias Declare = @Sendable (String, String, String, GParamFlags) -> UnsafeMutablePointer<GParamSpec>?

  private final class Cell {
    let lock = Lock()
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private var cell: Cell
  private let label: String
  private let summary: String
  private let keys: [String: String]
  private let declare: Declare

  init(
    _ name: String, _ label: String?, _ summary: String, _ value: Value, _ keys: [String: String] = [:],
    isResult: Bool = false, declare: @escaping Declare
  ) {
    cell = Cell(value)
    self.label = label ?? name.prefix(1).uppercased() + name.dropFirst().replacing("-", with: " ")
    self.summary = summary
    self.keys = keys
    self.declare = declare
    super.init(name: name, isResult: isResult)
  }

  var value: Value {
    get { cell.lock.withLock { cell.value } }
    set { cell.lock.withLock { cell.value = newValue } }
  }

  override func makeSpec() -> UnsafeMutablePointer<GParamSpec>? {
    let flags = isResult ? G_PARAM_READABLE : cgegl_param_flags_settable()
    guard let spec = declare(name, label, summary, flags) else { return nil }
    for (key, value) in keys { gegl_param_spec_set_property_key(spec, key, value) }
    return spec
  }

  override func load(into target: UnsafeMutablePointer<GValue>) { value.store(in: target) }

  override var plain: GEGL.Value { value.plain }

  override func take(_ value: UnsafePointer<GValue>) -> Bool {
    let new = Value(value)
    return cell.lock.withLock {
      guard cell.value != new else { return false }
      cell.value = new
      return true
    }
  }

  override func take(_ other: AnyPropertyStorage) {
    guard let other = other as? PropertyStorage<Value> else { return }
    if isResult { cell = other.cell } else { value = other.value }
  }
}
