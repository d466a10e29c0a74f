import Development
import GEGL
import GEGLOperation
import Glibc
import Photo

/// `constant-color`: true colours from a flash and a no-flash photograph.
@main enum ConstantColorCommand {
  static func main() {
    Surroundings.prepare()
    let status = StandardOutput.checked(withPixelsKept(run(Array(CommandLine.arguments.dropFirst()))))
    exit(status == .interrupted ? Interruption.status : status.rawValue)
  }

  private static func run(_ words: [String]) -> ExitStatus {
    guard let name = words.first else {
      printError("no command given; try 'constant-color --help'")
      return .usage
    }
    switch name {
    case "--help", "-h", "help":
      printLine(overview)
      return .done
    case "--version":
      printLine("constant-color \(version)")
      return .done
    default: break
    }
    if let command = commands.first(where: { $0.name == name }) { return command.run(words: Array(words.dropFirst())) }
    printError(
      "there is no command '\(name)'" + suggestion(for: name, among: commands.map { $0.name })
        + "; try 'constant-color --help'")
    return .usage
  }

  private static var overview: String {
    """
    constant-color \(version): what a scene looks like lit by the flash alone, under D65,
    from a flash and a no-flash photograph of it, with a confidence for every pixel.

    usage: constant-color COMMAND [options]

    \(commandList(commands))

    'constant-color COMMAND --help' tells more.
    Exit status: 0 done, 1 processing failed, 2 wrong usage or unreadable input, 3 below the threshold.
    """
  }
}

/// The status of a command that would end with `status`, had no pixels been lost that it has measured.
private func withPixelsKept(_ status: ExitStatus) -> ExitStatus {
  guard status == .done || status == .retake else { return status }
  do { try Library.checkPixels() } catch { return report(error) }
  return status
}

/// Prints the one line of an error; returns the exit status that it means.
func report(_ error: any Error) -> ExitStatus {
  // What a step that was stopped has found is no finding.
  let error = Run.cancellation.isCancelled ? RenderingCancelled() : error
  switch error {
  case let error as UsageError:
    printError(error.description)
    return .usage
  case let error as InputError:
    printError(error.description)
    return .usage
  case is RenderingCancelled:
    printError("stopped before everything was written")
    return .interrupted
  default:
    printError("\(error)")
    return .failed
  }
}
