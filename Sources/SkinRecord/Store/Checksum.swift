import CGEGL
import Photo

/// SHA-256 (FIPS 180-4), as hexadecimal digits: what `sha256sum` prints.
public enum Checksum {
  /// Of bytes.
  public static func of(_ bytes: [UInt8]) -> String {
    let text = bytes.withUnsafeBufferPointer { buffer in
      g_compute_checksum_for_data(G_CHECKSUM_SHA256, buffer.baseAddress, gsize(buffer.count))
    }
    guard let text else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Of a file. Throws `PhotoError`.
  public static func ofFile(_ path: String, as kind: String) throws -> String {
    of(try ByteFile.read(path, as: kind, atMost: 1 << 31))
  }
}
