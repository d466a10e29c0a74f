import Glibc
import TestSupport
import Testing

/// The dialog, with a mouse and a keyboard that are none, on a display that nobody sees.
@Suite(.serialized, .enabled(if: GIMPFixture.isDisplayInstalled, "GIMP, Xvfb or xdotool is not installed"))
struct DialogTests {
  private let gimp: GIMPFixture

  init() throws { gimp = try GIMPFixture.shared.get() }

  /// Applies it, takes it back, does it again, cancels the dialog, closes the image.
  @Test func appliesUndoesRedoesAndCancels() throws {
    let plain = try gimp.plainPair()
    let steps = ["applied", "undone", "redone", "cancelled"].map { gimp.path($0) }
    let session = try session(
      plain, saving: steps,
      script: """
        (ask) (gimp-displays-flush)
        \(steps.prefix(3).map { "(save \"\($0)\")" }.joined(separator: " "))
        (ask)
        (save "\(steps[3])")
        """,
      hands: """
        press "$(window '^Constant Color$')" alt+o
        image=$(window '4 layers')
        saved "$1"
        press "$image" ctrl+z
        window ' 2 layers' >/dev/null
        saved "$2"
        press "$image" ctrl+y
        window ' 4 layers' >/dev/null
        saved "$3"
        dialog=$(window '^Constant Color$')
        sleep 1
        press "$dialog" Escape
        saved "$4"
        """)
    let layers = try steps.map { try XCFFile($0 + ".xcf").layers.map(\.name) }
    #expect(layers[0].count == 4 && layers[0].first == "Constant color", "\(layers)")
    #expect(layers[1].count == 2 && !layers[1].contains("Constant color"), "\(layers)")
    #expect(layers[2] == layers[0])
    #expect(layers[3] == layers[0])
    // What the dialog did is what the procedure does.
    let command = try gimp.develop(plain.flash, plain.ambient, ["--space", "srgb"])
    let result = try XCFFile(steps[0] + ".xcf").layer("Constant color")
    #expect(result?.integers(wide: true) == command.result.map { UInt16(min(max($0, 0), 1) * 65535 + 0.5) })
    expectSilence(session)
  }

  /// GIMP ends the plug-in when its progress is cancelled: nothing is left in the image, nobody complains, and GIMP goes on.
  @Test func cancelledHalfWayLeavesTheImageAlone() throws {
    let plain = try gimp.plainPair()
    let names = ["changed", "stopped"].map { gimp.path($0) }
    let session = try session(
      plain, saving: names,
      // Large, so that it takes a while. An undo step makes an image dirty.
      script: """
        (gimp-image-undo-disable image)
        (gimp-image-scale image 4000 3000)
        (gimp-image-undo-enable image)
        (gimp-image-clean-all image)
        (gimp-displays-flush)
        (ask)
        (if (= (car (gimp-image-is-dirty image)) TRUE) (save "\(names[0])") (save "\(names[1])"))
        """,
      hands: """
        press "$(window '^Constant Color$')" alt+o
        progress=$(window '^Progress$')
        plugin=$(pgrep -P $gimp -f plug-ins/constant-color) || { echo "no plug-in"; exit 1; }
        # Long enough for it to be aligning, at least.
        sleep 1
        press "$progress" alt+c
        for i in $(seq 20); do kill -0 $plugin 2>/dev/null || break; sleep 0.1; done
        kill -0 $plugin 2>/dev/null && { echo "the plug-in goes on"; exit 1; }
        saved "$2"
        """)
    #expect(!exists(names[0] + ".xcf"), "the image was changed")
    #expect(try XCFFile(names[1] + ".xcf").layers.count == 2)
    expectSilence(session)
  }

  private func expectSilence(_ session: Command) {
    for word in ["constant-color", "Constant Color", "ConstantColor", "crash", "CRITICAL"] {
      #expect(!session.errors.contains(word), "\(session.errors)")
    }
  }

  /// GIMP with the ambient frame of a pair and the flash frame above it. A script, in GIMP's own process of scripts, asks
  /// with the dialog and saves the image when it is told to, while hands work in the windows.
  private func session(
    _ pair: (flash: String, ambient: String), saving names: [String], script: String, hands: String
  ) throws -> Command {
    let script = """
      (let* ((image (aref (cadr (gimp-image-list)) 0)) (ambient (car (gimp-image-get-active-layer image)))
             (flash (car (gimp-file-load-layer 1 image "\(pair.flash)"))))
        (define (ask) (catch #f (plug-in-constant-color 0 image flash ambient "" "" "" "" 0 0 "" "" 0)))
        (define (save name)
          (while (not (file-exists? (string-append name ".go"))) (usleep 50000))
          (gimp-xcf-save 0 image (car (gimp-image-get-active-layer image)) (string-append name ".xcf") "x")
          (gimp-xcf-save 0 image (car (gimp-image-get-active-layer image)) (string-append name ".done") "x"))
        (gimp-image-undo-disable image)
        (gimp-image-insert-layer image flash 0 0)
        (gimp-image-undo-enable image)
        \(script))
      (gimp-quit 1)
      """
    try gimp.write(script, "dialog.scm")
    let session = try Command(
      ["bash", "-c", Self.start + hands + Self.end, pair.ambient, gimp.path("dialog.scm")] + names,
      environment: gimp.environment)
    #expect(session.status == 0, "\(session.output) \(session.errors)")
    return session
  }

  /// $0: a picture, $1: GIMP's script, then the names of what it saves.
  private static let start = """
    set -u
    picture=$0 script=$1
    shift
    gimp=
    Xvfb -displayfd 3 -screen 0 1280x900x24 3>"$HOME/display" >/dev/null 2>&1 & xvfb=$!
    # Whoever starts this may hold other signals back.
    trap 'kill -KILL $gimp $xvfb 2>/dev/null; wait' EXIT
    for i in $(seq 100); do [ -s "$HOME/display" ] && break; sleep 0.1; done
    export DISPLAY=:$(cat "$HOME/display")
    window() {
      for i in $(seq 300); do
        found=$(xdotool search --onlyvisible --name "$1" 2>/dev/null | head -n 1)
        [ -n "$found" ] && { echo "$found"; return; }
        sleep 0.2
      done
      echo "no window '$1'"; exit 1
    }
    saved() {
      touch "$1.go"
      for i in $(seq 600); do [ -e "$1.done" ] && return; sleep 0.1; done
      echo "no $1.done"; exit 1
    }
    press() { xdotool windowfocus "$1"; sleep 0.5; xdotool key --clearmodifiers "$2"; }
    gimp -n --no-splash -d -f "$picture" -b '(load "'"$script"'")' & gimp=$!

    """

  private static let end = """

    for i in $(seq 100); do kill -0 $gimp 2>/dev/null || break; sleep 0.1; done
    kill -0 $gimp 2>/dev/null && { echo "GIMP did not end"; exit 1; }
    wait $gimp
    """
}
