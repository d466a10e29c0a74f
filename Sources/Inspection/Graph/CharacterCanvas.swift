/// Characters on a plane that grows as it is drawn on, and wires that join where they are of one net and pass where not.
struct CharacterCanvas {
  private struct Cell {
    var character: Character?
    /// Whether the character before it takes this cell, too.
    var isCovered = false
    /// The nets whose wires cross the cell up and down, and left and right.
    var vertical, horizontal: Int?
    /// To which sides wires leave: up 1, down 2, left 4, right 8.
    var sides = 0
  }

  private var rows: [[Cell]] = []

  private mutating func change(_ x: Int, _ y: Int, _ body: (inout Cell) -> Void) {
    guard x >= 0, y >= 0, x < 100_000, y < 1_000_000 else { return }
    while rows.count <= y { rows.append([]) }
    if rows[y].count <= x { rows[y] += [Cell](repeating: Cell(), count: x + 1 - rows[y].count) }
    body(&rows[y][x])
  }

  /// Writes a text from a place on.
  mutating func write(_ text: String, _ x: Int, _ y: Int) {
    var x = x
    for character in text {
      let width = String(character).columns
      guard width > 0 else { continue }
      change(x, y) { $0.character = character }
      if width > 1 { change(x + 1, y) { $0.isCovered = true } }
      x += width
    }
  }

  /// A box with lines of text in it.
  mutating func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ lines: [String]) {
    let bar = String(repeating: "─", count: max(0, width - 2))
    write("┌" + bar + "┐", x, y)
    write("└" + bar + "┘", x, y + height - 1)
    for (index, line) in lines.enumerated() {
      let text = elided(line, max(0, width - 4))
      let rest = String(repeating: " ", count: max(0, width - 4 - text.columns))
      write("│ " + text + rest + " │", x, y + 1 + index)
    }
  }

  /// A wire straight down the rows `top..<bottom`.
  mutating func vertical(_ x: Int, _ top: Int, _ bottom: Int, _ net: Int) {
    guard top < bottom else { return }
    for y in top..<bottom { up(x, y, net, 3) }
  }

  /// A net: down from its start to its track, along it, and down to its ends.
  mutating func net(_ net: Int, start: Int, ends: [Int], top: Int, track: Int, bottom: Int) {
    vertical(start, top, track, net)
    up(start, track, net, 1)
    let (low, high) = (min(start, ends.min() ?? start), max(start, ends.max() ?? start))
    for x in low...high {
      change(x, track) { cell in
        cell.horizontal = net
        cell.sides |= (x > low ? 4 : 0) | (x < high ? 8 : 0)
      }
    }
    for end in ends {
      up(end, track, net, 2)
      if track + 1 < bottom { vertical(end, track + 1, bottom, net) }
    }
  }

  private mutating func up(_ x: Int, _ y: Int, _ net: Int, _ sides: Int) {
    change(x, y) { cell in
      cell.vertical = net
      cell.sides |= sides
    }
  }

  /// The drawing; lines without blanks at their ends.
  func text(ascii: Bool) -> String {
    let characters = ascii ? Self.asciiWires : Self.wires
    return rows.map { row in
      String(
        row.filter { !$0.isCovered }.map { cell -> Character in
          if let character = cell.character { return ascii ? Self.ascii[character] ?? character : character }
          // Wires of two nets pass each other: the one that goes down is in front.
          if let one = cell.vertical, let other = cell.horizontal, one != other { return characters[3] }
          return characters[cell.sides & 15]
        }
      ).trimmingTrailingBlanks
    }.joined(separator: "\n")
  }

  private static let wires: [Character] = Array(" ╵╷│╴╯╮┤╶╰╭├─┴┬┼")
  private static let asciiWires: [Character] = Array(" '.|-'.+-'.+-+++")
  private static let ascii: [Character: Character] = [
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "─": "-", "│": "|", "┬": "+", "▼": "v", "…": ".",
  ]
}
