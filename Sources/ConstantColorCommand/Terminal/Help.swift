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
    if !footer.isEmpty { lines += ["", footer] }
    return lines.joined(separator: "\n")
  }
}

/// The options that every command has.
let commonOptions = [
  OptionSpecification("--help", nil, "Prints this page."),
  OptionSpecification("--version", nil, "Prints the version."),
]
