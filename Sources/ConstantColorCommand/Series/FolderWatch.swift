import Development
import Glibc

/// Tells that something happens in folders (inotify), and which files are being written.
final class FolderWatch {
  private let descriptor: Int32
  private var folders: [Int32: String] = [:]
  private var watched = Set<String>()
  /// Files that were written to and are still open.
  private(set) var writing = Set<String>()

  /// Throws `InputError` where the system has no watches left.
  init() throws {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw InputError("folders cannot be watched: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Watches folders, too; those that are gone meanwhile are left out. Throws `InputError`.
  func add(_ paths: [String]) throws {
    for path in paths where !watched.contains(path) {
      let events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MODIFY | IN_DELETE_SELF
      let watch = inotify_add_watch(descriptor, path, UInt32(events))
      if watch < 0, errno == ENOSPC {
        throw InputError("\(path): too many folders are watched on this machine; raise fs.inotify.max_user_watches")
      }
      guard watch >= 0 else { continue }
      folders[watch] = path
      watched.insert(path)
    }
  }

  /// Waits up to some milliseconds; returns whether anything happened.
  func wait(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65536)
    var happened = false
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return happened }
      happened = true
      buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    let head = MemoryLayout<inotify_event>.size
    var place = 0
    while place + head <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
      let length = Int(event.len)
      guard place + head + length <= bytes.count else { return }
      let name = String(decoding: bytes[(place + head)..<(place + head + length)].prefix { $0 != 0 }, as: UTF8.self)
      place += head + length
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        // Ends of writing may have been lost; the age of files tells, too.
        writing = []
      } else if event.mask & UInt32(IN_IGNORED) != 0 {
        if let folder = folders.removeValue(forKey: event.wd) { watched.remove(folder) }
      } else if let folder = folders[event.wd] {
        let path = "\(folder)/\(name)"
        if event.mask & UInt32(IN_MODIFY) != 0 { writing.insert(path) } else { writing.remove(path) }
      }
    }
  }
}
