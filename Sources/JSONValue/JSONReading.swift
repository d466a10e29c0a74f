import CJSON

/// Why a text is no JSON; one line for people.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let description: String
}

extension JSON {
  /// Reads a text (json-glib's parser). Throws ``JSONError`` for what is no JSON, and for lists in lists beyond any
  /// sensible depth.
  public init(parsing text: [UInt8]) throws(JSONError) {
    // json-glib descends on the stack, and takes comments for blanks.
    guard Self.depth(text) <= Self.greatestDepth else { throw JSONError(description: "is nested too deeply") }
    guard let parser = json_parser_new() else { throw JSONError(description: "cannot be read") }
    defer { g_object_unref(parser) }
    var error: UnsafeMutablePointer<GError>?
    let isParsed = text.withUnsafeBytes {
      json_parser_load_from_data(parser, $0.bindMemory(to: CChar.self).baseAddress, $0.count, &error) != 0
    }
    if let error {
      let message = String(cString: error.pointee.message)
      g_error_free(error)
      throw JSONError(description: "is no JSON: \(message)")
    }
    guard isParsed, let root = json_parser_get_root(parser) else { throw JSONError(description: "holds no JSON") }
    self.init(root)
  }

  private static let greatestDepth = 64

  private static func depth(_ text: [UInt8]) -> Int {
    var depth = 0
    var greatest = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: continue
      }
      greatest = max(greatest, depth)
    }
    return greatest
  }

  private init(_ node: OpaquePointer) {
    switch json_node_get_node_type(node) {
    case JSON_NODE_OBJECT:
      let object = json_node_get_object(node)
      var members: [Member] = []
      let names = json_object_get_members(object)
      defer { g_list_free(names) }
      var next = names
      while let entry = next {
        if let data = entry.pointee.data {
          let name = data.assumingMemoryBound(to: CChar.self)
          if let value = json_object_get_member(object, name) {
            members.append(Member(String(cString: name), JSON(value)))
          }
        }
        next = entry.pointee.next
      }
      self = .object(members)
    case JSON_NODE_ARRAY:
      let array = json_node_get_array(node)
      self = .array(
        (0..<json_array_get_length(array)).compactMap { json_array_get_element(array, $0).map { JSON($0) } })
    case JSON_NODE_VALUE:
      switch json_node_get_value_type(node) {
      case GType(5 << 2): self = .bool(json_node_get_boolean(node) != 0)
      case GType(10 << 2): self = .integer(Int(json_node_get_int(node)))
      case GType(15 << 2): self = .number(json_node_get_double(node))
      default: self = json_node_get_string(node).map { .string(String(cString: $0)) } ?? .null
      }
    default: self = .null
    }
  }

  /// The member of an object; null where there is none, or this is no object.
  public subscript(_ key: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.key == key }?.value ?? .null
  }

  /// The number; nil for anything else.
  public var double: Double? {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The text; nil for anything else.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The elements of a list; nil for anything else.
  public var elements: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The numbers of a list that holds nothing else; nil for anything else.
  public var doubles: [Double]? {
    guard let elements else { return nil }
    let numbers = elements.compactMap(\.double)
    return numbers.count == elements.count ? numbers : nil
  }
}
