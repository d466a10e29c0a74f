import CPictureIO
import Glibc
import TestSupport
import Testing

/// A file that ends before the part of it that a library has mapped.
@Suite struct MappedFileTests {
  @Test func whatIsGoneReadsAsZeros() throws {
    picture_survive_shrinking_files()
    let folder = try TestSupport.TemporaryFolder()
    let count = 3 * 4096
    try folder.write([UInt8](repeating: 7, count: count), "frame.dng")
    let descriptor = open(folder.path + "/frame.dng", O_RDWR)
    defer { close(descriptor) }
    let start = try #require(mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0))
    defer { munmap(start, count) }
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    func byte(_ place: Int) -> UInt8 { bytes.load(fromByteOffset: place, as: UInt8.self) }

    picture_mapping_begins()
    #expect(byte(0) == 7)
    #expect(picture_mapping_ends())
    picture_mapping_begins()
    #expect(ftruncate(descriptor, 4096) == 0)
    #expect([byte(0), byte(4096), byte(count - 1)] == [7, 0, 0])
    #expect(!picture_mapping_ends())
    // What was once is not held against the next file.
    picture_mapping_begins()
    #expect(picture_mapping_ends())
  }
}
