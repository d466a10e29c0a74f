import GEGL
import Glibc
import JSONValue
import Photo
import TestSupport
import Testing

/// `batch`: what it writes, what it does with broken pairs, and that it goes on where it was stopped.
@Suite struct BatchCommandTests {
  @Test func everyPairOnce() throws {
    let series = try SeriesFixture(["a", "b <&> ü", "sub"])
    _ = series.folder.folder("in/deep")
    try series.add("deep/flash.png", flash: true)
    try series.add("deep/noflash.png", flash: false)
    let first = try series.batch(["--fallback"])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.isEmpty, "\(first.errors)")
    #expect(first.output.hasPrefix("4 pairs: 4 done; see "))
    let stems = ["a", "b <&> ü", "deep", "sub"]
    let files = stems.flatMap { ["\($0).png", "\($0)_confidence.png", "\($0)_fallback.png", "\($0)_report.json"] }
    #expect(Set(try series.written()) == Set(files + ["index.html", "report.csv", "report.json"]))
    #expect(try series.statuses() == Dictionary(uniqueKeysWithValues: stems.map { ($0, "done") }))
    #expect(series.journal().count == 4)

    // The same as of 'develop'.
    let single = try Command.constantColor([
      "develop", "--flash", series.input + "/a_flash.png", "--ambient", series.input + "/a_ambient.png", "--output",
      series.folder.path + "/single.png",
    ])
    #expect(single.status == 0)
    #expect(try samples(series.folder.path + "/single.png") == samples(series.output + "/a.png"))

    // Nothing is done again, unless something has changed.
    #expect(try series.batch(["--fallback"]).status == 0)
    #expect(series.journal().count == 4)
    _ = try Command(["touch", "-d", "2020-01-01", series.input + "/a_ambient.png"])
    _ = try Command(["rm", series.output + "/sub.png"])
    #expect(try series.batch(["--fallback"]).status == 0)
    #expect(series.journal().dropFirst(4).compactMap { $0["name"].string }.sorted() == ["a", "sub"])
    #expect(try series.batch(["--fallback", "--exposure", "1"]).status == 0)
    #expect(series.journal().count == 10)

