import GEGL
import Photo

/// Writes what people should know of their files to standard error: what is wrong, what was assumed, and, where `isVerbose`,
/// what libraries said.
func printRemarks(
  findings: [Finding] = [], notes: [String] = [], messages: [Messages.Message] = [], isVerbose: Bool
) {
  for finding in findings { printError("\(finding.severity.rawValue): \(finding.message)") }
  for note in notes { printError("note: \(note)") }
  for message in messages where isVerbose { printError("note: \(message.domain): \(message.text)") }
}
