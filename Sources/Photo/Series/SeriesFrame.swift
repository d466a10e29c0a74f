import Glibc

/// A file that may be a frame of a pair: looked at, but not decoded.
public struct SeriesFrame: Equatable, Sendable {
  /// The file, as it is opened.
  public var path: String
  /// Its path in the folder that was searched, for people and for names.
  public var name: String
  /// What it is; nil where it cannot be read.
  public var file: PictureFile?
  /// What is wrong with it; nil where it is a picture.
  public var problem: String?
  /// What the camera wrote.
  public var metadata = Metadata()

  /// A frame from its parts.
  public init(
    path: String, name: String, file: PictureFile? = nil, problem: String? = nil, metadata: Metadata = Metadata()
  ) {
    self.path = path
    self.name = name
    self.file = file
    self.problem = problem
    self.metadata = metadata
  }

  /// Looks at a file.
  public init(_ path: String, name: String) {
    self.init(path: path, name: name)
    do {
      file = try PictureFile.inspect(path)
      metadata = Metadata(path: path)
    } catch let error as PhotoError {
      problem = error.message
    } catch {
      problem = "\(error)"
    }
  }

  /// The folder within the one that was searched; empty for that itself.
  var folder: String { name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "" }
  /// The name without folder and extension.
  var stem: String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let ending = fileExtension(last)
    return ending.isEmpty ? last : String(last.dropLast(ending.count + 1))
  }

  /// Whether it is the numbers of a sensor; by its name where it cannot be read.
  var isRaw: Bool { file.map { $0.kind == .raw } ?? !Self.rendered.contains(fileExtension(name)) }
  /// Whether it is a result of this program, or written beside one, and no photograph.
  var isResult: Bool {
    guard let tag = metadata.exif?.image.first(where: { $0.number == ExifBlock.Tag.software }) else { return false }
    // With its version; simulators and other programs around it have names that begin alike.
    let words = String(decoding: tag.bytes.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
    return words.count == 2 && words[0] == "constant-color" && words[1].first?.isNumber == true
  }

  /// Extensions of developed pictures.
  static let rendered: Set<String> = [
    "png", "tif", "tiff", "jpg", "jpeg", "bmp", "exr", "webp", "ppm", "pgm", "pfm", "heic", "heif", "avif",
  ]
  /// Extensions of the numbers of sensors.
  static let raw: Set<String> = [
    "dng", "nef", "nrw", "arw", "sr2", "srf", "pef", "3fr", "fff", "iiq", "mos", "erf", "srw", "kdc", "dcr", "rwl",
    "mef", "cr2", "cr3", "crw", "orf", "rw2", "raf", "x3f", "mrw",
  ]

  /// Whether a file is worth a look, by its name.
  public static func isPicture(_ name: String) -> Bool {
    let ending = fileExtension(name)
    return rendered.contains(ending) || raw.contains(ending)
  }
}

/// The files of a folder and of those in it.
public enum SeriesFolder {
  /// The name of the folder in which a batch keeps its journal; what holds it is no input.
  public static let journalName = ".constant-color"

  /// A picture's file, not yet looked at.
  public struct Entry: Equatable, Sendable {
    /// The file, as it is opened, and its path in the folder.
    public let path, name: String
  }

  /// What was found.
  public struct Listing: Equatable, Sendable {
    /// Files with the names of pictures, in the order of their names.
    public var files: [Entry] = []
    /// All folders, the one that was searched first.
    public var folders: [String] = []
  }

  /// Lists a folder and, down to eight levels, those in it. What is hidden is left out, as are results: folders that a
  /// batch has written. Links to folders are not followed, so that no folder is read twice. Throws ``PhotoError``.
  public static func list(_ folder: String) throws -> Listing {
    guard let names = Folder.names(in: folder) else {
      var status = stat()
      guard stat(folder, &status) == 0 else { throw PhotoError(folder, "there is no such folder; check the name") }
      throw PhotoError(
        folder, status.st_mode & S_IFMT == S_IFDIR ? "the folder cannot be read" : "is no folder; name one")
    }
    var listing = Listing()
    add(names, of: folder, "", 0, to: &listing)
    return listing
  }

  private static func add(_ names: [String], of folder: String, _ prefix: String, _ depth: Int, to all: inout Listing) {
    all.folders.append(folder)
    for name in names where !name.hasPrefix(".") {
      let (path, inner) = (folder == "/" ? "/" + name : "\(folder)/\(name)", prefix + name)
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        guard depth < 8, let names = Folder.names(in: path), !names.contains(journalName) else { continue }
        add(names, of: path, inner + "/", depth + 1, to: &all)
      } else if SeriesFrame.isPicture(name) {
        all.files.append(Entry(path: path, name: inner))
      }
    }
  }
}
