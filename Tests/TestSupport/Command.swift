import Glibc

/// Runs another program and waits for it.
public struct Command {
  /// The exit status, or 128 and the number of the signal that ended it.
  public let status: Int32
  /// What it wrote to standard output and standard error.
  public let output, errors: String

  /// The lines of its output.
  public var lines: [Substring] { output.split(separator: "\n") }

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - words: the program, looked up in PATH unless it has a slash, and its arguments.
  ///   - environment: changes to this process's environment; nil removes a variable.
  public init(_ words: [String], environment changes: [String: String?] = [:]) throws {
    let folder = try TemporaryFolder()
    let (outputPath, errorPath) = (folder.path + "/output", folder.path + "/errors")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, O_WRONLY | O_CREAT, 0o600)

    var environment = Self.environment
    for (name, value) in changes { environment[name] = value }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, &variables)
    guard failure == 0 else { throw SystemError(call: words[0], number: failure) }
    var ended: Int32 = 0
    while waitpid(process, &ended, 0) < 0, errno == EINTR {}
    // As a shell says it: the exit status, or 128 and the number of the signal.
    status = ended & 0x7F == 0 ? ended >> 8 & 0xFF : 128 + ended & 0x7F
    output = try contents(outputPath)
    errors = try contents(errorPath)
  }

  private static var environment: [String: String] {
    var result: [String: String] = [:]
    var pointer = environ
    while let entry = pointer.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
      pointer += 1
    }
    return result
  }
}

/// A folder that disappears with its contents, with a space in its name.
public final class TemporaryFolder {
  /// Where it is.
  public let path: String

  /// Makes one.
  public init() throws {
    var template = Array("/tmp/constant color XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", number: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.delete(path) }

  private static func names(in path: String) -> [String]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func delete(_ path: String) {
    // Of a link, the link goes, not what it shows: unlink succeeds on everything but a folder.
    guard unlink(path) != 0, let names = names(in: path) else { return }
    for name in names { delete(path + "/" + name) }
    rmdir(path)
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in it, in order, hidden ones too.
  public var names: [String] { Self.names(in: path) ?? [] }

  /// Writes a file.
  public func write(_ bytes: [UInt8], _ name: String) throws {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw SystemError(call: "open", number: errno) }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
      throw SystemError(call: "write", number: errno)
    }
  }

  /// Makes a folder in this one.
  public func folder(_ name: String) -> String {
    mkdir(file(name), 0o700)
    return file(name)
  }
}

/// A system call that failed.
public struct SystemError: Error {
  let call: String
  let number: Int32
}

/// The text of a file.
public func contents(_ path: String) throws -> String { String(decoding: try bytes(of: path), as: UTF8.self) }

/// The bytes of a file.
public func bytes(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw SystemError(call: path, number: errno) }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// Whether there is a file or folder.
public func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
