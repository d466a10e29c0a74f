import TestSupport
import Testing

/// The procedures without a display: they give what the command gives.
@Suite(.serialized, .enabled(if: GIMPFixture.isInstalled, "GIMP is not installed"))
struct ProcedureTests {
  private let gimp: GIMPFixture

  init() throws { gimp = try GIMPFixture.shared.get() }

  @Test func twoFilesGiveTheCommandsPixels() throws {
    let xcf = gimp.path("pair.xcf")
    let run = try gimp.run(
      """
      (let* ((r (plug-in-constant-color-from-pair 1 "\(gimp.flash)" "\(gimp.ambient)" "" "flash" "auto" "auto" 0 3 ""
                  "channel" TRUE "p3")))
        (gimp-message (string-append "mean " (number->string (list-ref r 4))))
        (gimp-xcf-save 0 (car r) (cadr r) "\(xcf)" "x")
        (gimp-image-delete (car r)))
      """)
    let image = try XCFFile(xcf)
    let command = try gimp.develop(gimp.flash, gimp.ambient, [])
    #expect(image.precision == 650, "32-bit float, with the curve of its profile")
    #expect(image.layers.map(\.isVisible) == [true, false])
    #expect(image.layer("Constant color")?.floats == command.result)
    #expect(image.layer("Fallback")?.floats == command.fallback)
    #expect(image.channels.first?.floats == command.confidence)
    #expect(run.isSilent, "\(run.errors)")
    #expect(run.output.contains("mean 0.") || run.errors.contains("mean 0."))
  }

  /// Options that change the result, each as the command has it.
  @Test func optionsMeanWhatTheyMeanInTheCommand() throws {
    let xcf = gimp.path("options.xcf")
    let run = try gimp.run(
      """
      (let* ((r (plug-in-constant-color-from-pair 1 "\(gimp.flash)" "\(gimp.ambient)" "" "ambient" "translation" "-0.5"
                  0.45 5 "5200,0.004" "mask" FALSE "rec2020")))
        (gimp-xcf-save 0 (car r) (cadr r) "\(xcf)" "x")
        (gimp-image-delete (car r)))
      """)
    let image = try XCFFile(xcf)
    let command = try gimp.develop(
      gimp.flash, gimp.ambient,
      ["--look", "ambient", "--align", "translation", "--exposure", "-0.5", "--exposure-ratio", "0.45"]
        + ["--tolerance", "5", "--flash-white", "5200,0.004", "--space", "rec2020"])
    #expect(image.layers.count == 1 && image.channels.isEmpty)
    #expect(image.layers.first?.floats == command.result)
    #expect(run.isSilent, "\(run.errors)")
  }

  @Test(arguments: [(100, 150), (200, 250)]) func twoLayersGiveTheCommandsPixels(
    _ precision: Int, _ stored: Int
  ) throws {
    let plain = try gimp.plainPair()
    let files = ["flash", "ambient"].map { gimp.path("layer-\(precision)-\($0).png") }
    let xcf = gimp.path("layers.xcf")
    let run = try gimp.run(
      """
      (let* ((image (car (gimp-file-load 1 "\(plain.ambient)" "a")))
             (ambient (car (gimp-image-get-active-layer image)))
             (flash (car (gimp-file-load-layer 1 image "\(plain.flash)"))))
        (gimp-image-insert-layer image flash 0 0)
        (if (not (= (car (gimp-image-get-precision image)) \(stored))) (gimp-image-convert-precision image \(stored)))
        (file-png-save 1 image flash "\(files[0])" "f" 0 1 0 0 0 0 0)
        (file-png-save 1 image ambient "\(files[1])" "a" 0 1 0 0 0 0 0)
        (plug-in-constant-color 1 image flash ambient "" "flash" "auto" "auto" 0 3 "" "mask" TRUE)
        (gimp-xcf-save 0 image flash "\(xcf)" "x")
        (gimp-image-delete image))
      """)
    let image = try XCFFile(xcf)
    let command = try gimp.develop(files[0], files[1], ["--space", "srgb"])
    #expect(image.precision == stored)
    #expect(image.layers.map(\.name).prefix(1) == ["Constant color"])
    #expect(image.layers.map(\.isVisible) == [true, false, true, true])
    let isWide = precision == 200
    func integers(_ values: [Float]) -> [UInt16] {
      values.map { UInt16(min(max($0, 0), 1) * (isWide ? 65535 : 255) + 0.5) }
    }
    let result = try #require(image.layer("Constant color"))
    #expect(result.integers(wide: isWide) == integers(command.result))
    #expect(image.layer("Fallback")?.integers(wide: isWide) == integers(command.fallback))
    #expect(result.integers(of: result.mask, wide: isWide) == integers(command.confidence))
    #expect(run.isSilent, "\(run.errors)")
  }

