import ConstantColorOperations
import GEGL
import GEGLOperation

/// `constant-color ops [NAME]`: the operations and their properties.
enum OpsCommand: Command {
  static let name = "ops"
  static let summary = "Lists this project's operations, or shows one: its inputs, properties, ranges and defaults."
  static let operands = "[NAME]"
  static let operandKind = OperandKind.operations
  static let options = [
    OptionSpecification("--all", nil, "Lists every operation that GEGL has on this machine, not only ours.")
  ]

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.count <= 1 else { throw UsageError("'ops' takes one name; try 'constant-color ops'") }
    Library.start { register(constantColorOperations) }
    if let name = arguments.operands.first {
      printLine(page(try describe(name)))
    } else {
      for name in Catalogue.names where arguments.has("--all") || name.hasPrefix(prefix) {
        let operation = try Catalogue.describe(name)
        let title = operation.title.isEmpty ? operation.summary : operation.title
        printLine(name.padded(to: 40) + " " + title)
      }
    }
    return .done
  }

  private static let prefix = "constant-color:"

  private static func describe(_ name: String) throws -> OperationDescription {
    for candidate in [name, prefix + name, "gegl:" + name] where Catalogue.contains(candidate) {
      return try Catalogue.describe(candidate)
    }
    let known = Catalogue.names
    let short = known.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    let hint = suggestion(for: name, among: known + short)
    throw UsageError("there is no operation '\(name)'" + (hint.isEmpty ? "; 'constant-color ops' lists them" : hint))
  }

  private static func page(_ operation: OperationDescription) -> String {
    let width = terminalWidth
    var lines = [operation.name + (operation.title.isEmpty ? "" : " · \(operation.title)")]
    if !operation.summary.isEmpty { lines.append(wrapped(operation.summary, width: width, indent: "  ")) }
    let pads = [operation.inputs.sorted().joined(separator: ", "), operation.outputs.joined(separator: ", ")]
    lines.append("  pads: " + pads.filter { !$0.isEmpty }.joined(separator: " → "))
    for property in operation.properties {
      lines.append("")
      let value = property.isWritable ? property.defaultValue.map { " = \($0)" } ?? "" : " (result)"
      lines.append("  \(property.name)\(value)")
      lines.append(wrapped(property.summary, width: width, indent: "      "))
      if property.isWritable { lines.append(wrapped("takes \(property.expectation)", width: width, indent: "      ")) }
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
