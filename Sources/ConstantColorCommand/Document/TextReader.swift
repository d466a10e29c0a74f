import GEGL
import GEGLOperation
import Glibc
import PDF
import Photo

/// Reads pages with tesseract, where that is installed.
final class TextReader {
  private let languages: String
  private let threads: Int?
  private let folder: ScratchFolder

  /// Makes sure that tesseract is there and knows the languages. Throws ``UsageError``.
  ///
  /// - Parameter languages: as tesseract takes them: "eng+deu".
  init(languages: String, threads: Int?) throws {
    folder = try asInput { try ScratchFolder() }
    self.languages = languages
    self.threads = threads
    let words = languages.split(separator: "+", omittingEmptySubsequences: false)
    guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }) else {
      throw UsageError("'--ocr' takes tesseract's names of languages, as eng or eng+deu, not '\(languages)'")
    }
    let list = folder.path + "/languages"
    let status: Int32
    do {
      status = try Self.run(["tesseract", "--list-langs"], output: list, errors: "/dev/null", threads: threads)
    } catch is SystemFailure {
      throw UsageError("'--ocr' needs tesseract, which is not installed; install tesseract-ocr, or leave it out")
    }
    let known = ((try? TextFile.read(list)) ?? "").split(separator: "\n").dropFirst()
    guard status == 0 else { throw UsageError("'--ocr': tesseract does not run; try 'tesseract --list-langs'") }
    for word in words where !known.contains(word) {
      throw UsageError(
        "'--ocr': tesseract does not know '\(word)'; it has \(known.joined(separator: ", ")), and others are in packages "
          + "such as tesseract-ocr-deu")
    }
  }

  /// The words of a page, in reading order.
  func words(on page: DocumentPage, _ bar: ProgressBar) throws -> [PDFDocument.Word] {
    let (picture, table, errors) = (folder.path + "/page.png", folder.path + "/words", folder.path + "/errors")
    try DocumentWriter.write(page, to: PictureDestination(picture), channels: 1, sample: .uint8)
    bar.show("reading")
    let words = [
      "tesseract", picture, "stdout", "-l", languages, "--dpi", "\(Int(min(max(page.dpi, 70), 2400)))", "tsv",
    ]
    guard try Self.run(words, output: table, errors: errors, threads: threads) == 0 else {
      let reason = ((try? TextFile.read(errors)) ?? "").split(separator: "\n").last ?? "it gives no reason"
      throw PhotoError(picture, "tesseract cannot read the page: \(reason)")
    }
    return Self.parse(try TextFile.read(table))
  }

  /// The words of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
  static func parse(_ table: String) -> [PDFDocument.Word] {
    var line = ""
    var words: [PDFDocument.Word] = []
    for row in table.split(separator: "\n").dropFirst() {
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count >= 12, cells[0] == "5", let confidence = Double(cells[10]), confidence >= 0 else { continue }
      let text = cells[11].filter { !$0.isWhitespace }
      let numbers = cells[6..<10].compactMap { Double($0) }
      guard numbers.count == 4, !text.isEmpty else { continue }
      let place = cells[1..<5].joined(separator: " ")
      words.append(
        PDFDocument.Word(
          text: text, x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], startsLine: place != line))
      line = place
    }
    return words
  }

  /// The words as text, a line a line.
  static func text(of words: [PDFDocument.Word]) -> String {
    var text = ""
    for word in words {
      if !text.isEmpty { text += word.startsLine ? "\n" : " " }
      text += word.text
    }
    return text.isEmpty ? "" : text + "\n"
  }

  /// Runs a program to its end, and ends it when this one is to stop. Throws ``SystemFailure`` where there is none.
  private static func run(_ words: [String], output: String, errors: String, threads: Int?) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if let threads { setenv("OMP_THREAD_LIMIT", "\(threads)", 1) }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, environ)
    guard failure == 0 else { throw SystemFailure("cannot start \(words[0])", failure) }
    var status: Int32 = 0
    while true {
      let result = waitpid(process, &status, WNOHANG)
      if result == process { break }
      if result < 0, errno != EINTR { throw SystemFailure("cannot wait for \(words[0])", errno) }
      if Run.cancellation.isCancelled {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        throw RenderingCancelled()
      }
      usleep(10_000)
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128
  }
}
