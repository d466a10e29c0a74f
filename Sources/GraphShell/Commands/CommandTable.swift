import GEGL

/// All commands. Help, completion and the manual are made from this one table.
public enum CommandTable {
  /// The commands, in the order in which the help shows them.
  public static let commands: [CommandDescription] =
    graphCommands + pictureCommands + editingCommands + fileCommands + shellCommands

  /// Their names.
  public static let names = Set(commands.map(\.name))
  /// Commands whose words are one expression.
  static let expressionNames: Set<String> = ["assert"]

  /// What other shells and people call commands, for errors.
  static let synonyms = [
    "exit": "quit", "bye": "quit", "q": "quit", "logout": "quit", "ls": "nodes", "list": "nodes", "dir": "nodes",
    "rm": "remove", "delete": "remove", "del": "remove", "mv": "rename", "stat": "stats", "pick": "probe",
    "histogram": "hist", "diff": "compare", "display": "view", "image": "view", "write": "render", "export": "render",
    "bbox": "show", "inspect": "show", "describe": "info", "man": "help", "include": "source", "read": "source",
    "check": "assert", "test": "assert", "timing": "time", "draw": "graph", "dot": "graph", "options": "set",
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })

  /// A command by its name.
  public static func command(_ name: String) -> CommandDescription? { byName[name] }

  /// What runs before an example: two small pictures.
  public static let exampleScript = """
    a = gegl:checkerboard color1=white color2=rgb(0.2,0.3,0.5) x=8 y=8 | gegl:crop width=64 height=48
    b = a | gegl:gaussian-blur std-dev-x=2 std-dev-y=2
    """

  static func run(_ name: String, _ words: [Token], in session: Session) throws {
    guard let command = byName[name] else { return }
    try command.action(session, Words(command, words))
  }

  /// Whether a statement needs more lines.
  static func isIncomplete(_ text: String) -> Bool {
    Parser.isIncomplete(text, commands: names, expressionCommands: expressionNames)
  }
}
