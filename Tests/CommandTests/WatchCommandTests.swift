import GEGL
import Glibc
import JSONValue
import Photo
import TestSupport
import Testing

/// `watch`: files that arrive, at once and slowly.
@Suite struct WatchCommandTests {
  private func watch(_ series: SeriesFixture, _ words: [String]) throws -> RunningCommand {
    try RunningCommand(
      constantColor: ["watch", series.input, "--output", series.output, "--settle", "0.2"] + words)
  }

  @Test func filesThatArriveSlowly() throws {
    let series = try SeriesFixture(["first"])
    let running = try watch(series, ["--idle", "3", "--patience", "30"])
    #expect(wait(upTo: 60) { series.journal().count == 1 })
    _ = series.folder.folder("in/new")
    try series.add("new/second")
    // Half of it, closed; then a pause; then the rest.
    let bytes = try series.bytes(flash: true)
    try series.add("slow_ambient.png", flash: false)
    try series.folder.write(Array(bytes.prefix(bytes.count / 2)), "in/slow_flash.png")
    #expect(wait(upTo: 60) { series.journal().count == 2 })
    usleep(600_000)
    #expect(series.journal().compactMap { $0["name"].string }.sorted() == ["first", "new/second"])
    try series.folder.write(bytes, "in/slow_flash.png")
    // Held open for a while.
    let held = open(series.input + "/held_flash.png", O_WRONLY | O_CREAT, 0o600)
    try series.add("held_ambient.png", flash: false)
    _ = bytes.withUnsafeBytes { Glibc.write(held, $0.baseAddress, $0.count) }
    #expect(wait(upTo: 60) { series.journal().count == 3 })
    usleep(500_000)
    #expect(series.journal().count == 3)
    close(held)
    #expect(running.wait() == 0)
    #expect(
      try series.statuses() == ["first": "done", "new/second": "done", "slow": "done", "held": "done"])
    #expect(series.journal().count == 4)
    #expect(exists(series.output + "/new/second.png") && exists(series.output + "/index.html"))
    // The other command finds everything done.
    #expect(try series.batch().status == 0)
    #expect(series.journal().count == 4)
  }

  @Test func brokenFilesAndCtrlC() throws {
    let series = try SeriesFixture(["a"])
    let bytes = try series.bytes(flash: true)
    try series.folder.write(Array(bytes.prefix(100)), "in/b_flash.png")
    try series.add("b_ambient.png", flash: false)
    let running = try watch(series, ["--patience", "0.5"])
    #expect(wait(upTo: 60) { series.journal().count == 2 })
    #expect(wait(upTo: 20) { exists(series.output + "/report.json") })
    running.send(SIGINT)
    #expect(running.wait() == 1)
    #expect(try series.statuses() == ["a": "done", "b": "failed"])
    let usage = try Command.constantColor(["watch", series.input + "/no", "--output", series.output])
    #expect(usage.status == 2 && usage.errors.contains("no such folder"))
  }
}
