import Photo
import Testing

/// Frames with the metadata of one camera, changed as a test wants.
private func frame(
  _ path: String, width: Int = 6000, height: Int = 4000, _ change: (inout Metadata) -> Void = { _ in }
) -> Report.Frame {
  var metadata = Metadata(
    ExifBlock(
      image: [.text(271, "NIKON CORPORATION"), .text(272, "NIKON D850")],
      exposure: [
        .rational(33434, 1, 60), .rational(33437, 56, 10), .short(34855, 400), .rational(37386, 50, 1),
        .text(42033, "123"), .text(42036, "50mm f/1.8"), .text(36867, "2024:05:31 12:00:00"),
      ]))
  change(&metadata)
  return Report.Frame(path: path, width: width, height: height, metadata: metadata)
}

private func flash(_ change: (inout Metadata) -> Void = { _ in }) -> Report.Frame {
  frame("flash.dng") {
    $0.flashFired = true
    change(&$0)
  }
}

private func ambient(_ change: (inout Metadata) -> Void = { _ in }) -> Report.Frame {
  frame("ambient.dng") {
    $0.flashFired = false
    change(&$0)
  }
}

@Suite struct PairCheckTests {
  private func findings(
    _ flash: Report.Frame, _ ambient: Report.Frame, gain: Double? = 1.5, ratio: Double? = nil
  ) -> [Finding] {
    PairCheck(flash: flash, ambient: ambient, medianGain: gain, measuredRatio: ratio).findings
  }

  @Test func whatConcernsOneOfSeveralAmbientFramesNamesIt() {
    func second(_ change: (inout Metadata) -> Void = { _ in }) -> Report.Frame {
      frame("second.dng") {
        $0.flashFired = false
        change(&$0)
      }
    }
    #expect(PairCheck.findings(flash: flash(), ambients: [ambient(), second()], medianGain: 1.5) == [])
    let camera = PairCheck.findings(flash: flash(), ambients: [ambient(), second { $0.model = "NIKON D750" }])
    #expect(camera.count == 1 && camera[0].message.hasPrefix("second.dng: the frames are from two cameras"))
    let fired = PairCheck.findings(flash: flash(), ambients: [ambient(), second { $0.flashFired = true }])
    #expect(fired.count == 1 && fired[0].message.contains("second.dng"))
    // What concerns the flash frame is said once, and what a frame alone says is said as ever.
    let none = PairCheck.findings(flash: flash { $0.flashFired = false }, ambients: [ambient(), second()])
    #expect(none.count == 1 && none == findings(flash { $0.flashFired = false }, ambient()))
    let swapped = PairCheck.findings(
      flash: flash { $0.flashFired = false }, ambients: [ambient(), second { $0.flashFired = true }])
    #expect(swapped.first?.kind == .swapped && swapped.first?.severity == .error)
  }

  @Test func aGoodPairHasNothingToSay() {
    #expect(findings(flash(), ambient()).isEmpty)
    #expect(findings(flash(), ambient(), ratio: 1.2).isEmpty)
  }

  @Test func unknownIsNotJudged() {
    let nothing = Report.Frame(path: "a.png", width: nil, height: nil, metadata: Metadata())
    let other = Report.Frame(path: "b.png", width: nil, height: nil, metadata: Metadata())
    #expect(findings(nothing, other, gain: nil).isEmpty)
    #expect(findings(nothing, ambient()).isEmpty && findings(flash(), nothing).isEmpty)
  }

  @Test func swappedByTheirTags() throws {
    let swapped = findings(
      flash {
        $0.flashFired = false
      },
      ambient {
        $0.flashFired = true
      }, gain: 0.4)
    let finding = try #require(swapped.first)
    #expect(swapped.count == 1 && finding.severity == .error && finding.kind == .swapped)
    #expect(finding.message.contains("flash.dng") && finding.message.contains("--swap"))
  }

