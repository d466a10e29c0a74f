/// Completion for fish.
enum FishCompletion {
  static var text: String {
    var lines = [
      "# Completion of constant-color for fish; made by 'constant-color completion fish'.",
      "complete -c constant-color -f",
      "complete -c constant-color -n __fish_use_subcommand -l help -d 'Prints a page of help.'",
      "complete -c constant-color -n __fish_use_subcommand -l version -d 'Prints the version.'",
    ]
    for command in commands {
      lines.append(
        "complete -c constant-color -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
    }
    for command in allCommands {
      let others = command.subcommands.map { $0.shortName }.joined(separator: " ")
      let isAlone = others.isEmpty ? "" : "; and not __fish_seen_subcommand_from \(others)"
      let seen = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
      let head = "complete -c constant-color -n '\(seen.joined(separator: "; and "))\(isAlone)'"
      for option in command.options + commonOptions {
        let words = option.words.isEmpty ? "" : " -a \(quoted(option.words.joined(separator: " ")))"
        let isFile = option.takesFile || option.takesFolder
        let value = option.placeholder == nil ? "" : isFile ? " -r -F" : " -x"
        lines.append("\(head) -l \(option.name.drop { $0 == "-" })\(value)\(words) -d \(quoted(option.summary))")
      }
      switch command.operandKind {
      case .none: break
      case .files, .folders: lines.append("\(head) -F")
      case .operations:
        lines.append("\(head) -a '(constant-color ops --all 2>/dev/null | string replace -r \" .*\" \"\")'")
        lines.append(
          "\(head) -a '(constant-color ops --all 2>/dev/null | string replace -r \" .*\" \"\" | string replace -r \"^[^:]*:\" \"\")'"
        )
      case .words(let words): lines.append("\(head) -a \(quoted(words.joined(separator: " ")))")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Text between single quotes, in which a backslash escapes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
