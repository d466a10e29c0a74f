import TextOutput

/// What is wrong with a table of pairs: one line for people for each fault, with its line in the file.
public struct ManifestError: Error, Equatable, Sendable {
  /// `FILE:LINE: what is wrong and what to do`
  public let problems: [String]
}

/// A table that lists pairs: comma-separated values (RFC 4180), a pair a row.
///
/// With a first row of titles, columns are `flash`, `ambient` (any that begin so, `ambient2` …), `name` and `options`, in
/// any order; without, they are the photograph with flash and one or several without. Paths are relative to the table's
/// folder.
public enum PairManifest {
  /// Reads a table. Throws `PhotoError` where the file cannot be read, ``ManifestError`` with every fault in it.
  public static func read(_ path: String) throws -> [PhotoPair] {
    try parse(TextFile.read(path), path: path)
  }

  /// The pairs of a table's text.
  ///
  /// - Parameter path: where it stands, for messages and for the paths in it.
  public static func parse(_ text: String, path: String) throws(ManifestError) -> [PhotoPair] {
    let rows: [CSV.Row]
    do { rows = try CSV.parse(text) } catch {
      throw ManifestError(problems: ["\(path):\(error.line): \(error.message)"])
    }
    var problems: [String] = []
    guard let columns = Columns(rows.first, path, &problems) else { throw ManifestError(problems: problems) }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var pairs: [PhotoPair] = []
    var names: [String: Int] = [:]
    for row in rows.dropFirst(columns.hasTitles ? 1 : 0) {
      do throws(Fault) {
        let pair = try columns.pair(row.fields, folder: folder)
        if let line = names.updateValue(row.line, forKey: pair.name.lowercased()) {
          throw Fault("has the name \(pair.name), as line \(line); give another in a column 'name'")
        }
        pairs.append(pair)
      } catch {
        problems.append("\(path):\(row.line): \(error.message)")
      }
    }
    if pairs.isEmpty, problems.isEmpty { problems.append("\(path):1: lists no pairs; write 'flash,ambient' a row") }
    guard problems.isEmpty else { throw ManifestError(problems: problems) }
    return pairs
  }

  private struct Fault: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  private struct Columns {
    var hasTitles = false
    var flash = 0
    var ambients: [Int] = []
    var name, options: Int?
    var count = 0

    /// By the titles, where the first row is one of titles; nil where that is wrong.
    init?(_ first: CSV.Row?, _ path: String, _ problems: inout [String]) {
      guard let first, first.fields.contains(where: { $0.lowercased().filter { !$0.isWhitespace } == "flash" }) else {
        return
      }
      hasTitles = true
      count = first.fields.count
      var flashes: [Int] = []
      let before = problems.count
      for (index, field) in first.fields.enumerated() {
        switch field.lowercased().filter({ !$0.isWhitespace }) {
        case "flash": flashes.append(index)
        case let title where title.hasPrefix("ambient"): ambients.append(index)
        case "name" where name == nil: name = index
        case "options" where options == nil: options = index
        default:
          problems.append(
            "\(path):\(first.line): there is no column '\(field)', or it is there twice; columns are flash, ambient, name, options"
          )
        }
      }
      flash = flashes[0]
      if flashes.count > 1 { problems.append("\(path):\(first.line): there are two columns 'flash'") }
      if ambients.isEmpty { problems.append("\(path):\(first.line): there is no column 'ambient'; add one") }
      if problems.count > before { return nil }
    }

    func pair(_ fields: [String], folder: String) throws(Fault) -> PhotoPair {
      if hasTitles, fields.count > count {
        throw Fault("has \(fields.count) fields for \(count) columns; quote those with a comma")
      }
      func field(_ index: Int?) -> String? {
        index.flatMap { fields.indices.contains($0) ? trimmed(fields[$0]) : nil }
      }
      guard let flash = try field(flash).map({ text throws(Fault) in try path(text, folder) }) else {
        throw Fault("names no photograph with flash")
      }
      var ambients: [String] = []
      for index in hasTitles ? self.ambients : Array(fields.indices.dropFirst()) {
        guard let text = field(index) else { continue }
        let ambient = try path(text, folder)
        if ambient == flash || ambients.contains(ambient) { throw Fault("names \(text) twice") }
        ambients.append(ambient)
      }
      guard !ambients.isEmpty else { throw Fault("names no photograph without flash") }
      guard ambients.count <= PairFinder.mostAmbients else {
        throw Fault("names \(ambients.count) frames without flash; at most \(PairFinder.mostAmbients) are averaged")
      }
      let stem = SeriesFrame(path: flash, name: flash).stem
      return PhotoPair(
        name: try name(field(self.name) ?? stem), flash: flash, ambients: ambients, source: .manifest,
        options: try words(field(options) ?? ""))
    }

    private func path(_ text: String, _ folder: String) throws(Fault) -> String {
      guard !text.utf8.contains(0), !text.contains(where: \.isNewline) else {
        throw Fault("'\(text)' is no file's name")
      }
      return text.hasPrefix("/") ? text : folder + text
    }

    /// A name leads to files of results, and must not lead anywhere else.
    private func name(_ text: String) throws(Fault) -> String {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let isGood = parts.allSatisfy { part in
        !part.isEmpty && !part.hasPrefix(".") && part.utf8.count <= 200
          && !part.unicodeScalars.contains { $0.properties.generalCategory == .control }
      }
      guard isGood, parts.count <= 8 else {
        throw Fault(
          "the name '\(text)' cannot name files; use letters and digits, without a dot or slash at its beginning")
      }
      return text
    }

    /// Words of a command line: blanks part them, double quotes hold together.
    private func words(_ text: String) throws(Fault) -> [String] {
      var words: [String] = []
      var word: String?
      var isQuoted = false
      for character in text {
        if character == "\"" {
          isQuoted.toggle()
          word = word ?? ""
        } else if character.isWhitespace, !isQuoted {
          if let done = word { words.append(done) }
          word = nil
        } else {
          word = (word ?? "") + String(character)
        }
      }
      if isQuoted { throw Fault("a quote in its options is not closed") }
      return words + [word].compactMap(\.self)
    }
  }
}
