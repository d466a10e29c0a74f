import GEGL
import Glibc
import JSONValue
import Photo
import Raster

// What statements do that are no commands.

extension Session {
  // MARK: nodes

  /// `name = operation ...`
  func define(_ name: Token?, _ pipeline: Pipeline) throws {
    var made = ""
    try change { state in
      var builder = PipelineBuilder(session: self, document: state.document, isStatement: name == nil)
      if let name {
        try checkName(name)
        made = name.text
      } else {
        repeat { state.unnamed += 1 } while state.document["_\(state.unnamed)"] != nil
        made = "_\(state.unnamed)"
      }
      try builder.build(pipeline, as: made)
      state.document = builder.document
      // A node and a variable of one name would be confusing, and only one of them is meant now.
      state.variables[made] = nil
    }
    guard environment.isInteractive, name == nil, let node = document[made] else { return }
    environment.print(ScriptText.statement(node))
  }

  /// Makes sure that a word may be the name of a node or variable.
  func checkName(_ name: Token) throws {
    guard name.kind == .word, Name.isValid(name.text) else {
      throw Diagnostic(
        name.range.lowerBound,
        "'\(name.text)' is no name: names have letters, digits, '_' and '-', and begin with a letter")
    }
    guard !CommandTable.names.contains(name.text) else {
      throw Diagnostic(name.range.lowerBound, "'\(name.text)' is a command; choose another name")
    }
  }

  /// `node.property = value`
  func set(_ member: Member, _ word: Token) throws {
    let name = try nodeName(member.node)
    guard var definition = document[name] else { return }
    let description = try book.describe(definition.operation)
    let key = member.property
    if description.inputs.contains(key.text) {
      let source = try nodeName(word)
      guard !document.depends(source, on: name) else {
        throw Diagnostic(word.range.lowerBound, "'\(name)' feeds '\(source)': the connection would make a circle")
      }
      definition.connect(key.text, to: source)
    } else if word.kind == .word, word.text == "default", word.value == nil {
      _ = try property(key, of: description)
      definition.set(key.text, nil)
    } else {
      definition.set(key.text, try value(word, for: property(key, of: description)))
    }
    try at(word) { try change { $0.document.put(definition) } }
  }

  /// `node.property`
  func read(_ member: Member) throws {
    let name = try nodeName(member.node)
    let value = try at(member.property) { try self.value(of: name, member.property) }
    reply(
      value.description,
      json: ["node": .string(name), "property": .string(member.property.text), "value": JSON(value)],
      csv: "node,property,value\n\(name),\(member.property.text),\(ReplyTable.plain(JSON(value)))")
  }

  // MARK: variables

  /// `name = value`
  func assign(_ name: Token, _ word: Token) throws {
    try checkName(name)
    guard !name.text.contains("~") else {
      throw Diagnostic(name.range.lowerBound, "a variable's name has no '~'")
    }
    guard document[name.text] == nil else {
      throw Diagnostic(
        name.range.lowerBound, "'\(name.text)' is a node; give the variable another name, or remove the node first")
    }
    let value = try value(of: word)
    guard value.description.utf8.count <= Self.mostVariableBytes else {
      throw Diagnostic(word.range.lowerBound, "the value is too long: a variable holds at most 64 KB")
    }
    try change { $0.variables[name.text] = value }
  }

  /// Twice itself, again and again, a text would soon need all memory.
  private static let mostVariableBytes = 64 << 10

  /// The value of a word without a property in mind.
  func value(of word: Token) throws -> Value {
    if let value = word.value { return value }
    switch word.kind {
    case .expression: return try evaluate(word)
    case .text: return .string(word.text)
    default:
      if let member = Member(word), document[member.node.text] != nil {
        return try at(member.property) { try value(of: member.node.text, member.property) }
      }
      return PropertyText.literal(word.text)
    }
  }

  // MARK: properties

  /// The value that a word gives a property.
  func value(_ word: Token, for property: PropertyDescription) throws -> Value {
    try at(word) {
      if word.kind == .expression { return try PropertyText.value(evaluate(word), for: property) }
      if let value = word.value { return try PropertyText.value(value, for: property) }
      if word.kind == .word, let member = Member(word), let source = document[member.node.text],
        try book.describe(source.operation).property(member.property.text) != nil
      {
        return try PropertyText.value(value(of: member.node.text, member.property), for: property)
      }
      if case .path = property.kind { return .string(try checkedPath(word.text)) }
      return try PropertyText.value(word.text, isQuoted: word.kind == .text, for: property)
    }
  }

