import CReadline
import Glibc
import GraphShell

/// Hands readline's questions to the completion of the shell.
enum Completer {
  nonisolated(unsafe) static var session: Session?

  static let complete: line_completer = { line, end, result, _ in
    guard let line, let result, let session = Completer.session else { return }
    let bytes = UnsafeRawBufferPointer(start: line, count: strlen(line))
    let text = String(decoding: bytes.prefix(Int(max(0, end))), as: UTF8.self)
    let completion = session.complete(text)
    let start = text.prefix(completion.start).utf8.count
    result.pointee.start = Int32(clamping: start)
    if let listing = completion.listing(width: terminalWidth) { result.pointee.listing = strdup(printable(listing)) }
    guard !completion.candidates.isEmpty else { return }
    let size = completion.candidates.count * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride
    guard let memory = malloc(size) else { return }
    let words = memory.bindMemory(to: UnsafeMutablePointer<CChar>?.self, capacity: completion.candidates.count)
    for (index, candidate) in completion.candidates.enumerated() { words[index] = strdup(candidate.text) }
    result.pointee.words = words
    result.pointee.count = completion.candidates.count
    if completion.candidates.count == 1, let append = completion.candidates[0].append?.asciiValue {
      result.pointee.append = CChar(bitPattern: append)
    }
  }
}
