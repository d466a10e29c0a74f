import GEGL

/// Reads GEGL's own chain texts, such as `gegl:load path=a.png gegl:over aux=[ gegl:load path=b.png ]`: an operation after the
/// other, each fed by the one before.
enum ChainReader {
  /// Names a node of a chain.
  static let identity = "id"
  /// Stands for a node that was named.
  static let reference = "ref"
  /// A mark of versions, which means nothing.
  private static let version = "opi"

  /// The steps of a `chain` stage: of its text, or of the words that follow.
  static func stages(_ stage: Stage) throws -> [Stage] {
    var items = stage.items
    if items.count == 1, case .operand(let text) = items[0], text.kind == .text {
      items = try Parser.chain(text.text, offset: text.range.lowerBound + 1)
    }
    let stages = try stages(items)
    guard !stages.isEmpty else {
      throw Diagnostic(stage.head.range.upperBound, "a chain is missing, such as chain \"gegl:invert-linear\"")
    }
    return stages
  }

  private static func stages(_ items: [Stage.Item]) throws -> [Stage] {
    var stages: [Stage] = []
    func add(_ item: Stage.Item, at word: Token) throws {
      guard !stages.isEmpty, stages[stages.count - 1].head.text != reference else {
        throw Diagnostic(word.range.lowerBound, "an operation is expected before '\(word.text)='")
      }
      stages[stages.count - 1].items.append(item)
    }
    for item in items {
      switch item {
      case .operand(let word): stages.append(Stage(head: word, items: []))
      case .setting(let key, _) where key.text == version: break
      case .setting(let key, let value) where key.text == reference:
        stages.append(Stage(head: key, items: [.operand(value)]))
      case .setting(let key, _): try add(item, at: key)
      case .nested(let key, let inner):
        let words = inner.stages.flatMap { stage in
          (stage.head.text.isEmpty ? [] : [Stage.Item.operand(stage.head)]) + stage.items
        }
        try add(.nested(key: key, Pipeline(stages: try self.stages(words))), at: key)
      }
    }
    return stages.map(loading)
  }

  /// Files are read by the shell's own reader: GEGL's end the process on some damaged ones.
  private static func loading(_ stage: Stage) -> Stage {
    guard stage.head.text == "gegl:load",
      stage.items.contains(where: { if case .setting(let key, _) = $0 { key.text == "path" } else { false } })
    else { return stage }
    var stage = stage
    stage.head.text = OperationBook.load.name
    return stage
  }
}
