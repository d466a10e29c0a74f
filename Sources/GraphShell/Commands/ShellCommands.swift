import GEGL
import JSONValue

extension CommandTable {
  /// The shell itself.
  static let shellCommands = [
    CommandDescription(
      "assert", "assert EXPRESSION", "Is an error unless the expression holds: for scripts that test themselves.",
      details:
        "Numbers, texts, $variables, NODE.property, + - * / (with spaces around a minus), == != < <= > >=, and, or, "
        + "not, and functions: "
        + Measurements.table.map { "\($0.name)(\($0.arguments)) \($0.summary)" }.joined(separator: "; ") + ".",
      example: "assert width(a) == 64 and mean(b) > 0.1\nassert abs(red(a, 1, 1) - 1) < 0.001", [.free],
      action: { session, words in
        try session.check(words.rest.map(\.text).joined(separator: " "), words.rest.first?.range.lowerBound ?? 0)
      }),
    CommandDescription(
      "set", "set [OPTION VALUE]", "Changes how the shell behaves; alone, tells how.",
      details:
        "output text|json|csv: the form of results, JSON one object a line. timing on|off: what each statement takes. "
        + "space NAME|own|auto: the colour space of 'render'. terminal auto|none|blocks|sixel|kitty|iterm: how 'view' shows pictures.",
      example: "set output json\nprobe a 1 1\nset output text",
      [.choice(ShellOption.allCases.map(\.rawValue)), .choice(ShellOption.allCases.flatMap(\.values))], action: set),
    CommandDescription(
      "history", "history [N]", "Prints the last statements.", example: "history 3", [.free],
      action: { session, words in
        var words = words
        let count = try words.peek.map { _ in try words.whole("N", in: 1...100_000) }
        try words.finish()
        let all = session.environment.history?() ?? session.statements
        let shown = all.suffix(count ?? 100)
        session.reply(
          shown.joined(separator: "\n"), json: ["statements": .array(shown.map { .string($0) })],
          csv: ReplyTable(["statement"], shown.map { [.string($0)] }).csv)
      }),
    CommandDescription(
      "help", "help [TOPIC]", "Tells about a command, an operation or a topic; alone, lists them.",
      example: "help probe",
      [.topic], action: help),
    CommandDescription(
      "quit", "quit [STATUS]", "Ends the session, with an exit status of 0 to 255.", example: "", [.free],
      action: { _, words in
        var words = words
        let status = try words.peek.map { _ in try words.whole("STATUS", in: 0...255) } ?? 0
        try words.finish()
        throw SessionEnd(status: Int32(status))
      }),
  ]

  @Sendable private static func set(_ session: Session, _ words: Words) throws {
    var words = words
    guard let name = words.optional() else {
      var table = ReplyTable(["option", "value"])
      for option in ShellOption.allCases {
        table.rows.append([.string(option.rawValue), .string(option.value(session.options))])
      }
      table.isHeaded = false
      let options = ShellOption.allCases.map { JSON.Member($0.rawValue, .string($0.value(session.options))) }
      return session.reply(table, "options", json: .object(options))
    }
    let all = ShellOption.allCases.map(\.rawValue)
    guard let option = ShellOption(rawValue: name.text) else {
      throw Diagnostic(
        name.range.lowerBound,
        "there is no option '\(name.text)'; there are \(all.joined(separator: ", "))"
          + Suggestion.text(for: name.text, among: all))
    }
    let value = try words.next("a value (\(option.values.joined(separator: ", ")))")
    try words.finish()
    guard option.values.contains(value.text) else {
      throw Diagnostic(
        value.range.lowerBound,
        "'\(option.rawValue)' takes one of \(option.values.joined(separator: ", ")), not '\(value.text)'"
          + Suggestion.text(for: value.text, among: option.values))
    }
    option.set(value.text, &session.options)
  }

  @Sendable private static func help(_ session: Session, _ words: Words) throws {
    var words = words
    let word = words.optional()
    try words.finish()
    let width = session.environment.width()
    guard let word else {
      return session.say(HelpPages.overview(width: width))
    }
    if let command = command(word.text) { return session.say(HelpPages.page(command, width: width)) }
    if let topic = HelpTopic.all.first(where: { $0.name == word.text }) {
      return session.say(HelpPages.page(topic, width: width))
    }
    if let name = try? session.book.fullName(word.text), let operation = try? session.book.describe(name) {
      return session.say(OperationPage.text(operation, width: width))
    }
    let known = commands.map(\.name) + HelpTopic.all.map(\.name) + session.book.writtenNames
    throw Diagnostic(
      word.range.lowerBound, "there is no help on '\(word.text)'" + Suggestion.text(for: word.text, among: known))
  }
}

/// What `set` can change.
enum ShellOption: String, CaseIterable {
  case output, timing, space, terminal

  /// What it can be.
  var values: [String] {
    switch self {
    case .output: OutputForm.allCases.map(\.rawValue)
    case .timing: ["on", "off"]
    case .space:
      [SessionOptions.automaticSpace, SessionOptions.ownSpace, "p3", "srgb", "rec2020", "prophoto", "linear-srgb"]
    case .terminal: ["auto", "none", "blocks", "sixel", "kitty", "iterm"]
    }
  }

  func value(_ options: SessionOptions) -> String {
    switch self {
    case .output: options.output.rawValue
    case .timing: options.timing ? "on" : "off"
    case .space: options.space
    case .terminal: options.terminal
    }
  }

  /// Sets it to one of ``values``.
  func set(_ value: String, _ options: inout SessionOptions) {
    switch self {
    case .output: options.output = OutputForm(rawValue: value) ?? .text
    case .timing: options.timing = value == "on"
    case .space: options.space = value
    case .terminal: options.terminal = value
    }
  }
}

extension Session {
  /// Prints help, which is text in every form.
  func say(_ text: String) {
    reply(text, json: ["text": .string(text)], csv: ReplyTable(["text"], [[.string(text)]]).csv)
  }
}