  @Test func swappedByTheirPictures() {
    // Without tags the pictures are asked; against both tags they only say that something is wrong.
    for (one, other) in [(nil, nil), (nil, false), (true, nil), (false, nil), (true, true)] as [(Bool?, Bool?)] {
      let found = findings(
        flash {
          $0.flashFired = one
        },
        ambient {
          $0.flashFired = other
        }, gain: 0.7)
      #expect(found.map(\.kind) == [.swapped] && found[0].severity == .warning)
      #expect(found[0].message.contains("--swap"))
    }
    #expect(findings(flash(), ambient(), gain: 0.7).map(\.kind) == [.exposure])
    #expect(findings(flash(), ambient(), gain: 0.96).isEmpty && findings(flash(), ambient(), gain: .nan).isEmpty)
  }

  @Test func flashesThatDidOtherwise() {
    #expect(findings(flash { $0.flashFired = false }, ambient()).map(\.kind) == [.flash])
    #expect(findings(flash(), ambient { $0.flashFired = true }).map(\.kind) == [.flash])
  }

  @Test func camerasAndLenses() {
    #expect(findings(flash(), ambient { $0.model = "NIKON D750" }).map(\.kind) == [.camera])
    #expect(findings(flash(), ambient { $0.serial = "124" }).map(\.kind) == [.camera])
    #expect(findings(flash(), ambient { $0.serial = nil }).isEmpty)
    #expect(findings(flash(), ambient { $0.model = "Nikon D850" }).isEmpty)
    #expect(findings(flash(), ambient { $0.lens = "85mm f/1.8" }).map(\.kind) == [.lens])
    #expect(findings(flash(), ambient { $0.focalLength = 70 }).map(\.kind) == [.lens])
    #expect(findings(flash(), ambient { $0.fNumber = 5.7 }).isEmpty)
    let aperture = findings(flash(), ambient { $0.fNumber = 4 })
    #expect(aperture.map(\.kind) == [.lens] && aperture[0].severity == .note)
  }

  @Test func sizes() {
    func size(_ width: Int, _ height: Int) -> [Finding] {
      findings(flash(), frame("ambient.dng", width: width, height: height) { $0.flashFired = false })
    }
    #expect(size(5999, 4001).map(\.severity) == [.note])
    #expect(size(4000, 6000).map(\.severity) == [.warning] && size(4000, 6000)[0].message.contains("upright"))
    #expect(size(3000, 2000).map(\.severity) == [.warning])
    #expect(size(6000, 4000).isEmpty)
  }

  @Test func exposures() {
    #expect(findings(flash(), ambient { $0.exactExposureTime = 10 }).map(\.kind) == [.exposure])
    #expect(findings(flash(), ambient { $0.exactExposureTime = 1 }).isEmpty)
    #expect(findings(flash(), ambient(), ratio: 2).map(\.kind) == [.exposure])
    #expect(findings(flash(), ambient(), ratio: 0).isEmpty && findings(flash(), ambient(), ratio: .nan).isEmpty)
  }

  @Test func times() throws {
    let start = try #require(flash().metadata.time)
    #expect(findings(flash(), ambient { $0.time = start + 20 }).isEmpty)
    #expect(findings(flash(), ambient { $0.time = start - 90 }).map(\.severity) == [.note])
    let hours = findings(flash(), ambient { $0.time = start + 9000 })
    #expect(hours.map(\.severity) == [.warning] && hours[0].message.contains("2.5 hours"))
    #expect(findings(flash(), ambient { $0.time = 1e30 }).count == 1)
  }

  @Test func theWorstComesFirst() {
    let found = findings(
      flash { $0.flashFired = false },
      ambient {
        $0.flashFired = true
        $0.fNumber = 4
        $0.model = "another"
      })
    #expect(found.map(\.severity) == [.error, .warning, .note])
    for finding in found { #expect(!finding.message.contains("\n") && finding.message.count > 20) }
    #expect(
      found[0].json.text(indented: false).hasPrefix("{\"severity\":\"error\",\"kind\":\"swapped\",\"message\":\""))
  }
}
