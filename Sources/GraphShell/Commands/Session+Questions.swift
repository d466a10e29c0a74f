import GEGL

extension Session {
  /// `WORD?`: the help of a command or topic, a node, a property of one, or an operation.
  func describe(_ word: Token) throws {
    let width = environment.width()
    if word.text.isEmpty { return say(HelpPages.overview(width: width)) }
    if let command = CommandTable.command(word.text) { return say(HelpPages.page(command, width: width)) }
    if document[word.text] != nil { return try at(word) { try show(word.text) } }
    if let member = Member(word), let definition = document[member.node.text] {
      let property = try property(member.property, of: book.describe(definition.operation))
      return say(OperationPage.text(property, width: width))
    }
    if let topic = HelpTopic.all.first(where: { $0.name == word.text }) {
      return say(HelpPages.page(topic, width: width))
    }
    try CommandTable.run("info", [word], in: self)
  }
}
