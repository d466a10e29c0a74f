import GEGL

/// What every node has beside its properties, read like one: `NODE.format`. A property of that name wins.
enum NodeFact: String, CaseIterable {
  case operation, bounds, width, height, format

  /// What it is, for completion.
  var summary: String {
    switch self {
    case .operation: "the operation"
    case .bounds: "x, y, width and height of the result"
    case .width: "pixels in a row of the result"
    case .height: "rows of the result"
    case .format: "babl's format of the result"
    }
  }
}

extension Session {
  /// A fact about a node. Throws a sentence.
  func value(of name: String, _ fact: NodeFact) throws -> Value {
    if fact == .operation { return .string(document[name]?.operation ?? "") }
    let (node, box) = try fed(name)
    if fact == .format {
      guard let format = node.outputFormat else { throw GEGLError("'\(name)' does not say what its pixels are") }
      return .string(format.name)
    }
    guard !box.isInfinite else { throw GEGLError("'\(name)' has no bounds") }
    switch fact {
    case .width: return .int(box.width)
    case .height: return .int(box.height)
    default: return .string("\(box.x) \(box.y) \(box.width) \(box.height)")
    }
  }
}
