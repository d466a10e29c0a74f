import CGEGL
import GEGL
import Glibc

/// A property of an operation: its declaration and its value.
///
///     @Property("exposure-ratio", "Flash exposure divided by ambient exposure", 1.0, in: 1e-6...1e6, ui: 0.01...100)
///     var exposureRatio: Double
///
/// Takes `Double`, `Int`, `Bool`, `String` and enumerations that are a ``PropertyChoice``. The
/// host's value always lies within the hard limits; the `ui` limits are for sliders.
@propertyWrapper
public struct Property<Value: PropertyValue>: PropertyDeclaration {
  let storage: PropertyStorage<Value>

  /// The property's value.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  var storages: [AnyPropertyStorage] { [storage] }

  init(_ storage: PropertyStorage<Value>) { self.storage = storage }
}

extension Property where Value == Double {
  /// A number. `digits` behind the point and `gamma` (above 1: more room for small numbers) shape its slider; a step is one of
  /// the last digit. Left out, both follow the range.
  public init(
    _ name: String, _ summary: String, _ value: Double, in range: ClosedRange<Double>,
    ui: ClosedRange<Double>? = nil, gamma: Double = 1, digits: Int? = nil, label: String? = nil, unit: String? = nil
  ) {
    self.init(
      PropertyStorage(name, label, summary, value, unit.map { ["unit": $0] } ?? [:]) { name, label, summary, flags in
        let ui = ui ?? range
        guard
          let spec = gegl_param_spec_double(
            name, label, summary, range.lowerBound, range.upperBound, value, ui.lowerBound, ui.upperBound, gamma, flags)
        else { return nil }
        if let number = cgegl_param_double(spec) {
          let span = ui.upperBound - ui.lowerBound
          let small =
            digits.map { pow(10, -Double($0)) } ?? (span <= 2 ? 0.001 : span <= 50 ? 0.01 : span <= 500 ? 1.0 : 10.0)
          gegl_param_spec_double_set_steps(number, small, small * 10)
          gegl_param_spec_double_set_digits(number, gint(digits ?? (span <= 2 ? 4 : span <= 500 ? 3 : 1)))
        }
        return spec
      })
  }
}

extension Property where Value == Int {
  /// A whole number.
  public init(
    _ name: String, _ summary: String, _ value: Int, in range: ClosedRange<Int>, ui: ClosedRange<Int>? = nil,
    label: String? = nil
  ) {
    self.init(
      PropertyStorage(name, label, summary, value) { name, label, summary, flags in
        let ui = ui ?? range
        guard
          let spec = gegl_param_spec_int(
            name, label, summary, gint(clamping: range.lowerBound), gint(clamping: range.upperBound),
            gint(clamping: value), gint(clamping: ui.lowerBound), gint(clamping: ui.upperBound), 1, flags)
        else { return nil }
        if let number = cgegl_param_int(spec) { gegl_param_spec_int_set_steps(number, 1, 10) }
        return spec
      })
  }
}

extension Property where Value == Bool {
  /// Yes or no.
  public init(_ name: String, _ summary: String, _ value: Bool, label: String? = nil) {
    self.init(
      PropertyStorage(name, label, summary, value) { name, label, summary, flags in
        g_param_spec_boolean(name, label, summary, value ? 1 : 0, flags)
      })
  }
}

extension Property where Value == String {
  /// A text, or with `isPath` the path of a file, which hosts let people choose.
  public init(_ name: String, _ summary: String, _ value: String = "", isPath: Bool = false, label: String? = nil) {
    self.init(
      PropertyStorage(name, label, summary, value) { name, label, summary, flags in
        isPath
          ? gegl_param_spec_file_path(name, label, summary, 0, 0, value, flags)
          : gegl_param_spec_string(name, label, summary, 0, 0, value, flags)
      })
  }
}

extension Property where Value: PropertyChoice {
  /// One of an enumeration's choices.
  public init(_ name: String, _ summary: String, _ value: Value, label: String? = nil) {
    self.init(
      PropertyStorage(name, label, summary, value) { name, label, summary, flags in
        gegl_param_spec_enum(name, label, summary, Value.type, gint(value.index), flags)
      })
  }
}

/// An output-only property: a result of processing, such as a transform that was found. Its value
/// is NaN or empty until then. By convention its name begins with "found-".
///
/// Hosts can read it, not set it; it never notifies. `process` assigns to it.
@propertyWrapper
public struct Found<Value: PropertyValue>: PropertyDeclaration {
  let storage: PropertyStorage<Value>

  /// The result; assigned by `process`, on whatever thread it runs.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  var storages: [AnyPropertyStorage] { [storage] }
}

extension Found where Value == Double {
  /// A number, NaN until known.
  public init(_ name: String, _ summary: String, label: String? = nil) {
    storage = PropertyStorage(name, label, summary, .nan, isResult: true) { name, label, summary, flags in
      g_param_spec_double(
        name, label, summary, -Double.greatestFiniteMagnitude, .greatestFiniteMagnitude, 0, flags)
    }
  }
}

extension Found where Value == String {
  /// A text, empty until known.
  public init(_ name: String, _ summary: String, label: String? = nil) {
    storage = PropertyStorage(name, label, summary, "", isResult: true) { name, label, summary, flags in
      gegl_param_spec_string(name, label, summary, 0, 0, "", flags)
    }
  }
}

/// Properties that several operations share, declared once:
///
///     struct FlashWhite: PropertyGroup {
///       @Property("flash-x", ...) var x: Double
///     }
///     struct AdaptToD65: PointFilter {
///       let flashWhite = FlashWhite()
public protocol PropertyGroup {}

/// The property storages declared by an operation or a group, in order.
func storages(of value: Any) -> [AnyPropertyStorage] {
  Mirror(reflecting: value).children.flatMap { child -> [AnyPropertyStorage] in
    switch child.value {
    case let declaration as any PropertyDeclaration: declaration.storages
    case let group as any PropertyGroup: storages(of: group)
    default: []
    }
  }
}

extension Operation {
  /// The names and values of the operation's properties, in order, without its results.
  public var properties: [(name: String, value: GEGL.Value)] {
    storages(of: self).filter { !$0.isResult }.map { ($0.name, $0.plain) }
  }
}

protocol PropertyDeclaration {
  var storages: [AnyPropertyStorage] { get }
}
