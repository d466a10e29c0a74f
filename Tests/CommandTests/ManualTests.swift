import TestSupport
import Testing

/// The manual page, and the completions in the shells that they are for.
struct ManualTests {
  @Test func theManualPageHasNoMistakes() throws {
    let folder = try TemporaryFolder()
    let page = try Command.constantColor(["manual"])
    #expect(page.status == 0)
    try folder.write(Array(page.output.utf8), "constant-color.1")
    let path = folder.path + "/constant-color.1"
    let shown = try Command(
      ["man", "--warnings", "-E", "UTF-8", "-l", path], environment: ["MANWIDTH": "80", "MANPAGER": "cat"])
    #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
    for text in ["--exposure auto|fixed|EV", "compare A B", "EXIT STATUS", "example: constant-color develop"] {
      #expect(shown.output.contains(text), "\(text)")
    }
    #expect(try Command.constantColor(["manual", "stray"]).status == 2)
    #expect(try Command.constantColor(["completion", "bosh"]).errors.contains("did you mean 'bash'?"))
  }

  private let cases: [(words: [String], contains: [String], lacks: [String])] = [
    (["dev"], ["develop"], ["validate"]), (["develop", "--sp"], ["--space"], ["--align"]),
    (["develop", "--space", ""], ["p3", "rec2020", "linear-srgb"], ["mesh"]),
    (["develop", "--align", "m"], ["mesh"], ["none"]), (["compare", "--scale", "l"], ["luminance"], ["gain"]),
    (["simulate", "--tint", "g"], ["green"], ["magenta"]), (["completion", ""], ["bash", "zsh", "fish"], []),
    (["ops", "constant-color:ali"], ["align"], ["confidence"]), (["record", ""], ["add", "report"], ["develop"]),
    (["record", "add", "--re"], ["--region", "--report"], ["--subject"]),
    (["record", "list", "--format", ""], ["csv"], []),
    (["record", "check", "--d"], ["--database"], ["--distance"]),
    (["ops", "gaussian-blur-s"], ["gaussian-blur-selective"], []),
  ]

  /// A folder with the completion of a shell, a link to the program, and files with spaces.
  private func folder(_ shell: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Array(try Command.constantColor(["completion", shell]).output.utf8), "completion")
    try folder.write([], "my picture.png")
    return folder
  }

  @Test func bashCompletes() throws {
    let folder = try folder("bash")
    let script = """
      source "$1"; PATH=$2:$PATH; shift 2
      COMP_WORDS=(constant-color "$@"); COMP_CWORD=$#
      _constant_color; printf '%s\\n' "${COMPREPLY[@]}"
      """
    func complete(_ words: [String]) throws -> [String] {
      let result = try Command(
        ["bash", "--norc", "-c", script, "bash", folder.path + "/completion", programs] + words)
      #expect(result.errors.isEmpty, "\(result.errors)")
      return result.lines.map { String($0) }
    }
    for (words, present, absent) in cases {
      // bash breaks words at colons.
      let broken = words.flatMap {
        $0.contains(":") ? $0.split(separator: ":").flatMap { [":", String($0)] }.dropFirst().map { $0 } : [$0]
      }
      let found = try complete(broken)
      for word in present { #expect(found.contains(word), "\(words): \(found)") }
      for word in absent { #expect(!found.contains(word), "\(words): \(found)") }
    }
    #expect(try complete(["develop", "--space", "=", "pro"]) == ["prophoto"])
    // Names of files are readline's own.
    #expect(try complete(["develop", "--flash", "my"]).isEmpty)
  }

  @Test func fishCompletes() throws {
    let folder = try folder("fish")
    func complete(_ line: String) throws -> [String] {
      let script = "cd (dirname $argv[1]); set PATH $argv[2] $PATH; source $argv[1]; complete -C $argv[3]"
      let result = try Command(
        ["fish", "--no-config", "-c", script, folder.path + "/completion", programs, line],
        environment: ["HOME": folder.path])
      #expect(result.errors.isEmpty, "\(result.errors)")
      return result.lines.map { String($0.prefix { $0 != "\t" }) }
    }
    for (words, present, absent) in cases {
      let found = try complete((["constant-color"] + words).joined(separator: " ")).map { word in
        word.hasPrefix("constant-color:") ? String(word.dropFirst(15)) : word
      }
      for word in present { #expect(found.contains(word), "\(words): \(found)") }
      for word in absent { #expect(!found.contains(word), "\(words): \(found)") }
    }
    #expect(try complete("constant-color develop --flash my") == ["my picture.png"])
  }

  @Test func zshCompletes() throws {
    let folder = try folder("zsh")
    // A shell in a pseudo-terminal, and what its line is after the tabulator.
    let script = """
      zmodload zsh/zpty; cd "${1:h}"
      zpty z zsh -f -i
      zpty -w z "PROMPT='>>' RPROMPT= TERM=dumb PATH=${(q)2}:\\$PATH; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source completion; print REA''DY"
      local line seen=''
      zpty -r -m z line '*READY*>>*'
      zpty -w -n z "$3"$'\\t'
      for ((i = 0; i < 50; i++)); do
        sleep 0.1
        while zpty -r -t z line; do seen+=$line; done
        [[ $seen == *$4* ]] && break
      done
      print -r -- "$seen"
      zpty -d z
      """
    for (line, completed) in [
      ("constant-color dev", "develop"), ("constant-color develop --spa", "--space="),
      ("constant-color develop --space rec", "rec2020"), ("constant-color develop --flash my", "my\\ picture.png"),
      ("constant-color ops constant-color:ali", "constant-color:align"), ("constant-color completion fi", "fish"),
      ("constant-color record exp", "export"), ("constant-color record add --new", "--new-series"),
      ("constant-color compare --report js", "json"), ("constant-color compare my", "my\\ picture.png"),
    ] {
      let result = try Command(
        ["timeout", "60", "zsh", "-f", "-c", script, "zsh", folder.path + "/completion", programs, line, completed],
        environment: ["HOME": folder.path])
      #expect(result.output.contains(completed), "\(line): \(result.output) \(result.errors)")
    }
  }

  private var programs: String { Built.folder }
}
