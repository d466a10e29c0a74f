/// The page that `COMMAND --help` prints.
struct Help {
  let usage: String
  let summary: String
  let options: [OptionSpecification]
  var footer: String = ""

  var text: String {
    let width = terminalWidth
    var lines = ["usage: constant-color \(usage)", "", wrapped(summary, width: width), ""]
    let heads = options.map { option in option.name + (option.placeholder.map { " \($0)" } ?? "") }
    let column = min(30, (heads.map(\.count).max() ?? 0) + 4)
    for (head, option) in zip(heads, options) {
      let body = wrapped(option.summary, width: width, indent: String(repeating: " ", count: column))
      if head.count + 3 < column {
        lines.append("  " + head + body.dropFirst(head.count + 2))
      } else {
        lines.append("  " + head)
        lines.append(body)
      }
    }
    if !footer.isEmpty { lines += ["", Self.fitted(footer, width: width)] }
    return lines.joined(separator: "\n")
  }

  /// Paragraphs broken anew for a width. Examples stay in one piece, to be copied; indented lines stay lines.
  private static func fitted(_ text: String, width: Int) -> String {
    var result: [String] = []
    var paragraph: [Substring] = []
    func close() {
      if !paragraph.isEmpty { result.append(wrapped(paragraph.joined(separator: " "), width: width)) }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") || line.hasPrefix("example:") {
        close()
        result.append(String(line))
      } else {
        paragraph.append(line)
      }
    }
    close()
    return result.joined(separator: "\n")
  }
}

/// The options that every command has.
let commonOptions = [
  OptionSpecification("--help", nil, "Prints this page."),
  OptionSpecification("--version", nil, "Prints the version."),
]
