import Development
import Glibc
import Photo

/// Where a series' results and what is known of them lie.
struct SeriesFiles {
  /// The folder of the results.
  let folder: String
  /// The extension of pictures, with its dot.
  let ending: String
  let hasFallback: Bool

  /// What stands beside the results, hidden.
  var hidden: String { "\(folder)/\(SeriesFolder.journalName)" }
  var journal: String { hidden + "/journal" }
  var lock: String { hidden + "/lock" }
  var work: String { hidden + "/work" }
  var previews: String { hidden + "/previews" }

  /// A file of a pair.
  struct File {
    /// In the folder of the job, until all are there.
    let temporary: String
    /// In the folder of the results.
    let name: String
  }

  func result(_ pair: String) -> String { pair + ending }
  func confidence(_ pair: String) -> String { pair + "_confidence" + ending }
  func fallback(_ pair: String) -> String { pair + "_fallback" + ending }
  func report(_ pair: String) -> String { pair + "_report.json" }
  func preview(_ pair: String) -> String { "\(SeriesFolder.journalName)/previews/\(pair).jpg" }

  /// The files of a pair, the report last.
  func all(_ pair: String) -> [File] {
    var files = [File(temporary: "result" + ending, name: result(pair))]
    files.append(File(temporary: "confidence" + ending, name: confidence(pair)))
    if hasFallback { files.append(File(temporary: "fallback" + ending, name: fallback(pair))) }
    files.append(File(temporary: "preview.jpg", name: preview(pair)))
    files.append(File(temporary: "report.json", name: report(pair)))
    return files
  }

  /// Makes the folders. Throws `InputError`.
  func create() throws {
    for folder in [folder, hidden, previews] { try makeFolder(folder) }
    Folder.remove(work)
    try makeFolder(work)
  }

  /// Makes the folders around a file of a pair.
  func makeFolders(around name: String) throws {
    var path = folder
    for part in name.split(separator: "/").dropLast() {
      path += "/" + part
      try makeFolder(path)
    }
  }

  /// Flushes a folder's names to the disk.
  static func flush(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// Keeps a second run out of a folder, for as long as this exists.
final class FolderLock {
  private let descriptor: Int32

  /// Throws `InputError` where another process has it.
  init(_ path: String, of folder: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw InputError("\(folder): cannot be locked: \(String(cString: strerror(errno))); name another folder")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == EOPNOTSUPP else {
      throw InputError("\(folder): another batch or watch writes to it; wait for it, or name another folder")
    }
  }

  deinit { close(descriptor) }
}
