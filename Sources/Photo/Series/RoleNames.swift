/// What the names of files tell: which frame is the one with flash, and which belong together.
public struct RoleNames: Equatable, Sendable {
  /// What a frame is in its pair.
  public enum Role: Sendable {
    /// Taken with flash.
    case flash
    /// Taken without.
    case ambient
  }

  /// What a name tells.
  public struct Match: Equatable, Sendable {
    /// Which frame it is.
    public var role: Role
    /// What both names have in common; empty where the name is nothing but the role.
    public var base: String
    /// The digits that tell frames of one role apart; nil where there are none.
    public var digits: String?

    /// What a name tells, from its parts.
    public init(role: Role, base: String, digits: String?) {
      (self.role, self.base, self.digits) = (role, base, digits)
    }

    /// The number of the digits.
    var number: Int? { digits.flatMap { Int($0) } }
  }

  private let flash, ambient: [Pattern]

  /// The usual names: a word at the end or the beginning, apart from the rest by `_`, `-`, `.` or a blank, such as `lamp_flash`
  /// and `lamp_ambient`, `lamp_noflash`, `no-flash lamp`; or nothing but the word, in a folder of its own. A number may
  /// follow.
  public static let usual = RoleNames(patterns: ([], []))

  private init(patterns: ([Pattern], [Pattern])) { (flash, ambient) = patterns }

  /// Names by patterns of one's own, which stand for the whole name without its extension: `*` is what both names have in
  /// common, `#` a number (or none) that tells several frames apart, and every other character itself, in either case.
  /// Nil where one of them does not have exactly one `*`, or more than one `#`.
  public init?(flash: [String], ambient: [String]) {
    let patterns = (flash.compactMap { Pattern($0) }, ambient.compactMap { Pattern($0) })
    guard patterns.0.count == flash.count, patterns.1.count == ambient.count, !flash.isEmpty, !ambient.isEmpty else {
      return nil
    }
    (self.flash, self.ambient) = patterns
  }

  /// What a name without its extension tells; nil where it tells nothing.
  public func match(_ stem: String) -> Match? {
    guard flash.isEmpty else {
      for (patterns, role) in [(flash, Role.flash), (ambient, .ambient)] {
        for pattern in patterns {
          if let (base, digits) = pattern.match(stem) { return Match(role: role, base: base, digits: digits) }
        }
      }
      return nil
    }
    return Self.usualMatch(stem)
  }

  // MARK: the usual names

  /// The longest first: a "no_flash" ends in "flash".
  private static let words: [(word: [Character], role: Role)] = {
    let ambient =
      ["ambient", "amb"] + spellings("no", "flash") + spellings("without", "flash") + spellings("flash", "off")
    let flash = ["flash"] + spellings("with", "flash") + spellings("flash", "on")
    let all = ambient.map { ($0, Role.ambient) } + flash.map { ($0, Role.flash) }
    return all.map { (word: Array($0.0), role: $0.1) }.sorted { $0.word.count > $1.word.count }
  }()

  private static func spellings(_ one: String, _ other: String) -> [String] {
    ["", "_", "-", " ", "."].map { one + $0 + other }
  }

  private static func isSeparator(_ character: Character) -> Bool { "_-. ".contains(character) }

  private static func usualMatch(_ stem: String) -> Match? {
    let whole = Array(stem)
    let small = whole.map(lowercased)
    // A number at the end, apart or not.
    let digits = small.reversed().prefix { $0.isASCII && $0.isNumber }.count
    var end = small.count - digits
    if digits > 0, end > 0, isSeparator(small[end - 1]) { end -= 1 }
    let hasNumber = digits > 0 && digits <= 9
    for (end, number) in [(small.count, nil), (end, hasNumber ? String(whole.suffix(digits)) : nil)] {
      if end < small.count, number == nil { continue }
      for (word, role) in words where small[..<end].reversed().starts(with: word.reversed()) {
        let start = end - word.count
        if start == 0 { return Match(role: role, base: "", digits: number) }
        guard isSeparator(small[start - 1]), start > 1 else { continue }
        return Match(role: role, base: String(whole[..<(start - 1)]), digits: number)
      }
    }
    for (word, role) in words where small.starts(with: word) {
      let rest = whole.dropFirst(word.count)
      guard let first = rest.first, isSeparator(first), rest.count > 1 else { continue }
      return Match(role: role, base: String(rest.dropFirst()), digits: nil)
    }
    return nil
  }

  /// Only ASCII: other letters may become several characters.
  fileprivate static func lowercased(_ character: Character) -> Character {
    character.isASCII ? Character(character.lowercased()) : character
  }

  // MARK: patterns

  private struct Pattern: Equatable, Sendable {
    /// Before and after the common part.
    private let head, tail: [Character]

    init?(_ text: String) {
      let parts = text.split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count == 2, text.count(where: { $0 == "#" }) <= 1, !text.contains("/"), text.count > 1 else {
        return nil
      }
      head = parts[0].map(lowercased)
      tail = parts[1].map(lowercased)
    }

    func match(_ stem: String) -> (base: String, digits: String?)? {
      let whole = Array(stem)
      let small = whole.map(lowercased)
      guard let (start, before) = Self.length(of: head, in: small) else { return nil }
      guard let (end, after) = Self.length(of: tail.reversed(), in: small.reversed()), start + end < small.count else {
        return nil
      }
      return (String(whole[start..<(small.count - end)]), before ?? after.map { String($0.reversed()) })
    }

    /// How much of the beginning a part of the pattern takes, and the digits in it.
    private static func length(of part: [Character], in text: [Character]) -> (Int, String?)? {
      var place = 0
      var digits: String?
      for character in part {
        if character == "#" {
          let found = text.dropFirst(place).prefix(9).prefix { $0.isASCII && $0.isNumber }
          if !found.isEmpty { digits = String(found) }
          place += found.count
        } else {
          guard place < text.count, text[place] == character else { return nil }
          place += 1
        }
      }
      return (place, digits)
    }
  }
}
