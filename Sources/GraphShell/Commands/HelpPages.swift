/// Something that the help tells about and that is no command.
public struct HelpTopic: Sendable {
  /// How it is asked for.
  public let name: String
  /// What it is about, in one line.
  public let summary: String
  /// Its paragraphs.
  public let text: String
  /// Lines that show it; they run after ``CommandTable/exampleScript``.
  public let example: String

  /// The text, a paragraph each.
  public var paragraphs: [String] { text.split(separator: "\n\n").map(String.init) }

  /// The topics, in the order in which the help shows them.
  public static let all = [
    HelpTopic(
      name: "making", summary: "how nodes are made and changed",
      text: """
        NAME = OPERATION INPUT... PAD=NODE PROPERTY=VALUE... makes a node, or replaces the one of that name in its place. \
        Inputs go to the pads in their order (input, aux, aux2). A pad wins over a property of the same name.

        Without NAME the node is called _1, _2, and so on. NODE.PROPERTY = VALUE sets, NODE.PROPERTY reads a property; \
        'default' as the value takes the setting away. load "FILE" reads a picture with the right loader.
        """,
      example: "c = gegl:over a aux=b\nc = gegl:multiply a aux=b\nb.std-dev-x = 4\nb.std-dev-x"),
    HelpTopic(
      name: "pipes", summary: "steps one after the other, and brackets",
      text: """
        A | B | C feeds each step from the one before; it begins with a node or a source. PAD=[ ... ] feeds a pad from \
        a pipe of its own. The last step has the statement's name; those before are NAME~1, NAME~2 and so on against the \
        flow, those in brackets NAME~PAD: they can be looked at like others.
        """,
      example: "c = a | gegl:invert-linear | gegl:over aux=[ b | gegl:opacity value=0.5 ]\nprobe c~1 4 4"),
    HelpTopic(
      name: "values", summary: "numbers, texts, choices, colours, expressions",
      text: """
        Values are checked strictly: numbers within their range, whole numbers where they are due, true or false, choices by \
        their nick. Texts with blanks stand in quotes: '...' as they are, "..." with \\", \\\\, \\n and $variables. \
        Colours are names, #rrggbb or rgb(r, g, b). NODE.PROPERTY is read once, now; reading what an operation \
        found computes the node first. ( ... ) is an expression, as 'assert' takes them.
        """,
      example: "b.std-dev-x = (2 * 1.5)\nb.std-dev-y = b.std-dev-x"),
    HelpTopic(
      name: "units", summary: "what numbers mean",
      text: """
        Places and sizes are pixels: x to the right, y down, (0, 0) top left, after the file's orientation was applied. \
        Light is linear: 1 is the white of the space, or for RAW files where the sensor clips; values may be negative or \
        above 1. Gains are stops (1 doubles the light), exposure ratios plain factors. Confidence is 0 to 1.

        Lab, chroma and ΔE00 (CIEDE2000) are CIELAB under D65, 2°; XYZ has Y = 1 for white; CCT is kelvin, Duv the \
        distance from the Planckian locus in CIE 1960 uv. Times are seconds, speeds megapixels a second.
        """,
      example: "probe b 20 20\nassert lightness(a, 0, 0) <= 100"),
    HelpTopic(
      name: "formats", summary: "files and formats of pixels",
      text: """
        'load' reads PNG, TIFF, JPEG, OpenEXR, BMP, WebP, PPM and RAW files, and turns them upright. 'render' writes .png \
        (16 bit), .tif or .tiff (16 bit; floats with --float), .exr (float) and .jpg (8 bit, quality 95), with the profile \
        of their space. 'save' and 'open' know .ccg, a script, and .xml, GEGL's own.

        Formats of pixels are babl's: a model and a type, such as "RGBA float" (linear), "R'G'B' u16" (encoded), \
        "RaGaBaA float" (multiplied by alpha), "Y float" (one channel), "CIE Lab float". Types are u8, u16, u32, half, \
        float and double. NODE.format is that of a result.
        """,
      example: "a.format\nc = gegl:convert-format a format=\"R'G'B'A u8\"\nc.format"),
    HelpTopic(
      name: "variables", summary: "$name in statements",
      text: """
        NAME = VALUE sets a variable, as NAME=VALUE does on the command line; $NAME and ${NAME} stand for it anywhere \
        but in single quotes. '$NAME' alone prints it, as an expression alone prints its value: 1 + 2, (2 * $NAME), width(a), \
        a.width / 2. 'undo' takes back variables as it does nodes; 'remove NAME' removes one.
        """,
      example: "radius = 3\nb.std-dev-x = $radius\n$radius * 2\nassert b.std-dev-x == $radius"),
    HelpTopic(
      name: "chains", summary: "GEGL's own chain texts and XML",
      text: """
        NAME = chain "gegl:load path=a.png gegl:over aux=[ gegl:load path=b.png ]" makes the nodes of a chain as the gegl \
        tool takes it, with id= and ref=, but not with values over time ({ 0=1 5=2 }) or parts of a height (0.1rel). \
        'chain NODE' prints one, 'xml NODE' the same as XML; save and open know .xml. \
        gegl:load becomes the shell's own load.
        """,
      example: "c = chain \"gegl:color value=red gegl:crop width=16 height=16\"\nchain c\nxml c"),
    HelpTopic(
      name: "scripts", summary: "files of statements",
      text: """
        One statement a line; # begins a comment; \\ at the end of a line, an open bracket or an open quote continue it. \
        'constant-color run FILE name=value...' runs a script, as does 'source FILE' within a session. It stops at the \
        first error, SCRIPT:LINE:COLUMN: message, unless --keep-going is given. !COMMAND runs a command of the system.

        Exit status: 0 done, 1 an error in a statement, 2 wrong usage or an unreadable script, 130 stopped by Ctrl-C; quit N \
        ends with N.
        """,
      example: "# a comment\nc = a \\\n  | gegl:invert-linear\n!true"),
    HelpTopic(
      name: "keys", summary: "the keys of the prompt",
      text: """
        Tab completes commands, operations, pads, properties, values, nodes and files. WORD? tells about a command, \
        operation, node or property. Ctrl-C clears the line, or stops what is running; a second one, before that has \
        stopped, ends the program. Ctrl-D leaves. Ctrl-R searches the history. Keys are set in \
        ~/.inputrc, between $if constant-color and $endif. Statements of ~/.config/constant-color/rc run first (not with -X).
        """,
      example: "history"),
  ]
}

