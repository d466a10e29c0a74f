import Glibc
import JSONValue
import Photo
import TestSupport
import Testing

/// `record`: what a nurse does with it, what it refuses, and that nothing gets lost.
@Suite struct RecordCommandTests {
  @Test func fromTheFirstCaptureToTheReport() throws {
    let fixture = try RecordFixture()
    let first = try fixture.add(1)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.hasPrefix("P-1, left arm: record 1, the first of series 1, confidence 0."))
    for words in ["middle: ", "a* ", "hue ", "erythema ", " ± ", "needs L*: put a grey card"] {
      #expect(first.output.contains(words), "\(first.output)")
    }
    #expect(try fixture.add(2, ["--threshold", "0.05", "--quiet", "--date", "2026-05-31"]).output.isEmpty)
    let list = try fixture.record(["list"])
    #expect(
      list.status == 0 && list.output.contains("2026-05-31T00:00:00")
        && list.output.contains(
          "P-1, left "
            + "arm, series 1")
    )

    let page = fixture.pair.path("report.html")
    #expect(try fixture.record(["report", "--output", page] + RecordFixture.site).status == 0)
    let html = try contents(page)
    #expect(
      html.contains("<svg")
        && html.contains(
          "± at 95 "
            + "%")
        && !html.contains("<script") && !html.contains("http://localhost"))
    #expect(html.contains("not from narrow-band reflectance") && html.contains("L* is missing: needs L*"))
    #expect(try Command(["python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", page]).status == 0)
    let table = try fixture.record(["report", "--output", "-"] + RecordFixture.site)
    #expect(table.output.split(separator: "\r\n").count == 3)

    let check = try fixture.record(["check"])
    #expect(check.status == 0 && check.output.contains("nothing is wrong with 2 records"))
    for path in [fixture.database, page] {
      #expect(try Command(["stat", "-c", "%a", path]).output == "600\n", "\(path)")
    }
    #expect(try Command(["ls", "-A", fixture.pair.path("records")]).output == "skin.db\n")
  }

  @Test func nothingIsLostInExport() throws {
    let fixture = try RecordFixture()
    for number in 1...2 { #expect(try fixture.add(number).status == 0) }
    let folder = fixture.pair.path("export")
    let export = try fixture.record(["export", folder])
    #expect(export.status == 0, "\(export.errors)")
    #expect(
      try Command(["ls", folder]).lines == [
        "1_confidence.png", "1_picture.png", "2_confidence.png", "2_picture.png", "records.csv", "records.json",
      ])
    #expect(try Command(["stat", "-c", "%a", folder, folder + "/1_picture.png"]).output == "700\n600\n")
    let json = try JSON(parsing: Array(TextFile.read(folder + "/records.json").utf8))
    #expect(json.elements == (try fixture.records()))
    // The stored picture is that of 'develop'.
    let developed = fixture.pair.path("developed.png")
    let map = fixture.pair.path("map.png")
    _ = try Command.constantColor(["develop"] + fixture.pair.inputs + ["--output", developed, "--confidence", map])
    #expect(try samples(folder + "/1_picture.png") == samples(developed))
    #expect(try samples(folder + "/1_confidence.png", "Y u16") == samples(map, "Y u16"))
    #expect(try fixture.record(["export", folder]).errors.contains("not empty"))
    let copy = fixture.pair.path("copy.db")
    #expect(try fixture.record(["export", copy]).status == 0)
    #expect(try Command.constantColor(["record", "check", "--database", copy]).output.contains("2 records"))
    #expect(try Command(["stat", "-c", "%a", copy]).output == "600\n")
  }

  @Test func belowTheThresholdItAsksForARetake() throws {
    let fixture = try RecordFixture()
    let refused = try fixture.add(1, ["--threshold", "1"])
    #expect(refused.status == 3)
    #expect(refused.errors.contains("take the photographs again: ") && refused.errors.contains("nothing was added"))
    #expect(try fixture.records().isEmpty)
    let kept = try fixture.add(1, ["--threshold", "1", "--keep"])
    #expect(kept.status == 3 && kept.output.contains("below 1.00"))
    let record = try #require(try fixture.records().first)
    #expect(record["belowThreshold"] == .bool(true))
    // No pixel is trusted so much: there is no number, and the reason for it.
    let region = record["regions"].elements?.first ?? .null
    #expect(region["a"]["value"] == .null && region["a"]["reason"].string?.contains("are trusted") == true)
    #expect(try fixture.record(["check"]).status == 0)
  }

  /// Why a capture is no good is seen in it.
  @Test func adviceFitsWhatIsWrong() throws {
    let fixture = try RecordFixture()
    func advice(_ flash: [Double], _ ambient: [Double], _ more: [String] = []) throws -> [String] {
      let (one, other) = (fixture.pair.path("one.png"), fixture.pair.path("other.png"))
      try PairFixture.write(one, 96, 64, light: flash)
      try PairFixture.write(other, 96, 64, light: ambient)
      let run = try Command.constantColor(
        [
          "record", "add", "--database", fixture.database, "--flash", one, "--ambient", other, "--report", "-",
          "--quiet",
        ]
          + ["--exposure-ratio", "1", "--threshold", "1"] + RecordFixture.site + more)
      #expect(run.status == 3, "\(run.errors)")
      let report = try JSON(parsing: Array(run.output.utf8))
      #expect(report["added"] == .bool(false) && report["retake"] == .bool(true))
      return (report["advice"].elements ?? []).compactMap { $0["kind"].string }
    }
    #expect(try advice([0.7, 0.6, 0.5], [0.5, 0.4, 0.3]).contains("room-light"))
    #expect(try advice([1.6, 1.6, 1.6], [0.1, 0.1, 0.1]).contains("glare"))
    #expect(try advice([0.2, 0.2, 0.2], [0.7, 0.6, 0.5]).contains("flash"))
    #expect(try !advice([0.7, 0.6, 0.5], [0.1, 0.1, 0.1]).contains("room-light"))
  }

  @Test func nothingPersonalIsKept() throws {
    let fixture = try RecordFixture()
    let pair = try PairFixture(named: "jpg")
    let (flash, ambient) = (pair.path("Erika Mustermann.jpg"), pair.ambient)
    _ = try Command(["mv", pair.flash, flash])
    let tagged = try Command([
      "exiftool", "-q", "-overwrite_original", "-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-GPSLongitude=11.5",
      "-GPSLongitudeRef=E", "-Artist=Erika Mustermann", "-Copyright=Erika Mustermann", "-OwnerName=Erika Mustermann",
      "-UserComment=Mustermann", "-ImageDescription=Mustermann", "-SerialNumber=4711", "-Model=Tester", "-ISO=100",
      "-ExposureTime=1/60", "-FNumber=4", "-DateTimeOriginal=2026:05:31 10:11:12", flash,
    ])
    #expect(tagged.status == 0, "\(tagged.errors)")
    let run = try Command.constantColor(
      ["record", "add", "--database", fixture.database, "--flash", flash, "--ambient", ambient, "--threshold", "0"]
        + RecordFixture.site)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.output.contains("Muster"))
    let folder = fixture.pair.path("export")
    _ = try fixture.record(["export", folder])
    let exif = try Command(["exiftool", "-a", "-G1", folder + "/1_picture.png"]).output
    #expect(exif.contains("Tester") && exif.contains("2026:05:31 10:11:12"))
    for word in ["GPS", "Muster", "4711"] { #expect(!exif.contains(word), "\(exif)") }
    #expect(try fixture.records().first?["taken"].string == "2026-05-31T10:11:12")
    for file in [fixture.database, folder + "/records.json", folder + "/records.csv"] {
      #expect(try Command(["grep", "-c", "-a", "Muster", file]).status == 1, "\(file)")
    }
  }

  @Test func aSeriesStaysOne() throws {
    let fixture = try RecordFixture()
    #expect(try fixture.add(1).status == 0)
    let other = try fixture.add(2, ["--threshold", "0.05", "--exposure", "fixed"])
    #expect(other.status == 2 && other.errors.contains("--exposure auto there, fixed here"))
    #expect(other.errors.contains("--new-series"))
    #expect(try fixture.add(1).errors.contains("is in the series already, as record 1"))
    let grey = try fixture.add(2, ["--threshold", "0.05", "--grey", "2,2,12,12=0.5"])
    #expect(grey.status == 2 && grey.errors.contains("lightness by none there, by grey card here"))
    let new = try fixture.add(2, ["--threshold", "0.05", "--grey", "2,2,12,12=0.5", "--new-series"])
    #expect(new.status == 0 && new.output.contains("the first of series 2"), "\(new.errors)")
    let region = try fixture.records().last?["regions"].elements?.first ?? .null
    #expect(region["lightness"]["value"].double != nil && region["lightness"]["margin95"].double != nil)
    #expect(try fixture.records().count == 2)
  }

  @Test func severalAtOnce() throws {
    let fixture = try RecordFixture()
    let running = try (1...3).map { try RunningCommand(constantColor: fixture.words($0)) }
    #expect(running.map { $0.wait() } == [0, 0, 0])
    #expect(try fixture.records().count == 3 && fixture.record(["check"]).status == 0)
  }

  /// Killed at any moment, as hard as can be.
  @Test func killedWhileAdding() throws {
    let fixture = try RecordFixture()
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try fixture.add(0).status == 0)
    let whole = Int((clock.now - start) / .microseconds(1))
    var before = try fixture.records()
    for number in 1...8 {
      let running = try RunningCommand(constantColor: fixture.words(number))
      usleep(UInt32(whole * (number + 2) / 10))
      running.send(SIGKILL)
      running.wait()
      let check = try fixture.record(["check"])
      #expect(check.status == 0, "\(check.errors)")
      let now = try fixture.records()
      #expect(Array(now.prefix(before.count)) == before)
      #expect(try Command(["ls", "-A", fixture.pair.path("records")]).output == "skin.db\n")
      before = now
    }
  }

  @Test func thePipeline() throws {
    let fixture = try RecordFixture()
    let report = fixture.pair.path("report.html")
    func run(_ number: Int, _ more: [String]) throws -> Command {
      let files = try fixture.capture(number)
      return try Command(
        ["\(Built.root)/Scripts/pipelines/skin", "P-1", "left arm", files[1], files[3], report] + more
          + ["--database", fixture.database], environment: ["CONSTANT_COLOR_BIN": Built.folder])
    }
    // Nothing is there to be reported yet.
    #expect(try run(1, ["--threshold", "1"]).status == 3 && !exists(report))
    let added = try run(1, ["--threshold", "0.05"])
    #expect(added.status == 0 && exists(report), "\(added.errors)")
    #expect(try run(2, ["--threshold", "1"]).status == 3)
    #expect(try run(2, ["--exposure", "fixed"]).status == 2)
    #expect(try fixture.records().count == 1)
  }

  @Test func removing() throws {
    let fixture = try RecordFixture()
    for number in 1...3 { #expect(try fixture.add(number).status == 0) }
    #expect(try fixture.record(["remove", "9"]).errors.contains("there is no record 9"))
    #expect(try fixture.record(["remove", "2"]).output == "1 record removed\n")
    #expect(
      try fixture.record(["remove", "--subject", "P-1"]).errors.contains(
        "removes 2 records for good; "
          + "give --yes"))
    #expect(try fixture.record(["remove", "--subject", "P-1", "--yes"]).output == "2 records removed\n")
    #expect(try fixture.record(["list"]).output == "no records\n")
  }

  @Test func wrongUsage() throws {
    let fixture = try RecordFixture()
    let capture = try fixture.capture(1)
    for (words, text) in [
      ([], "'record' takes one of add, list"), (["ad"], "did you mean 'add'?"),
      (["add"] + capture, "'--subject' is missing"), (["add", "--subject", "P-1"] + capture, "'--site' is missing"),
      (["add", "--subject", "Anna Müller", "--site", "arm"] + capture, "no name of a person"),
      (["add"] + RecordFixture.site, "'--flash' is missing"),
      (["add", "--region", "1,2,3"] + RecordFixture.site + capture, "'--region' takes left, top"),
      (["add", "--region", "1,2,3,99999999999999999999"] + RecordFixture.site + capture, "'--region' takes left, top"),
      (["add", "--region", "90,2,30,10"] + RecordFixture.site + capture, "does not lie in the picture of 96 × 64"),
      (["add", "--region", "1,2,3,4", "--region", "region 1=1,2,3,4"] + RecordFixture.site + capture, "given twice"),
      (["add", "--grey", "1,2,3,4=7"] + RecordFixture.site + capture, "'--grey' takes"),
      (
        ["add", "--distance", "fixed"] + RecordFixture.site + capture,
        "together with '--exposure fixed' and "
          + "'--profile'"
      ),
      (["add", "--exposure", "1"] + RecordFixture.site + capture, "'--exposure' takes auto or fixed here"),
      (["add", "--date", "yesterday"] + RecordFixture.site + capture, "'--date' takes a date"),
      (["add", "--format", "bmp"] + RecordFixture.site + capture, "'--format' takes one of"),
      (["add", "--profile", "no.json"] + RecordFixture.site + capture, "no.json"),
      (
        ["list"],
        "there is no such "
          + "database"
      ),
      (["report", "--output", "x.html", "--subject", "P-1"], "'--site' is missing"),
      (["report", "--output", "x.pdf"] + RecordFixture.site, "a report is a page"),
      (
        ["export"],
        "takes one "
          + "folder or file"
      ),
      (["remove"], "takes numbers of records"), (["check", "x"], "'x' is not expected"),
    ] {
      let run = try Command.constantColor(["record"] + words + (words.isEmpty ? [] : ["--database", fixture.database]))
      #expect(run.status == 2 && run.errors.contains(text), "\(words): \(run.status) \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      unlink(fixture.database)
    }
    for name in ["", "add", "list", "report", "export", "remove", "check"] {
      let help = try Command.constantColor(["record", name, "--help"].filter { !$0.isEmpty })
      #expect(help.status == 0 && help.output.hasPrefix("usage: constant-color record"), "\(name)")
    }
  }
}
