/// `constant-color completion SHELL`: what a shell needs to complete this program's command lines.
enum CompletionCommand: Command {
  static let name = "completion"
  static let summary = "Prints what bash, zsh or fish needs to complete command lines of this program."
  static let operands = "bash|zsh|fish"
  static let operandKind = OperandKind.words(["bash", "zsh", "fish"])
  static let options: [OptionSpecification] = []
  static let footer = """
    Where it belongs:
      constant-color completion bash > ~/.local/share/bash-completion/completions/constant-color
      constant-color completion zsh > DIR/_constant-color      (DIR being in $fpath)
      constant-color completion fish > ~/.config/fish/completions/constant-color.fish
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.count == 1 else { throw UsageError("'completion' takes one shell: bash, zsh or fish") }
    switch arguments.operands[0] {
    case "bash": printLine(BashCompletion.text)
    case "zsh": printLine(ZshCompletion.text)
    case "fish": printLine(FishCompletion.text)
    case let other:
      throw UsageError(
        "'completion' knows bash, zsh and fish, not '\(other)'"
          + suggestion(for: other, among: ["bash", "zsh", "fish"]))
    }
    return .done
  }
}