/// The pages that `help` prints.
public enum HelpPages {
  /// All commands and topics.
  static func overview(width: Int) -> String {
    var lines = ["NAME = OPERATION INPUT... PROPERTY=VALUE... makes a node; A | B | C chains them. Commands:"]
    for command in CommandTable.commands {
      let head = "  " + command.name.padded(to: 12)
      let text = OperationPage.wrapped(command.summary, width: width, indent: 14)
      lines.append(head + (text.first?.dropFirst(14) ?? ""))
      lines += text.dropFirst()
    }
    lines.append("Topics: help TOPIC")
    for topic in HelpTopic.all { lines.append("  " + topic.name.padded(to: 12) + topic.summary) }
    return lines.joined(separator: "\n")
  }

  static func page(_ command: CommandDescription, width: Int) -> String {
    var lines = ["usage: \(command.synopsis)", ""]
    lines += OperationPage.wrapped(command.summary, width: width, indent: 0)
    if !command.details.isEmpty { lines += [""] + OperationPage.wrapped(command.details, width: width, indent: 0) }
    if !command.example.isEmpty { lines += ["", "example:"] + indented(command.example) }
    return lines.joined(separator: "\n")
  }

  static func page(_ topic: HelpTopic, width: Int) -> String {
    var lines: [String] = []
    for paragraph in topic.paragraphs {
      lines += OperationPage.wrapped(paragraph, width: width, indent: 0) + [""]
    }
    return (lines + ["example:"] + indented(topic.example)).joined(separator: "\n")
  }

  private static func indented(_ example: String) -> [String] {
    example.split(separator: "\n").map { "    \($0)" }
  }
}
