import CGEGL

/// The value of an operation's property.
public enum Value: Equatable, Sendable {
  /// A number with a fraction.
  case double(Double)
  /// A whole number.
  case int(Int)
  /// Yes or no.
  case bool(Bool)
  /// A text, or a path of a file.
  case string(String)
  /// One of an enumeration's choices, by its nick.
  case choice(String)
}

extension Value: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Yes or no.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// The value as people write it.
  public var description: String {
    switch self {
    case .double(let value): "\(value)"
    case .int(let value): "\(value)"
    case .bool(let value): value ? "true" : "false"
    case .string(let value), .choice(let value): value
    }
  }
}

/// A `GValue` with a scope: initialised for a type, released afterwards.
func withGValue<Result>(_ type: GType, _ body: (UnsafeMutablePointer<GValue>) throws -> Result) rethrows -> Result {
  var value = GValue()
  g_value_init(&value, type)
  defer { g_value_unset(&value) }
  return try body(&value)
}

extension Value {
  /// Reads a `GValue`; nil for a type that is no plain value (an object, a pointer...).
  init?(_ value: UnsafePointer<GValue>) {
    let type = value.pointee.g_type
    if type == cgegl_type_double() {
      self = .double(g_value_get_double(value))
    } else if type == cgegl_type_float() {
      self = .double(Double(g_value_get_float(value)))
    } else if type == cgegl_type_int() {
      self = .int(Int(g_value_get_int(value)))
    } else if type == cgegl_type_uint() {
      self = .int(Int(g_value_get_uint(value)))
    } else if type == cgegl_type_int64() {
      self = .int(Int(g_value_get_int64(value)))
    } else if type == cgegl_type_boolean() {
      self = .bool(g_value_get_boolean(value) != 0)
    } else if type == cgegl_type_string() {
      self = .string(g_value_get_string(value).map { String(cString: $0) } ?? "")
    } else if g_type_is_a(type, cgegl_type_enum()) != 0 {
      guard let nick = enumNick(type, g_value_get_enum(value)) else { return nil }
      self = .choice(nick)
    } else if let text = objectText(value) {
      self = .string(text)
    } else {
      return nil
    }
  }

  /// Stores the value in a `GValue` of the type that a property takes. Whole numbers serve where
  /// fractions are taken, and texts where choices are. Throws, naming what was expected.
  func store(in target: UnsafeMutablePointer<GValue>, property: PropertyDescription) throws {
    let type = target.pointee.g_type
    switch self {
    case .double(let number) where type == cgegl_type_double(): g_value_set_double(target, number)
    case .int(let number) where type == cgegl_type_double(): g_value_set_double(target, Double(number))
    case .double(let number) where type == cgegl_type_float(): g_value_set_float(target, Float(number))
    case .int(let number) where type == cgegl_type_int():
      guard let exact = gint(exactly: number) else { throw property.expected(self) }
      g_value_set_int(target, exact)
    case .int(let number) where type == cgegl_type_uint():
      guard let exact = guint(exactly: number) else { throw property.expected(self) }
      g_value_set_uint(target, exact)
    case .bool(let flag) where type == cgegl_type_boolean(): g_value_set_boolean(target, flag ? 1 : 0)
    case .string(let text) where type == cgegl_type_string(): g_value_set_string(target, text)
    case .string(let text) where property.kind.isWrittenObject:
      guard storeObject(text, property.kind, in: target) else { throw property.expected(self) }
    case .string(let nick), .choice(let nick):
      guard g_type_is_a(type, cgegl_type_enum()) != 0, let number = enumValue(type, nick) else {
        throw property.expected(self)
      }
      g_value_set_enum(target, number)
    default: throw property.expected(self)
    }
  }
}

private func enumNick(_ type: GType, _ number: gint) -> String? {
  guard let raw = g_type_class_ref(type) else { return nil }
  defer { g_type_class_unref(raw) }
  let found = g_enum_get_value(raw.assumingMemoryBound(to: GEnumClass.self), number)
  return found?.pointee.value_nick.map { String(cString: $0) }
}

private func enumValue(_ type: GType, _ nick: String) -> gint? {
  guard let raw = g_type_class_ref(type) else { return nil }
  defer { g_type_class_unref(raw) }
  let found = g_enum_get_value_by_nick(raw.assumingMemoryBound(to: GEnumClass.self), nick)
  return found?.pointee.value
}
