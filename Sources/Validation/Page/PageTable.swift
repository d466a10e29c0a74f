import TextOutput

/// A table of figures as HTML.
struct PageTable {
  private let table: FigureTable

  init(_ table: FigureTable) { self.table = table }

  /// The table; on a narrow screen it scrolls by itself.
  var markup: Markup {
    var markup = Markup()
    markup.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": table.title]) {
      $0.element("table") { element in
        element.element("caption", text: table.title)
        element.element("thead") {
          $0.element("tr") { row in
            for column in table.columns {
              row.element("th", ["scope": "col", "class": column.isNumber ? "n" : ""], text: head(column))
            }
          }
        }
        element.element("tbody") { body in
          var above: [String] = []
          for cells in table.rows {
            row(cells, below: above, &body)
            above = cells
          }
        }
      }
    }
    return markup
  }

  /// A short head, as "10 lx", stays on one line.
  private func head(_ column: FigureTable.Column) -> String {
    column.head.count > 8 ? column.head : String(column.head.map { $0 == " " ? "\u{A0}" : $0 })
  }

  /// One row; a rule parts it from the one above where that has another first name of several.
  private func row(_ cells: [String], below above: [String], _ body: inout Markup) {
    let names = cells.prefix(table.nameCount)
    let ours = Method.result.title
    let isNext = table.nameCount > 1 && !above.isEmpty && above.first != cells.first
    let kinds = [names.contains(ours) ? "ours" : "", isNext ? "next" : ""].filter { !$0.isEmpty }
    body.element("tr", ["class": kinds.joined(separator: " ")]) { row in
      for (index, (cell, column)) in zip(cells, table.columns).enumerated() {
        if index < table.nameCount {
          row.element("th", ["scope": "row", "class": cell == ours ? "method" : ""], text: cell)
        } else {
          row.element("td", ["class": column.isNumber ? "n" : ""], text: cell)
        }
      }
    }
  }
}
