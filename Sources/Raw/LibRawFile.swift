import CLibRaw

/// A file in LibRaw's hands, closed with the object.
final class LibRawFile: @unchecked Sendable {
  private let pointer: OpaquePointer

  init(_ path: String) throws(RawError) {
    var status = RAW_SUCCESS
    var message = [CChar](repeating: 0, count: Int(RAW_MESSAGE_SIZE))
    guard let pointer = raw_file_open(path, &status, &message) else { throw Self.error(status, message) }
    self.pointer = pointer
  }

  deinit { raw_file_close(pointer) }

  /// What LibRaw knows now.
  var description: raw_description {
    var description = raw_description()
    raw_file_describe(pointer, &description)
    return description
  }

  /// Reads and unpacks the samples. To be called once.
  func unpack() throws(RawError) {
    var message = [CChar](repeating: 0, count: Int(RAW_MESSAGE_SIZE))
    let status = raw_file_unpack(pointer, &message)
    if status != RAW_SUCCESS { throw Self.error(status, message) }
  }

  private static func error(_ status: raw_status, _ message: [CChar]) -> RawError {
    switch status {
    case RAW_NO_LIBRARY:
      let reason = text(message)
      return RawError(
        "RAW files need LibRaw (\(String(cString: raw_library_name()))), which cannot be used here: \(reason); install it"
      )
    case RAW_UNKNOWN: return RawError("is not a RAW file that LibRaw knows; convert it to DNG")
    case RAW_CUT_OFF: return .cutOff
    case RAW_NO_MEMORY: return RawError("there is not enough memory for it")
    default: return .damaged("its picture cannot be unpacked")
    }
  }
}

/// The text in a C array, up to its end mark.
func text(_ characters: some Sequence<CChar>) -> String {
  String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
