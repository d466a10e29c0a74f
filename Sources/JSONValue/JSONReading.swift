extension JSON {
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
