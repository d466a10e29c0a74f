import GraphShell

extension ManualSection {
  /// The commands of the graph shell, from its table.
  static var shellCommands: ManualSection {
    var parts: [Part] = []
    for command in CommandTable.commands {
      let details = command.details.isEmpty ? "" : " " + command.details
      parts.append(.definition(term: command.synopsis, text: command.summary + details))
    }
    return ManualSection(title: "Commands of the graph shell", parts: parts)
  }

  /// What its help tells beside commands.
  static var shellTopics: ManualSection {
    var parts: [Part] = []
    for topic in HelpTopic.all {
      parts.append(.heading(topic.summary))
      parts += topic.paragraphs.map { .paragraph($0) }
      parts.append(.example(topic.example.split(separator: "\n").map(String.init)))
    }
    return ManualSection(title: "Language of the graph shell", parts: parts)
  }
}
