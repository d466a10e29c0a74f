/// The manual page constant-color(1), in the macros of man(7), made from the table of commands.
struct Manual {
  private var lines: [String] = []

  /// The page.
  static var text: String {
    var manual = Manual()
    manual.write()
    return manual.lines.joined(separator: "\n")
  }

  private mutating func write() {
    lines.append(".TH CONSTANT-COLOR 1 \(versionDate) \"constant-color \(version)\" \"User Commands\"")
    lines.append(".nh")
    section("NAME")
    lines.append("constant-color \\- true colours from a flash and a no-flash photograph")
    section("SYNOPSIS")
    for command in allCommands {
      lines.append(".B constant-color \(Self.escaped(command.name))")
      let operands = command.operands.isEmpty ? "" : Self.escaped(command.operands) + " "
      lines.append(Self.guarded("\(operands)[\\fIoptions\\fR]"))
      lines.append(".br")
    }
    lines.removeLast()
    section("DESCRIPTION")
    lines.append(
      Self.guarded(
        Self.escaped(
          "Takes two photographs of the same scene, one with flash and one without, and computes what the scene looks like "
            + "lit by the flash alone, under daylight (D65): whatever lamps there were, their colours and shadows are gone. "
            + "A second picture says for each pixel how far that colour can be trusted.")))
    section("COMMANDS")
    for command in allCommands { add(command) }
    for make in manualSections {
      let section = make()
      self.section(section.title)
      for part in section.parts { add(part) }
    }
    section("EXIT STATUS")
    for (status, text) in [
      ("0", "Done."), ("1", "Processing failed."), ("2", "Wrong usage or unreadable input."),
      ("3", "Done, but the confidence is below the threshold: take the photographs again."),
      ("130", "Stopped by Ctrl-C."), ("143", "Stopped by a request to end (SIGTERM)."),
    ] {
      add(.definition(term: status, text: text))
    }
    add(.paragraph("Errors are one line on standard error. An output file appears whole or not at all."))
    section("SEE ALSO")
    lines += [".BR gegl (1),", ".BR gimp (1)"]
  }

  private mutating func add(_ command: any Command.Type) {
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    add(.heading("\(command.name)\(operands)"))
    lines.append(Self.guarded(Self.escaped(command.summary)))
    for option in command.options {
      let value = option.placeholder.map { " " + $0 } ?? ""
      add(.definition(term: option.name + value, text: option.summary))
    }
    for part in Self.parts(of: command.footer) { add(part) }
  }

  private mutating func add(_ part: ManualSection.Part) {
    switch part {
    case .paragraph(let text): lines += [".PP", Self.guarded(Self.escaped(text))]
    case .heading(let text): lines.append(".SS \"\(Self.quoted(text))\"")
    case .definition(let term, let text):
      lines += [".TP", ".B \"\(Self.quoted(term))\"", Self.guarded(Self.escaped(text))]
    case .example(let examples):
      lines += [".PP", ".RS 4", ".nf"] + examples.map { Self.guarded(Self.escaped($0)) } + [".fi", ".RE"]
    }
  }

  private mutating func section(_ title: String) { lines.append(".SH \"\(Self.quoted(title.uppercased()))\"") }

  /// A command's footer: paragraphs between empty lines; what is indented, or an example, stays in lines.
  private static func parts(of footer: String) -> [ManualSection.Part] {
    var parts: [ManualSection.Part] = []
    var paragraph: [String] = []
    var example: [String] = []
    func isExample(_ line: Substring) -> Bool { line.hasPrefix(" ") || line.hasPrefix("example:") }
    let lines: [Substring] = footer.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines + [Substring()] {
      if !isExample(line), !example.isEmpty {
        parts.append(.example(example))
        example = []
      }
      if line.isEmpty || isExample(line), !paragraph.isEmpty {
        parts.append(.paragraph(paragraph.joined(separator: " ")))
        paragraph = []
      }
      if isExample(line) { example.append(String(line)) } else if !line.isEmpty { paragraph.append(String(line)) }
    }
    return parts
  }

  /// Text that means itself: backslashes, and hyphens that are to be copied as they are.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result
  }

  /// Text between the quotes of a macro's argument.
  private static func quoted(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }

  /// A line that is no macro, whatever it begins with; a sentence a line is not needed.
  private static func guarded(_ line: String) -> String {
    guard let first = line.first else { return "\\&" }
    return first == "." || first == "'" || first == " " ? "\\&" + line : line
  }
}

/// `constant-color manual`: the manual page.
enum ManualCommand: Command {
  static let name = "manual"
  static let summary = "Prints the manual page constant-color(1), for 'man -l -' or a folder of manual pages."
  static let operands = ""
  static let options: [OptionSpecification] = []
  static let footer = """
    example: constant-color manual | man -l -
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.isEmpty else { throw UsageError("'\(arguments.operands[0])' is not expected") }
    printLine(Manual.text)
    return .done
  }
}
