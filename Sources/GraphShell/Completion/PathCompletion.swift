import Glibc
import Photo

/// The files that a word could be.
enum PathCompletion {
  /// The completion of a word, which may stand in an open quote. Names with blanks are put in quotes.
  static func completion(
    of word: CompletionEngine.Piece, isFolder: Bool, expand: (String) -> String
  ) -> Completion {
    let slash = word.text.lastIndex(of: "/")
    let folder = slash.map { String(word.text[...$0]) } ?? ""
    let beginning = slash.map { String(word.text[word.text.index(after: $0)...]) } ?? word.text
    var names: [(name: String, isFolder: Bool)] = []
    let path = folder.isEmpty ? "." : expand(folder)
    for name in Folder.names(in: path) ?? [] where name.hasPrefix(beginning) && names.count < 2000 {
      guard !name.hasPrefix(".") || beginning.hasPrefix(".") else { continue }
      var status = stat()
      let isDirectory = stat(path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if isFolder, !isDirectory { continue }
      names.append((name, isDirectory))
    }
    let quote = word.quote ?? (names.contains { needsQuotes(folder + $0.name) } ? "\"" : nil)
    let candidates = names.map { entry -> Completion.Candidate in
      let text = escaped(folder + entry.name, quote) + (entry.isFolder ? "/" : "")
      // A file ends the word, a folder does not.
      let end = entry.isFolder ? "" : quote.map(String.init) ?? ""
      let start = quote.map(String.init) ?? ""
      return Completion.Candidate(start + text + end, append: entry.isFolder ? nil : " ")
    }
    return Completion(start: word.start, candidates: candidates)
  }

  private static func needsQuotes(_ path: String) -> Bool {
    path.contains { $0.isWhitespace || "\"'\\$#=|[]()".contains($0) }
  }

  private static func escaped(_ path: String, _ quote: Character?) -> String {
    guard quote == "\"" else { return path }
    return path.reduce(into: "") { text, character in
      if "\"\\$".contains(character) { text += "\\" }
      text.append(character)
    }
  }
}
