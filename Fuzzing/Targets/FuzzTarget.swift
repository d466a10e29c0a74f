import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc
import Photo

/// Something of this project that reads what others have written.
///
/// A target is given bytes and must return: whatever is wrong with them is an error that is thrown and caught here. A trap, a
/// sanitizer's complaint, a hang and a picture of memory are findings. What a target expects of results is a `precondition`.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Calibration profiles.
  case profile
  /// Reports, journals and the truth of simulated sets: JSON.
  case report
  /// Tables of comma-separated values: pairs, charts, spectra.
  case table
  /// Scripts of the graph shell, which run on tiny pictures.
  case shell
  /// Graphs in GEGL's XML, as `open` reads them.
  case graph
  /// Picture files through the loaders.
  case picture
  /// RAW files, through LibRaw and this project's own reading of DNG.
  case raw
  /// EXIF, XMP, DNG tags.
  case metadata
  /// The scenes of simulated sets: archives of NumPy's arrays.
  case truth
  /// Databases of skin records.
  case record

  /// Starts what the targets need: once, and for a fuzzer before it looks after signals (while babl looks what this machine's
  /// processor can do it takes SIGILL, which is that of Swift's traps, and gives it back to the system).
  public static func prepare() { start }

  /// Reads the bytes as this target does.
  public func run(_ bytes: [UInt8]) {
    Self.prepare()
    switch self {
    case .profile: ProfileTarget.run(bytes)
    case .report: ReportTarget.run(bytes)
    case .table: TableTarget.run(bytes)
    case .shell: ShellTarget.run(bytes)
    case .graph: GraphTarget.run(bytes)
    case .picture: PictureTarget.run(bytes)
    case .raw: RawTarget.run(bytes)
    case .metadata: MetadataTarget.run(bytes)
    case .truth: TruthTarget.run(bytes)
    case .record: RecordTarget.run(bytes)
    }
  }

  private static let start: Void = Library.start(.init(threads: 1, tileCacheBytes: 256 << 20)) {
    register(constantColorOperations)
  }
}

/// Where targets put what has to be a file.
enum Scratch {
  private static let folder = try? ScratchFolder()

  /// Writes bytes to a file of that name, calls `body` with its path, and takes the file away.
  static func file(_ name: String, _ bytes: [UInt8], _ body: (String) throws -> Void) {
    guard let folder else { return }
    let path = folder.file(name)
    guard (try? ByteFile.write(bytes, to: path)) != nil else { return }
    defer { unlink(path) }
    try? body(path)
  }
}
