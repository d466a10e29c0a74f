import Photo
import Validation

/// Where figures go: a table on standard output, and files in the output folder.
enum ValidationOutput {
  /// Prints the table unless nothing is to be printed, and writes the files where a folder was named.
  static func write(_ figures: ValidationFigures, _ options: ValidateOptions) throws {
    if !options.running.isQuiet { printLine(String(ValidationTable(figures).text(width: terminalWidth).dropLast())) }
    guard let folder = options.output else { return }
    func write(_ text: String, _ name: String) throws { try ByteFile.write(Array(text.utf8), to: "\(folder)/\(name)") }
    try ValidationJSON(figures).json.write(to: folder + "/figures.json")
    try write(ValidationCSV.conditions(figures), "conditions.csv")
    try write(ValidationCSV.patches(figures), "patches.csv")
    try write(ValidationSummary(figures).markdown, "summary.md")
    try write(ValidationPage(figures).html, "report.html")
  }
}
