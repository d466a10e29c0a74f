/// The nearest known name to one that nobody knows.
public enum Suggestion {
  /// "; did you mean '...'?" for the nearest candidate, or nothing where none is near.
  public static func text(for word: String, among candidates: some Sequence<String>) -> String {
    nearest(to: word, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The nearest candidate; nil where none is near.
  public static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    // Longer words are no slips of the finger, and the distance takes time with the square of the length.
    guard word.count <= 80 else { return nil }
    let limit = max(1, word.count / 3)
    let near = candidates.lazy.filter { abs($0.count - word.count) <= limit }
    let best = near.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = best, distance <= limit else { return nil }
    return candidate
  }

  /// The least number of insertions, deletions, replacements and swaps of neighbours that turn one
  /// word into the other (the restricted Damerau-Levenshtein distance).
  public static func editDistance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1] + [Int](repeating: 0, count: b.count)
      for j in 0..<b.count {
        row[j + 1] = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { row[j + 1] = min(row[j + 1], before[j - 1] + 1) }
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
