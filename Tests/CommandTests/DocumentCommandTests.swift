import ColorScience
import GEGL
import Glibc
import JSONValue
import Photo
import Raster
import TestSupport
import Testing

/// `constant-color document` from pairs to pages.
@Suite(.serialized) struct DocumentCommandTests {
  /// A page under a hard shadow, from the simulator.
  private struct Page {
    let folder = try? TemporaryFolder()
    var path: String { folder?.path ?? "" }
    let text: String
    let corners: [SIMD2<Double>]
    let inputs: [String]

    init(view: String, size: String = "900x1200", _ more: [String] = []) throws {
      let path = folder?.path ?? ""
      let drawn = try Command(
        [
          "/usr/bin/python3", "\(Built.root)/Scripts/lib/documents/page.py", path + "/page.png", path + "/page.txt",
          "3", "1184", "1675",
        ]
          + ["--scale", "1.3"])
      try #require(drawn.status == 0, "\(drawn.errors)")
      text = try contents(path + "/page.txt")
      let words = ["--page", path + "/page.png", "--page-view", view, "--size", size, "--seed", "1000201"] + more
      let simulated = try Command.constantColor(
        ["simulate", "--output", path + "/set", "--lux", "200", "--cct", "3000", "--tint", "planckian"] + words)
      try #require(simulated.status == 0, "\(simulated.errors)")
      let name = "/set/inputs/E0200_T3000_planckian"
      inputs = ["--flash", path + name + "_flash.dng", "--ambient", path + name + "_ambient.dng"]
      let truth = try JSON(parsing: Array(contents(path + "/set/truth/E0200_T3000_planckian.json").utf8))
      corners = (truth["page"].elements ?? []).compactMap(\.doubles).map { SIMD2($0[0], $0[1]) }
      try #require(corners.count == 4)
    }
  }

  @Test func aPageIsReadableAgain() throws {
    let page = try Page(view: "straight")
    let command = try Command.constantColor(
      ["document"] + page.inputs + [
        "--straighten", "--output", page.path + "/page.pdf", "--text", page.path + "/read.txt",
      ]
        + ["--report", page.path + "/report.json"])
    // Without a profile no confidence reaches 0.9.
    #expect(command.status == 3 && command.errors.contains("take it again"), "\(command.errors)")
    let developed = try Command.constantColor(
      ["develop"] + page.inputs + ["--output", page.path + "/developed.png", "--fallback", page.path + "/ambient.png"])
    #expect(developed.status == 0)
    let before = try errorRate(Command(["tesseract", page.path + "/ambient.png", "stdout"]).output, page.text)
    let after = try errorRate(contents(page.path + "/read.txt"), page.text)
    #expect(after <= before / 2 && after < 0.03, "characters wrong: \(before) before, \(after) after")
    let copied = try Command(["pdftotext", page.path + "/page.pdf", "-"]).output
    #expect(try errorRate(copied, page.text) < 0.1)
    let info = try Command(["pdfinfo", page.path + "/page.pdf"]).output
    #expect(info.contains("(A4)") && info.contains("Title:           page\n"))

    let report = try JSON(parsing: Array(contents(page.path + "/report.json").utf8))
    #expect(report["belowThreshold"] == .bool(true))
    let found = (report["document"]["corners"].elements ?? []).compactMap(\.doubles)
    for (corner, truth) in zip(found, page.corners) {
      // The outline lies one and a half pixels inside.
      #expect(hypot(corner[0] - truth.x, corner[1] - truth.y) < 3.5)
    }
    #expect(report["document"]["paperSize"]["name"] == "a4")
  }

  @Test func paperIsEven() throws {
    let page = try Page(view: "tilted", size: "600x800")
    let (plain, ambient) = (page.path + "/plain.exr", page.path + "/ambient.exr")
    _ = try Command.constantColor(["document"] + page.inputs + ["--plain", "--output", plain])
    _ = try Command.constantColor(
      ["develop"] + page.inputs + ["--space", "linear-srgb", "--output", page.path + "/x.exr", "--fallback", ambient])
    let (before, after) = (try marginSpread(ambient, page.corners), try marginSpread(plain, page.corners))
    #expect(after <= before / 4 && after < 3, "L*: \(before) before, \(after) after")
  }

  @Test func pagesOfABook() throws {
    let page = try Page(view: "tilted", size: "600x800")
    let (flash, ambient) = (page.inputs[1], page.inputs[3])
    let pages = page.folder?.folder("pages") ?? ""
    for number in ["01", "02"] {
      symlink(flash, "\(pages)/\(number)_flash.dng")
      symlink(ambient, "\(pages)/\(number)_ambient.dng")
    }
    let book = page.path + "/book.pdf"
    let command = try Command.constantColor(
      [
        "document", pages, "--straighten", "--paper", "letter", "--bilevel", "--output", book, "--title", "Two",
        "--threshold", "0",
      ]
        + ["--report", page.path + "/book.json"])
    #expect(command.status == 0, "\(command.errors)")
    let info = try Command(["pdfinfo", book]).output
    #expect(info.contains("Pages:           2") && info.contains("612 x 792 pts (letter)") && info.contains("Two"))
    let report = try JSON(parsing: Array(contents(page.path + "/book.json").utf8))
    #expect(report["pages"].elements?.count == 2)
    // By hand, turned, as a picture.
    let corners = page.corners.map { "\($0.x),\($0.y)" }.joined(separator: ",")
    let turned = try Command.constantColor(
      ["document"] + page.inputs + [
        "--corners", corners, "--rotate", "90", "--grey", "--output", page.path + "/turned.png",
      ]
        + ["--threshold", "0", "--confidence", page.path + "/confidence.png"])
    #expect(turned.status == 0, "\(turned.errors)")
    Library.start()
    let picture = try PictureLoader.load(page.path + "/turned.png")
    #expect(picture.width > picture.height)
    let map = try PictureLoader.load(page.path + "/confidence.png")
    #expect([map.width, map.height] == [600, 800])
  }

