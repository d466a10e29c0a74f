/// Completion for zsh, by its `_arguments`.
enum ZshCompletion {
  static var text: String {
    let list = commands.map { "    '\($0.name):\(quoted($0.summary.replacing(":", with: "\\:")))'" }
    let cases = commands.map { command in
      command.subcommands.isEmpty
        ? "      \(command.name))\n        \(arguments(of: command)) ;;" : choice(of: command)
    }
    return """
      #compdef constant-color
      # Completion of constant-color for zsh; made by 'constant-color completion zsh'.

      _constant_color_operations() {
        local -a names
        names=(${(f)"$(${words_program:-constant-color} ops --all 2>/dev/null)"})
        names=(${names%% *})
        compadd -a names
        compadd -- ${names#*:}
      }

      _constant_color_words_or_files() { _alternative "words:word:($*)" 'files:file:_files' }

      _constant-color() {
        local curcontext=$curcontext words_program=$words[1] state line
        local -a commands
        commands=(
      \(list.joined(separator: "\n"))
        )
        _arguments -C '--help[Prints a page of help.]' '--version[Prints the version.]' '1: :->command' '*:: :->arguments'
        case $state in
          command) _describe -t commands command commands ;;
          arguments)
            case $words[1] in
      \(cases.joined(separator: "\n"))
            esac ;;
        esac
      }

      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
        _constant-color "$@"
      else
        compdef _constant-color constant-color
      fi
      """
  }

  private static func arguments(of command: any Command.Type) -> String {
    let options = (command.options + commonOptions).map { "        " + specification($0) }
    return "_arguments -S \\\n"
      + (options + operands(command.operandKind).map { "        " + $0 }).joined(separator: " \\\n")
  }

  /// A command that consists of others: which, and then what that one takes.
  private static func choice(of command: any Command.Type) -> String {
    let cases = command.subcommands.map { inner in
      "          \(inner.shortName))\n            \(arguments(of: inner)) ;;"
    }
    return """
            \(command.name))
              if (( CURRENT == 2 )); then
                \(arguments(of: command))
                return
              fi
              shift words; (( CURRENT-- ))
              case $words[1] in
      \(cases.joined(separator: "\n"))
              esac ;;
      """
  }

  private static func specification(_ option: OptionSpecification) -> String {
    let words = option.words.joined(separator: " ")
    let isList = option.placeholder == "LIST"
    let action =
      switch (option.takesFile, option.takesFolder, words.isEmpty) {
      case (true, _, true): "_files"
      // Both are proposed.
      case (true, _, false): " _constant_color_words_or_files \(words)"
      case (_, true, _): "_files -/"
      case (_, _, false): isList ? "_values -s , value \(words)" : "(\(words))"
      default: " "
      }
    let many = option.isRepeatable ? "\\*" : ""
    guard let placeholder = option.placeholder else { return "\(many)'\(option.name)[\(described(option))]'" }
    let name = quoted(placeholder.replacing(":", with: "\\:"))
    return "\(many)'\(option.name)=[\(described(option))]:\(name):\(quoted(action))'"
  }

  private static func operands(_ kind: OperandKind) -> [String] {
    switch kind {
    case .none: []
    case .files: ["'*:file:_files'"]
    case .folders: ["'*:folder:_files -/'"]
    case .operations: ["'1:operation:_constant_color_operations'"]
    case .words(let words): ["'1:word:(\(words.joined(separator: " ")))'"]
    }
  }

  /// The summary between brackets.
  private static func described(_ option: OptionSpecification) -> String {
    quoted(option.summary.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]"))
  }

  /// Text between single quotes.
  private static func quoted(_ text: String) -> String { text.replacing("'", with: "'\\''") }
}
