/// Completion for bash, without any library of functions. Names of files are left to readline, which knows about quotes.
enum BashCompletion {
  static var text: String {
    var options: [String] = []
    var values: [String] = []
    var operands: [String] = []
    for command in allCommands {
      let all = command.options + commonOptions
      let name = command.name.replacing(" ", with: "\\ ")
      options.append("    \(name)) options='\(all.map(\.name).joined(separator: " "))' ;;")
      for option in all where option.placeholder != nil {
        let kind = option.takesFile ? "file" : option.takesFolder ? "folder" : "other"
        values.append(
          "    \(name):\(option.name)) kind='\(kind)' values='\(option.words.joined(separator: " "))' ;;")
      }
      switch command.operandKind {
      case .none: break
      case .files: operands.append("    \(name)) kind='file' ;;")
      case .folders: operands.append("    \(name)) kind='folder' ;;")
      case .operations: operands.append("    \(name)) kind='operations' ;;")
      case .words(let words):
        operands.append("    \(name)) kind='other' values='\(words.joined(separator: " "))' ;;")
      }
    }
    let subcommands = commands.flatMap { $0.subcommands }.map { "'\($0.name)'" }.joined(separator: " | ")
    return """
      # Completion of constant-color for bash; made by 'constant-color completion bash'.
      _constant_color() {
        local cur='' prev='' command='' word joined=() options='' values='' kind='' index
        # bash breaks words at ':' and '=', which belong to them here.
        for ((index = 1; index <= COMP_CWORD; index++)); do
          word=${COMP_WORDS[index]}
          if ((${#joined[@]})) && [[ $word == [:=]* || ${joined[-1]} == *[:=] && ${COMP_WORDS[index - 1]} == [:=]* ]]; then
            joined[-1]+=$word
          else
            joined+=("$word")
          fi
        done
        cur=${joined[-1]-}
        ((${#joined[@]} > 1)) && command=${joined[0]} prev=${joined[-2]}
        if ((${#joined[@]} > 2)); then
          case "$command ${joined[1]}" in
            \(subcommands)) command+=" ${joined[1]}" ;;
          esac
        fi
        COMPREPLY=()
        if [[ -z $command ]]; then
          kind='other' values='\((commands.map { $0.name } + ["--help", "--version"]).joined(separator: " "))'
        else
          if [[ $cur == --*=* ]]; then
            prev=${cur%%=*} cur=${cur#*=}
          fi
          case $command:$prev in
      \(values.joined(separator: "\n"))
          esac
          if [[ -z $kind ]]; then
            case $command in
      \(options.joined(separator: "\n"))
            esac
            if [[ $cur == -* ]]; then
              kind='other' values=$options
            else
              case $command in
      \(operands.joined(separator: "\n"))
              esac
            fi
          fi
        fi
        if [[ $kind == operations ]]; then
          values=$("${COMP_WORDS[0]/#\\~/$HOME}" ops --all 2>/dev/null | while read -r word _; do printf '%s ' "$word" "${word#*:}"; done)
          kind='other'
        fi
        local prefix=${cur%"${cur##*[:=]}"}
        for word in $values; do
          [[ $word == "$cur"* ]] && COMPREPLY+=("${word#"$prefix"}")
        done
        # Names of files come from readline, where nothing else fits.
        if [[ $kind != file && $kind != folder ]]; then compopt +o default 2>/dev/null; fi
        return 0
      }
      complete -o default -F _constant_color constant-color
      """
  }
}