  @Test func wrongUsage() throws {
    let pair = try PairFixture()
    let pdf = ["--output", pair.path("page.pdf")]
    let cases: [([String], String)] = [
      ([], "--output"), (["--output", pair.path("page.doc")], ".pdf"), (pdf + ["--paper", "a44"], "did you mean"),
      (pdf + ["--corners", "1,2,3"], "eight numbers"), (pdf + ["--corners", "0,0,0,9,9,9,9,0"], "clockwise"),
      (pdf + ["--rotate", "45"], "90"), (pdf + ["--grey", "--bilevel"], "exclude"), (pdf + ["--dpi", "1"], "50"),
      (pdf + ["--ocr", "xyzzy"], "xyzzy"), (pdf + ["--ocr", "a;b"], "languages"),
      (pdf + ["--threshold", "2"], "0 to 1"),
      (["--output", pair.path("page.png"), "--ocr", "eng"], "PDF"), (pdf + ["--flash", pair.flash], "one of each"),
      (["--output", pair.flash], "replace an input"), (pdf + ["--text", pair.path("page.pdf")], "two outputs"),
      (pdf + ["--dpi", "300", "--paper", "a4"], "one of the two"),
    ]
    for (words, part) in cases {
      let command = try Command.constantColor(["document"] + pair.inputs + words)
      #expect(command.status == 2, "\(words)")
      #expect(command.errors.contains(part) && command.errors.split(separator: "\n").count == 1, "\(command.errors)")
    }
    #expect(try Command.constantColor(["document", pair.folder.path + "/none"] + pdf).status == 2)
    #expect(!exists(pair.path("page.pdf")))
  }

  @Test func withoutAPage() throws {
    let folder = try TemporaryFolder()
    let simulated = try Command.constantColor(
      [
        "simulate", "--output", folder.path, "--size", "320x240", "--lux", "200", "--cct", "3000", "--tint",
        "planckian",
      ]
        + ["--format", "jpeg"])
    try #require(simulated.status == 0, "\(simulated.errors)")
    let name = folder.path + "/inputs/E0200_T3000_planckian"
    let page = folder.path + "/page.pdf"
    let words = [
      "document", "--flash", name + "_flash.jpg", "--ambient", name + "_ambient.jpg", "--output", page,
    ]
    let command = try Command.constantColor(words + ["--straighten"])
    #expect(command.status == 2 && command.errors.contains("no page was found"), "\(command.errors)")
    let far = try Command.constantColor(words + ["--corners", "9000,0,9100,0,9100,100,9000,100"])
    #expect(far.status == 2 && far.errors.contains("far outside"), "\(far.errors)")
    #expect(!exists(page))
  }

  // MARK: measuring

  /// The part of the characters that is wrong; white space counts as one space.
  private func errorRate(_ read: String, _ truth: String) throws -> Double {
    func plain(_ text: String) -> [Character] { Array(text.split { $0.isWhitespace }.joined(separator: " ")) }
    let (a, b) = (plain(truth), plain(read))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var next = [i + 1]
      for (j, other) in b.enumerated() {
        next.append(min(row[j] + (letter == other ? 0 : 1), row[j + 1] + 1, next[j] + 1))
      }
      row = next
    }
    return Double(row[b.count]) / Double(max(a.count, 1))
  }

  /// The 95th less the 5th percentile of L* along a page's bare margin, between 3 and 5 % inside its edges.
  private func marginSpread(_ path: String, _ corners: [SIMD2<Double>]) throws -> Double {
    Library.start()
    let picture = try PictureLoader.load(path).buffer
    let format = try PixelFormat("Y float")
    var values: [Double] = []
    func place(_ u: Double, _ v: Double) -> SIMD2<Double> {
      let (top, bottom) = (corners[0] + u * (corners[1] - corners[0]), corners[3] + u * (corners[2] - corners[3]))
      return top + v * (bottom - top)
    }
    for step in 0...60 {
      let along = 0.04 + 0.92 * Double(step) / 60
      for (u, v) in [(along, 0.04), (along, 0.96), (0.04, along), (0.96, along)] {
        let point = place(u, v)
        let area = Rectangle(x: Int(point.x) - 2, y: Int(point.y) - 2, width: 5, height: 5)
        let pixels = try picture.read(area, format: format, as: Float.self)
        values.append(Double(pixels.reduce(0, +)) / Double(pixels.count))
      }
    }
    values.sort()
    let white = values[values.count * 95 / 100]
    func lightness(_ part: Double) -> Double {
      Lab(XYZ(.d65, luminance: values[Int(part * Double(values.count - 1))] / white)).lightness
    }
    return lightness(0.95) - lightness(0.05)
  }
}
