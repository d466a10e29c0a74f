import Glibc

/// The statements of former sessions, in a file that only the user reads; each once, the latest last.
final class History {
  private let path: String?
  private(set) var lines: [String] = []
  private static let most = 5000

  /// Reads what there is. `CONSTANT_COLOR_HISTORY` names another file.
  init() {
    path = getenv("CONSTANT_COLOR_HISTORY").map { String(cString: $0) } ?? XDG.state("history")
    guard let path, !path.isEmpty else { return }
    let stored = Self.read(path)
    var seen: Set<String> = []
    lines = stored.reversed().filter { seen.insert($0).inserted }.prefix(Self.most).reversed()
    if lines.count != stored.count { rewrite(path) }
  }

  /// Adds a statement, unless it is the last one.
  func add(_ statement: String) {
    // One line a statement: line breaks are blanks, after what continued them.
    var line = ""
    for part in statement.split(separator: "\n") {
      line += (line.isEmpty ? "" : " ") + (part.hasSuffix("\\") ? part.dropLast() : part)
    }
    guard !line.allSatisfy(\.isWhitespace), lines.last != line else { return }
    lines.removeAll { $0 == line }
    lines.append(line)
    guard let path, !path.isEmpty, let descriptor = Self.open(path, O_WRONLY | O_CREAT | O_APPEND) else { return }
    write(line + "\n", to: descriptor)
    close(descriptor)
  }

  private func rewrite(_ path: String) {
    let part = path + ".part"
    unlink(part)
    guard let descriptor = Self.open(part, O_WRONLY | O_CREAT | O_EXCL) else { return }
    write(lines.map { $0 + "\n" }.joined(), to: descriptor)
    close(descriptor)
    if rename(part, path) != 0 { unlink(part) }
  }

  /// Opens a file that nobody else may read, making the folders that it needs.
  private static func open(_ path: String, _ flags: Int32) -> Int32? {
    for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
    let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  private static func read(_ path: String) -> [String] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(bytes) }
    var lines: [String] = []
    while lines.count < 4 * most {
      let count = getline(&bytes, &capacity, file)
      guard count > 0, let bytes else { break }
      let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
      let text = line.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
      if !text.isEmpty { lines.append(text) }
    }
    return lines
  }
}