  private func checkedPath(_ path: String) throws -> String {
    guard !path.utf8.contains(0) else { throw GEGLError("a path has no zero characters") }
    guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  private func evaluate(_ word: Token) throws -> Value {
    try Expression.evaluate(word.text, offset: word.range.lowerBound + 1, Measurements(session: self))
  }

  /// A property of an operation by its name.
  func property(_ key: Token, of operation: OperationDescription) throws -> PropertyDescription {
    guard let property = operation.property(key.text) else {
      let hint = Suggestion.text(for: key.text, among: operation.properties.map(\.name) + operation.inputs)
      let list = operation.properties.map(\.name).prefix(12).joined(separator: ", ")
      throw Diagnostic(
        key.range.lowerBound,
        "'\(operation.name)' has no property '\(key.text)'"
          + (hint.isEmpty ? list.isEmpty ? "; it has none" : "; it has \(list)" : hint))
    }
    return property
  }

  /// The value of a node's property now; results are computed first.
  func value(of name: String, _ property: Token) throws -> Value {
    guard let definition = document[name], let node = live[name]?.node else {
      throw GEGLError("there is no node '\(name)'" + Suggestion.text(for: name, among: document.names))
    }
    let description = try book.describe(definition.operation)
    if description.property(property.text) == nil, let fact = NodeFact(rawValue: property.text) {
      return try value(of: name, fact)
    }
    let known = try self.property(property, of: description)
    if let setting = definition.setting(known.name) { return setting }
    if definition.operation == OperationBook.load.name { return known.defaultValue ?? .string("") }
    if !known.isWritable { try computeFound(name) }
    guard let value = try? node.value(known.name) else {
      throw GEGLError("'\(known.name)' is a \(PropertyText.expectation(known.kind)), which cannot be printed")
    }
    if case .double(let number) = value, !known.isWritable, !number.isFinite {
      throw GEGLError("'\(known.name)' is not known: nothing was found")
    }
    return value
  }

  // MARK: names

  /// The node that a word names.
  func nodeName(_ word: Token) throws -> String {
    guard document[word.text] != nil else {
      throw Diagnostic(
        word.range.lowerBound,
        "there is no node '\(word.text)'" + Suggestion.text(for: word.text, among: document.names))
    }
    return word.text
  }

  /// Runs `body`; an error without a place is one of the word.
  func at<Result>(_ word: Token, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as GEGLError {
      throw Diagnostic(word.range.lowerBound, error.description)
    } catch let error as PhotoError { throw Diagnostic(word.range.lowerBound, error.description) }
  }

  // MARK: expressions

  /// `assert expression`
  func check(_ text: String, _ offset: Int) throws {
    let (value, comparisons) = try Expression.evaluateTelling(text, offset: offset, Measurements(session: self))
    let written = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let place = offset + text.prefix { $0.isWhitespace }.count
    guard case .bool(let holds) = value else {
      throw Diagnostic(place, "'\(written)' is neither true nor false; compare something")
    }
    if holds { return }
    // A single comparison is what was written; of several, those that do not hold are named.
    let isAlone = comparisons.count == 1
    let sides = comparisons.filter { isAlone || !$0.holds }.map { comparison in
      let values = "\(Self.shown(comparison.left)) and \(Self.shown(comparison.right))"
      return isAlone ? values : "\(comparison.text): \(values)"
    }
    throw Diagnostic(
      place, "does not hold: \(written)" + (sides.isEmpty ? "" : " (\(sides.joined(separator: "; ")))"))
  }

  /// Prints the value of an expression.
  func printValue(of text: String, _ offset: Int) throws {
    let value = try Expression.evaluate(text, offset: offset, Measurements(session: self))
    let written = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    reply(
      Self.shown(value), json: ["expression": .string(written), "value": JSON(value)],
      csv: ReplyTable(["expression", "value"], [[.string(written), JSON(value)]]).csv)
  }

  /// A value for people: whole numbers without a fraction.
  private static func shown(_ value: Value) -> String {
    if case .double(let number) = value, number.isFinite { return Format.number(number) }
    return value.description
  }
}

extension JSON {
  /// The value of a property.
  init(_ value: GEGL.Value) {
    switch value {
    case .double(let number): self = .number(number)
    case .int(let number): self = .integer(number)
    case .bool(let truth): self = .bool(truth)
    case .string(let text), .choice(let text): self = .string(text)
    }
  }
}