  @Test func whatIsWrongIsSaidInOneLine() throws {
    let cases = [
      (#""/nowhere.png" "/nowhere.png" "" "flash" "auto" "auto" 0 3 """#, "/nowhere.png: there is no such file"),
      (#""f" "a" "" "dark" "auto" "auto" 0 3 """#, "look is flash or ambient, not 'dark'"),
      (#""f" "a" "" "flash" "bend" "auto" 0 3 """#, "align is one of auto, none,"),
      (#""f" "a" "" "flash" "auto" "bright" 0 3 """#, "exposure is auto, fixed, or a gain"),
      (#""f" "a" "" "flash" "auto" "auto" -1 3 """#, "exposure-ratio is 0, or a number"),
      (#""f" "a" "" "flash" "auto" "auto" 0 0 """#, "tolerance is a number from 0.1 to 50"),
      (#""f" "a" "p.json" "flash" "auto" "auto" 0 3 "5000""#, "profile replaces flash-white"),
      (#""f" "a" "" "flash" "auto" "auto" 0 3 "blue""#, "flash-white is CIE x,y"),
    ]
    let run = try gimp.run(
      cases.map { #"(plug-in-constant-color-from-pair 1 \#($0.0) "channel" TRUE "p3")"# })
    for (arguments, message) in cases {
      #expect((run.output + run.errors).contains(message), "\(arguments): \(run.output) \(run.errors)")
    }
  }

  @Test func layersThatAreNoPairLeaveTheImageAlone() throws {
    let run = try gimp.run(
      """
      (define (layer image type) (let ((l (car (gimp-layer-new image 9 7 type "l" 100 0))))
        (gimp-image-insert-layer image l 0 0) l))
      (define (try image flash ambient)
        (catch (gimp-message (string-append "layers " (number->string (car (gimp-image-get-layers image)))))
          (plug-in-constant-color 1 image flash ambient "" "flash" "auto" "auto" 0 3 "" "channel" TRUE)
          (gimp-message "done")))
      (let* ((grey (car (gimp-image-new 9 7 GRAY))) (one (layer grey GRAY-IMAGE)) (other (layer grey GRAY-IMAGE))
             (image (car (gimp-image-new 9 7 RGB))) (same (layer image RGB-IMAGE)))
        (try grey one other) (try image same same) (try image same one)
        (gimp-image-delete grey) (gimp-image-delete image))
      """)
    let text = run.output + run.errors
    #expect(text.contains("layers 2") && text.contains("layers 1") && !text.contains("done"), "\(text)")
  }

  @Test func theProcedureBrowserTellsEverything() throws {
    let file = gimp.path("pdb.txt")
    _ = try gimp.run("(gimp-procedural-db-dump \"\(file)\")")
    let text = try contents(file)
    for word in [
      "\"plug-in-constant-color\"", "\"plug-in-constant-color-from-pair\"", "exposure-ratio", "tolerance",
      "constant-color calibrate", "mean-confidence",
    ] { #expect(text.contains(word), "\(word)") }
  }
}
