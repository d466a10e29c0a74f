import Glibc
import JSONValue
import Photo
import Raster
import TestSupport
import Testing

@Suite struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Interruption: Error {}

  @Test(arguments: ["a.png", "a.tif", "a.exr", "a.jpg"], [0, 40])
  func nothingRemainsWhenTheClosureThrows(name: String, old: Int) throws {
    let path = folder.file(name)
    if old > 0 { writeBytes([UInt8](repeating: 7, count: old), path) }
    let format = try PictureFormat(path: path)
    let layout = PictureLayout(width: 2000, height: 1500, channels: 3, sample: format.sample())
    #expect(throws: Interruption.self) {
      try PictureDestination(path).write(layout) { rows, _ in if rows.upperBound > 1000 { throw Interruption() } }
    }
    #expect(folder.names == (old > 0 ? [name] : []))
    #expect(readBytes(path).count == old)
  }

  @Test func anOldFileIsReplacedWithItsPermissions() throws {
    let path = folder.file("a.json")
    writeBytes([1, 2, 3], path)
    chmod(path, 0o640)
    let file = try AtomicFile(path)
    try file.write([9, 9])
    #expect(readBytes(path) == [1, 2, 3])
    try file.commit()
    #expect(readBytes(path) == [9, 9])
    var status = stat()
    stat(path, &status)
    #expect(status.st_mode & 0o777 == 0o640)
    #expect(folder.names == ["a.json"])
  }

  @Test func withoutCommitNothingIsSeen() throws {
    do {
      let file = try AtomicFile(folder.file("a"))
      try file.write([UInt8](repeating: 1, count: 1 << 20))
      #expect(!folder.names.contains("a"))
    }
    #expect(folder.names.isEmpty)
  }

  @Test func aSymbolicLinkStaysOne() throws {
    writeBytes([1], folder.file("real.json"))
    symlink(folder.file("real.json"), folder.file("link.json"))
    try JSON.null.write(to: folder.file("link.json"))
    var status = stat()
    lstat(folder.file("link.json"), &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(readBytes(folder.file("real.json")) == Array("null\n".utf8))
  }

  @Test func targetsThatAreNoFilesAreRefused() {
    mkdir(folder.file("sub.png"), 0o755)
    mkfifo(folder.file("pipe.png"), 0o644)
    let cases = [
      (folder.path, "is a folder"), (folder.file("sub.png"), "is a folder"), (folder.file("x/"), "is a folder"),
      (folder.file("pipe.png"), "not a regular file"), ("/dev/stdout", "regular file"), ("/dev/null", "regular file"),
      ("", "no file name"), (folder.file("missing/a.png"), "does not exist"),
    ]
    for (path, part) in cases {
      let error = message { _ = try AtomicFile(path) }
      #expect(error?.contains(part) == true, "\(path): \(error ?? "no error")")
      #expect(error?.contains("\n") == false)
    }
  }

  @Test func aFullDiskIsOneLine() throws {
    // A limit on file sizes fails in the same place as a full disk. It holds for the process: other tests stay below.
    var old = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
    signal(SIGXFSZ, SIG_IGN)
    var small = rlimit(rlim_cur: 64 << 20, rlim_max: old.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
    let layout = PictureLayout(width: 4000, height: 2900, channels: 3, sample: .uint16)
    let error = message { try PictureDestination(folder.file("a.tif")).write(layout) { _, _ in } }
    #expect(error?.contains("too large for this disk") == true)
    #expect(folder.names.isEmpty)
  }
}
