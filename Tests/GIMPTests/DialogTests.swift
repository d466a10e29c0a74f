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
    // A script, in GIMP's own process of scripts, saves the image when it is told to, while hands work in the windows.
    let script = """
      (define (save image name)
        (while (not (file-exists? (string-append name ".go"))) (usleep 50000))
        (gimp-xcf-save 0 image (car (gimp-image-get-active-layer image)) (string-append name ".xcf") "x")
        (gimp-xcf-save 0 image (car (gimp-image-get-active-layer image)) (string-append name ".done") "x"))
      (let* ((image (aref (cadr (gimp-image-list)) 0)) (ambient (car (gimp-image-get-active-layer image)))
             (flash (car (gimp-file-load-layer 1 image "\(plain.flash)"))))
        (gimp-image-undo-disable image)
        (gimp-image-insert-layer image flash 0 0)
        (gimp-image-undo-enable image)
        (define (ask) (catch #f (plug-in-constant-color 0 image flash ambient "" "" "" "" 0 0 "" "" 0)))
        (ask) (gimp-displays-flush)
        \(steps.prefix(3).map { "(save image \"\($0)\")" }.joined(separator: " "))
        (ask)
        (save image "\(steps[3])"))
      (gimp-quit 1)
      """
    try gimp.write(script, "dialog.scm")
    let session = try Command(
      ["bash", "-c", Self.hands, "hands", plain.ambient, gimp.path("dialog.scm")] + steps,
      environment: gimp.environment)
    #expect(session.status == 0, "\(session.output) \(session.errors)")
    let layers = try steps.map { try XCFFile($0 + ".xcf").layers.map(\.name) }
    #expect(layers[0].count == 4 && layers[0].first == "Constant color", "\(layers)")
    #expect(layers[1].count == 2 && !layers[1].contains("Constant color"), "\(layers)")
    #expect(layers[2] == layers[0])
    #expect(layers[3] == layers[0])
    // What the dialog did is what the procedure does.
    let command = try gimp.develop(plain.flash, plain.ambient, ["--space", "srgb"])
    let result = try XCFFile(steps[0] + ".xcf").layer("Constant color")
    #expect(result?.integers(wide: true) == command.result.map { UInt16(min(max($0, 0), 1) * 65535 + 0.5) })
    for word in ["constant-color", "Constant Color", "ConstantColor", "crash", "CRITICAL"] {
      #expect(!session.errors.contains(word), "\(session.errors)")
    }
  }

  /// $1: a picture, $2: GIMP's script, then the names of what it saves.
  private static let hands = """
    set -u
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
    wait_for() { for i in $(seq 600); do [ -e "$1" ] && return; sleep 0.1; done; echo "no $1"; exit 1; }
    press() { xdotool windowfocus "$1"; sleep 0.5; xdotool key --clearmodifiers "$2"; }
    gimp -n --no-splash -d -f "$1" -b '(load "'"$2"'")' & gimp=$!
    press "$(window '^Constant Color$')" alt+o
    image=$(window '4 layers')
    touch "$3.go"; wait_for "$3.done"
    press "$image" ctrl+z
    window ' 2 layers' >/dev/null
    touch "$4.go"; wait_for "$4.done"
    press "$image" ctrl+y
    window ' 4 layers' >/dev/null
    touch "$5.go"; wait_for "$5.done"
    dialog=$(window '^Constant Color$')
    sleep 1
    press "$dialog" Escape
    touch "$6.go"; wait_for "$6.done"
    for i in $(seq 100); do kill -0 $gimp 2>/dev/null || break; sleep 0.1; done
    kill -0 $gimp 2>/dev/null && { echo "GIMP did not end"; exit 1; }
    wait $gimp
    """
}
