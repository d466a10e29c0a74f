import Development
import Glibc
import JSONValue
import Photo

/// What became of a pair.
struct PairOutcome {
  enum Status: String {
    case done, retake, failed
  }

  let name: String
  /// What it was made from: files, options, version.
  let key: String
  let status: Status
  /// Why it failed; one line for people.
  let message: String?
  /// Whether the same files would fail again.
  let isFinal: Bool
  let seconds: Double
  /// The sizes of its files, by their names.
  let files: [(name: String, size: Int)]

  var json: JSON {
    .object([
      "name": .string(name), "status": .string(status.rawValue), "message": JSON(message), "final": .bool(isFinal),
      "seconds": .number(seconds), "key": .string(key),
      "files": .array(files.map { .object(["name": .string($0.name), "size": .integer($0.size)]) }),
    ])
  }

  init(
    name: String, key: String, status: Status, message: String? = nil, isFinal: Bool = true, seconds: Double,
    files: [(name: String, size: Int)] = []
  ) {
    (self.name, self.key, self.status, self.message) = (name, key, status, message)
    (self.isFinal, self.seconds, self.files) = (isFinal, seconds, files)
  }

  /// An entry of a journal; nil where it is none.
  init?(_ json: JSON) {
    guard let name = json["name"].string, let key = json["key"].string,
      let status = json["status"].string.flatMap({ Status(rawValue: $0) }), let files = json["files"].elements
    else { return nil }
    self.init(
      name: name, key: key, status: status, message: json["message"].string, isFinal: json["final"] == .bool(true),
      seconds: json["seconds"].double ?? 0,
      files: files.compactMap { file in
        guard let name = file["name"].string, let size = file["size"].double else { return nil }
        return (name, Int(exactly: size) ?? -1)
      })
  }

  /// Whether its files are as it left them.
  func isIntact(in folder: String) -> Bool {
    files.allSatisfy { FileIdentity("\(folder)/\($0.name)").size == $0.size }
  }
}

/// A file that knows which pairs are finished. An entry is written after everything that it speaks of, and is on the disk
/// before anything else happens; what was cut off by the end of the process is no entry.
final class Journal {
  private let descriptor: Int32
  private let path: String
  /// The last entry of each pair of earlier runs.
  private(set) var earlier: [String: PairOutcome] = [:]

  /// Opens a journal, or begins one. Throws `PhotoError` where it cannot be read or written.
  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw InputError("\(path): cannot be written: \(String(cString: strerror(errno))); name another folder")
    }
    let bytes = FileIdentity(path).size > 0 ? try ByteFile.read(path, as: "a journal", atMost: 1 << 30) : []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let json = try? JSON(parsing: Array(line)), let outcome = PairOutcome(json) else { continue }
      earlier[outcome.name] = outcome
    }
    // A line that was cut off must not swallow the next.
    if let last = bytes.last, last != UInt8(ascii: "\n") { try append("\n") }
  }

  deinit { close(descriptor) }

  /// Adds an entry; it is on the disk afterwards. Throws ``SystemFailure``.
  func add(_ outcome: PairOutcome) throws { try append(outcome.json.text(indented: false) + "\n") }

  private func append(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure("\(path): cannot write", errno) }
      rest = rest.dropFirst(count)
    }
    guard fdatasync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS else {
      throw SystemFailure("\(path): cannot write", errno)
    }
  }
}
