import GEGL
import Photo
import Raster
import Raw
import Simulation
import SkinRecord

enum PictureTarget {
  /// Larger pictures take the fuzzer's time and show nothing that small ones do not.
  private static let mostPixels = 1 << 20

  /// Loads a picture, and reads its pixels as operations do.
  static func run(_ bytes: [UInt8]) {
    Scratch.file("picture", bytes) { path in
      let file = try PictureFile.inspect(path)
      guard file.width * file.height <= mostPixels else { return }
      let picture = try PictureLoader.load(path)
      let values = try picture.buffer.read(picture.buffer.extent, format: PixelFormat("RGBA float"), as: Float.self)
      precondition(values.count == picture.width * picture.height * 4)
    }
  }
}

enum RawTarget {
  private static let mostPixels = 1 << 20

  /// Unpacks and demosaics.
  static func run(_ bytes: [UInt8]) {
    Scratch.file("frame.dng", bytes) { path in
      let info = try RawFrame.inspect(path)
      guard info.width * info.height <= mostPixels else { return }
      let picture = try PictureLoader.load(path)
      _ = try picture.buffer.read(picture.buffer.extent, format: PixelFormat("RGB float"), as: Float.self)
    }
  }
}

enum MetadataTarget {
  /// Reads what a file says of itself, and makes of it what a result carries.
  static func run(_ bytes: [UInt8]) {
    if let block = ExifBlock(bytes) { check(block) }
    for name in ["frame.dng", "frame.jpg", "frame.xmp"] {
      Scratch.file(name, bytes) { path in
        if let block = Metadata(path: path).exif { check(block) }
      }
    }
  }

  private static func check(_ block: ExifBlock) {
    _ = Metadata(block)
    let result = block.forResult(width: 3, height: 2, isSRGB: true, version: "0")
    precondition(ExifBlock(result.bytes()) != nil)
  }
}

enum TruthTarget {
  /// Reads a scene's archive, and the bytes as one of the arrays in it, which no checksum keeps from the fuzzer.
  static func run(_ bytes: [UInt8]) {
    if let array = try? NumPyArray(bytes) { precondition(array.floats.count == array.shape.reduce(1, *)) }
    Scratch.file("scene.npz", bytes) { path in
      let scene = try SceneTruth(reading: path)
      precondition(scene.lit.count == scene.width * scene.height)
    }
  }
}

enum RecordTarget {
  /// Does everything with a database that the command does.
  static func run(_ bytes: [UInt8]) {
    Scratch.file("skin.db", bytes) { path in
      let store = try RecordStore(path)
      let records = try store.records()
      let table = RecordTable(records)
      _ = (table.csv, table.json.text(), try? store.problems())
      for history in table.histories {
        for record in history.records { _ = history.summary(of: record) }
      }
      guard let first = records.first else { return }
      for kind in StoredPicture.Kind.allCases { _ = try store.picture(kind, of: first.id) }
      _ = try? store.add(first, [], newSeries: true)
      _ = try store.remove(ids: records.map(\.id))
    }
  }
}
