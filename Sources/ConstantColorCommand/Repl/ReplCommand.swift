import GEGL
import GraphShell

/// `constant-color repl`: the graph shell.
enum ReplCommand: Command {
  static let name = "repl"
  static let summary =
    "The graph shell: makes graphs of GEGL's operations line by line, and looks into them. Lines come from SCRIPT and -e, or "
    + "else from a prompt or standard input."
  static let operands = "[SCRIPT] [name=value]..."
  static let operandKind = OperandKind.files
  static let options = ShellRunner.options + OptionSpecification.running
  static let footer = """
    example: constant-color repl -e 'a = load "photo.png"' -e 'stats a'

    SCRIPT may be a pipe, and - is standard input. 'help' at the prompt tells what can be typed. Exit status: 0 done, 1 an error in \
    a statement, 2 wrong usage or an unreadable script, 130 stopped by Ctrl-C, 143 asked to end.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let runner = try ShellRunner(arguments, isReplacingPrompt: false)
    return try runner.run()
  }
}

/// `constant-color run`: a script of the graph shell.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "Runs a script of the graph shell. name=value is $name in the script. Never prompts."
  static let operands = "[SCRIPT] [name=value]..."
  static let operandKind = OperandKind.files
  static let options = ShellRunner.options + OptionSpecification.running
  static let footer = """
    example: constant-color run measure.ccg photo=a.png

    SCRIPT may be a pipe, and - is standard input. Errors are SCRIPT:LINE:COLUMN: message. Exit status: 0 done, 1 an error in a \
    statement, 2 wrong usage or an unreadable script, 130 stopped by Ctrl-C, 143 asked to end.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let runner = try ShellRunner(arguments, isReplacingPrompt: true)
    return try runner.run()
  }
}