    let table = try contents(series.output + "/report.csv").split(separator: "\r\n")
    #expect(table.count == 5)
    #expect(table[0].hasPrefix("name,status,flash,ambient,"))
    #expect(table[2].hasPrefix("b <&> ü,done,"))
    let page = try contents(series.output + "/index.html")
    #expect(page.contains("b &lt;&amp;&gt; ü") && page.contains("href=\"./b%20%3C%26%3E%20%C3%BC.png\""))
    #expect(page.components(of: "src=\"data:image/jpeg;base64,") == 4)
    #expect(!page.contains("<script"))
  }

  @Test func brokenPairsDoNotStopTheRest() throws {
    let series = try SeriesFixture(["a", "b", "c", "d", "e", "f"])
    let place = series.input
    PairFixture.write("no picture", to: place + "/a_flash.png")
    PairFixture.write("", to: place + "/b_ambient.png")
    _ = try Command(["truncate", "-s", "200", place + "/c_flash.png"])
    _ = try Command(["rm", place + "/d_ambient.png"])
    try series.add("e_with_flash.png", flash: true)
    _ = try Command([
      "sh", "-c", "rm '\(place)/g_flash.png'; mkfifo '\(place)/g_flash.png'; ln -s /no '\(place)/g_ambient.png'",
    ])
    let run = try series.batch(["--threshold", "1"])
    #expect(run.status == 1)
    for name in ["a_flash", "b_ambient", "c_flash", "d_flash", "e_with_flash", "e_flash", "e_ambient", "g_flash"] {
      #expect(run.errors.contains("\(name).png: "), "\(name): \(run.errors)")
    }
    #expect(run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("constant-color: ") })
    #expect(try series.statuses() == ["a": "failed", "b": "failed", "c": "failed", "f": "retake", "g": "failed"])
    #expect(try series.written().filter { $0.hasPrefix("a") || $0.hasPrefix("g") }.isEmpty)
    let table = try contents(series.output + "/report.csv").split(separator: "\r\n")
    #expect(table.count { $0.contains(",unpaired,") } == 4)

    // What failed for good is told again without being tried; --retry tries it.
    let before = series.journal().count
    #expect(try series.batch(["--threshold", "1"]).errors.contains("a_flash.png: "))
    #expect(series.journal().count == before)
    #expect(try series.batch(["--threshold", "1", "--retry"]).status == 1)
    #expect(series.journal().count == before + 4)
  }

  @Test func exitStatus() throws {
    let series = try SeriesFixture(["a"])
    let run = try series.batch(["--threshold", "1"])
    #expect(run.status == 3 && run.output.contains("1 to be taken again"))
    #expect(try contents(series.output + "/index.html").contains("take again"))
    #expect(try series.batch(["--threshold", "0"]).status == 0)
  }

  /// Killed again and again, as hard as can be: what is finished stays, and nothing is done twice.
  @Test func goesOnAfterItWasKilled() throws {
    let series = try SeriesFixture((1...6).map { "p\($0)" })
    for entries in 1...3 {
      let running = try RunningCommand(constantColor: ["batch", series.input, "--output", series.output, "--jobs", "2"])
      #expect(wait(upTo: 60) { series.journal().count >= entries })
      running.send(SIGKILL)
      #expect(running.wait() == 128 + SIGKILL)
    }
    // A line that was cut off.
    _ = try Command(["sh", "-c", "printf '{\"name\":\"p6\",\"st' >> '\(series.output)/.constant-color/journal'"])
    let known = series.journal().compactMap { $0["name"].string }
    #expect(known.count >= 3)
    #expect(try series.batch().status == 0)
    let names = series.journal().compactMap { $0["name"].string }
    #expect(names.sorted() == (1...6).map { "p\($0)" })
    #expect(try series.written().count == 6 * 3 + 3)
    #expect(try Command(["find", series.output, "-name", "*.part", "-o", "-path", "*/work/*"]).output.isEmpty)
  }

  @Test func interruption() throws {
    let series = try SeriesFixture((1...4).map { "p\($0)" })
    let running = try RunningCommand(constantColor: ["batch", series.input, "--output", series.output, "--jobs", "1"])
    #expect(wait(upTo: 60) { series.journal().count >= 1 })
    running.send(SIGINT)
    #expect(running.wait() == 130)
    #expect(try series.statuses().values.contains("pending"))
    #expect(try series.batch().status == 0)
    #expect(series.journal().count == 4)
  }

  @Test func tablesAndTheirOptions() throws {
    let series = try SeriesFixture(["a", "b"])
    PairFixture.write(
      "flash,ambient,name,options\na_flash.png,a_ambient.png,first,--exposure-ratio 2\nb_flash.png,b_ambient.png,,\nb_flash.png,no.png,third,--output x\n",
      to: series.input + "/list.csv")
    let run = try Command.constantColor([
      "batch", "--manifest", series.input + "/list.csv", "--output", series.output, "--exposure-ratio", "1.5",
    ])
    #expect(run.status == 1)
    #expect(run.errors.contains("third: unknown option '--output'"))
    #expect(try series.statuses() == ["first": "done", "b_flash": "done", "third": "failed"])
    #expect(try series.json("first_report.json")["exposureRatio"].double == 2)
    #expect(try series.json("b_flash_report.json")["exposureRatio"].double == 1.5)
    PairFixture.write("flash,ambient\nx\n", to: series.input + "/list.csv")
    let wrong = try Command.constantColor([
      "batch", "--manifest", series.input + "/list.csv", "--output", series.output,
    ])
    #expect(wrong.status == 2 && wrong.errors.contains("list.csv:2: names no photograph without flash"))
  }

  @Test func wrongUsage() throws {
    let series = try SeriesFixture(["a"])
    for (words, text) in [
      ([], "name the folder"), ([series.input], "'--output' is missing"),
      ([series.input, "--output", series.input + "/"], "holds the photographs"),
      ([series.input, "x", "--output", series.output], "'x' is not expected"),
      ([series.folder.path + "/no", "--output", series.output], "there is no such folder"),
      ([series.input, "--output", series.output, "--format", "bmp"], "'--format' takes"),
      ([series.input, "--output", series.output, "--flash-name", "*_F"], "belong together"),
      ([series.input, "--output", series.output, "--flash-name", "F", "--ambient-name", "*"], "one *"),
      ([series.input, "--output", series.output, "--threshold", "2"], "--threshold"),
      ([series.input, "--output", series.output, "--profile", "no.json"], "no.json"),
      ([series.input, "--output", series.output, "--pair-by", "metadata"], "holds no pairs"),
      ([series.input, "--output", series.folder.path + "/no/such"], "create that first"),
    ] {
      let run = try Command.constantColor(["batch"] + words)
      #expect(run.status == 2, "\(words): \(run.errors)")
      #expect(run.errors.contains(text), "\(words): \(run.errors)")
    }
    #expect(!exists(series.output))
    // Two at a time do not write into one folder.
    #expect(try series.batch().status == 0)
    let lock = try RunningCommand(["flock", series.output + "/.constant-color/lock", "sleep", "60"])
    #expect(try wait(upTo: 10) { try series.batch().errors.contains("another batch or watch") })
    lock.send(SIGKILL)
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
