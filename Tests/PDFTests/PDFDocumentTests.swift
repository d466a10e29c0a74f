import PDF
import Photo
import TestSupport
import Testing

/// PDF files, as poppler sees them.
@Suite struct PDFDocumentTests {
  private static func shades(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

  private func jpeg(_ folder: TemporaryFolder) throws -> [UInt8] {
    let path = folder.path + "/page.jpg"
    let layout = PictureLayout(width: 40, height: 30, channels: 3, sample: .uint8)
    try PictureDestination(path).write(layout) { _, bytes in
      for index in 0..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index) }
    }
    return try ByteFile.read(path, as: "a JPEG", atMost: 1 << 20)
  }

  @Test func pagesOfEveryKind() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/book.pdf"
    let document = try PDFDocument(path, title: "Täst (1)", created: "2026-03-01T09:10:11", creator: "tests")
    let pages: [(PageImage.Encoding, Double, Double)] = [
      (.jpeg(try jpeg(folder)), 210, 297), (.rgb(Self.shades(3600)), 297, 210), (.grey(Self.shades(1200)), 148, 210),
      (.bilevel(Self.shades(1200)), 85.6, 53.98),
    ]
    for (encoding, width, height) in pages {
      let image = try #require(PageImage(width: 40, height: 30, encoding))
      let words = [
        PDFDocument.Word(text: "Grüße,", x: 2, y: 3, width: 12, height: 4),
        PDFDocument.Word(text: "日本", x: 20, y: 3, width: 8, height: 4),
        PDFDocument.Word(text: "naught", x: 2, y: 12, width: 0, height: 4),
      ]
      try document.add(image, width: width, height: height, words: words)
    }
    #expect(!exists(path))
    try document.finish()

    let info = try Command(["pdfinfo", "-l", "4", path]).output
    #expect(info.contains("Täst (1)") && info.contains("Mar  1 09:10:11 2026") && info.contains("Pages:           4"))
    #expect(
      info.contains("595.276 x 841.89 pts (A4)") && info.contains("841.89 x 595.276")
        && info.contains("242.646 x 153.014"))
    let images = try Command(["pdfimages", "-list", path]).lines.map { $0.split(separator: " ") }
    #expect(images.dropFirst(2).map { String($0[8]) } == ["jpeg", "image", "image", "image"])
    #expect(images.dropFirst(2).map { Int($0[7]) } == [8, 8, 8, 1])
    #expect(images[2][5] == "rgb" && images[4][5] == "gray")
    // The words are there, and nobody sees them.
    let text = try Command(["pdftotext", path, "-"]).output
    #expect(text.contains("Grüße,") && text.contains("日本"), "\(text)")
    let drawn = folder.path + "/drawn"
    _ = try Command([
      "pdftoppm", "-r", "25.4", "-f", "2", "-l", "2", "-scale-to-x", "40", "-scale-to-y", "30", path, drawn,
    ])
    #expect(exists(drawn + "-2.ppm"))
  }

  @Test func sizesThatAreNone() {
    for (width, height) in [(0, 10), (10, 0), (40000, 10), (10, 11)] {
      #expect(PageImage(width: width, height: height, .grey(Self.shades(100))) == nil)
    }
  }

  @Test func withoutAnEndThereIsNoFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/page.pdf"
    do {
      let document = try PDFDocument(path, title: "", created: nil, creator: "tests")
      let image = try #require(PageImage(width: 10, height: 10, .grey(Self.shades(100))))
      try document.add(image, width: 100, height: 100)
    }
    #expect(!exists(path))
    #expect(throws: PhotoError.self) {
      try PDFDocument(folder.path + "/none/page.pdf", title: "", created: nil, creator: "")
    }
  }
}
