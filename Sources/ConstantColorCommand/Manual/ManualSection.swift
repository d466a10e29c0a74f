/// A section of the manual page.
struct ManualSection {
  /// What stands in it.
  enum Part {
    /// Text of one paragraph.
    case paragraph(String)
    /// A heading below the section's.
    case heading(String)
    /// A term and what it means.
    case definition(term: String, text: String)
    /// Lines as they are typed or shown.
    case example([String])
  }

  /// The heading; capitals are made of it.
  let title: String
  let parts: [Part]
}

/// Sections that parts of the program add to the manual page, after the commands; each is made when it is printed.
let manualSections: [@Sendable () -> ManualSection] = [{ ManualSection.shellCommands }, { ManualSection.shellTopics }]
