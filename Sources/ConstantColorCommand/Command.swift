import Development

/// The version of the program, of its reports, and of the files it writes.
let version = PairDevelopment.version

/// The day of the version, for the manual page.
let versionDate = "2026-11-30"

/// One of the program's commands.
protocol Command: SendableMetatype {
  static var name: String { get }
  static var summary: String { get }
  /// What follows the options, for the help.
  static var operands: String { get }
  /// What they are, for completion.
  static var operandKind: OperandKind { get }
  static var options: [OptionSpecification] { get }
  /// What stands below the options in the help.
  static var footer: String { get }
  /// The commands that it consists of, named as "record add"; they are called by what follows its own name.
  static var subcommands: [any Command.Type] { get }
  static func run(_ arguments: Arguments) throws -> ExitStatus
}

extension Command {
  static var footer: String { "" }
  static var operandKind: OperandKind { .none }
  static var subcommands: [any Command.Type] { [] }

  static var help: String {
    let list = subcommands.isEmpty ? "" : commandList(subcommands) + "\n\n"
    return Help(
      usage: "\(name) \(operands) [options]", summary: summary, options: options + commonOptions, footer: list + footer
    ).text
  }

  /// Runs the command on its words: parses them, answers --help and --version, and turns errors into
  /// one line and an exit status.
  static func run(words: [String]) -> ExitStatus {
    if !subcommands.isEmpty, let word = words.first, !word.hasPrefix("-") {
      if let command = subcommands.first(where: { $0.shortName == word }) {
        return command.run(words: Array(words.dropFirst()))
      }
      let names = subcommands.map { $0.shortName }
      return report(
        UsageError(
          "'\(name)' takes one of \(names.joined(separator: ", ")), not '\(word)'" + suggestion(for: word, among: names)
        ))
    }
    do {
      let arguments = try Arguments(words, options: options + commonOptions)
      if arguments.has("--help") {
        printLine(help)
        return .done
      }
      if arguments.has("--version") {
        printLine("constant-color \(version)")
        return .done
      }
      return try run(arguments)
    } catch {
      return report(error)
    }
  }
}

extension Command {
  /// The last word of its name.
  static var shortName: String { name.split(separator: " ").last.map { String($0) } ?? name }
}

/// Commands and what they do, for a page of help.
func commandList(_ commands: [any Command.Type]) -> String {
  commands.map { command in
    let text = wrapped(command.summary, width: terminalWidth, indent: String(repeating: " ", count: 14))
    return "  " + command.shortName.padded(to: 12) + text.dropFirst(14)
  }.joined(separator: "\n")
}

/// The commands that there are.
let commands: [any Command.Type] = [
  DevelopCommand.self, DocumentCommand.self, ProductCommand.self, BatchCommand.self, WatchCommand.self,
  RecordCommand.self, ReplCommand.self,
  RunCommand.self, CalibrateCommand.self,
  SimulateCommand.self, ValidateCommand.self, CompareCommand.self, OpsCommand.self, CompletionCommand.self,
  ManualCommand.self,
]

/// The same, each followed by the commands that it consists of.
let allCommands = commands.flatMap { [$0] + $0.subcommands }
