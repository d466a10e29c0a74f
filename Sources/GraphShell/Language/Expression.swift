import GEGL

/// Computes expressions: numbers, texts, `$variables`, `node.property`, functions; `+ - * /`, comparisons, `and or not`.
///
/// Names contain hyphens, so that a minus has spaces around it.
struct Expression {
  private let characters: [Character]
  private let scope: any ExpressionScope
  /// Where the expression stands in its statement.
  private let offset: Int
  private var index = 0
  private var depth = 0
  private var comparisons: [Comparison] = []

  /// The value of an expression.
  static func evaluate(_ text: String, offset: Int, _ scope: any ExpressionScope) throws -> Value {
    try evaluateTelling(text, offset: offset, scope).value
  }

  /// The value of an expression, and the comparisons that led to it.
  static func evaluateTelling(_ text: String, offset: Int, _ scope: any ExpressionScope) throws -> (
    value: Value, comparisons: [Comparison]
  ) {
    var expression = Expression(text, offset, scope)
    let value = try expression.alternatives()
    expression.skip()
    if let character = expression.peek {
      throw expression.problem("an operator such as '<' or '+' is expected here, not '\(character)'")
    }
    return (value, expression.comparisons)
  }

  private init(_ text: String, _ offset: Int, _ scope: any ExpressionScope) {
    characters = Array(text)
    (self.offset, self.scope) = (offset, scope)
  }

  // MARK: operators

  private mutating func alternatives() throws -> Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw problem("the expression is nested too deeply") }
    var value = try conjunction()
    while take(word: "or") {
      let (left, right) = (try truth(value), try conjunction())
      value = .bool(try left || truth(right))
    }
    return value
  }

  private mutating func conjunction() throws -> Value {
    var value = try comparison()
    while take(word: "and") {
      let (left, right) = (try truth(value), try comparison())
      value = .bool(try left && truth(right))
    }
    return value
  }

  private mutating func comparison() throws -> Value {
    skip()
    let start = index
    let left = try sum()
    for sign in ["==", "!=", "<=", ">=", "<", ">"] where take(sign) {
      let place = index
      let right = try sum()
      let holds = try compare(left, sign, right, at: place)
      let text = String(characters[start..<index]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      comparisons.append(Comparison(text: text, left: left, right: right, holds: holds))
      return .bool(holds)
    }
    if peek == "=" { throw problem("'=' gives a value; write '==' to compare") }
    return left
  }

  private mutating func sum() throws -> Value {
    var value = try product()
    while true {
      if take("+") {
        value = .double(try number(value) + number(try product()))
      } else if take("-") {
        value = .double(try number(value) - number(try product()))
      } else {
        return value
      }
    }
  }

  private mutating func product() throws -> Value {
    var value = try factor()
    while true {
      if take("*") {
        value = .double(try number(value) * number(try factor()))
      } else if take("/") {
        value = .double(try number(value) / number(try factor()))
      } else {
        return value
      }
    }
  }

  private mutating func factor() throws -> Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw problem("the expression is nested too deeply") }
    if take(word: "not") { return .bool(!(try truth(try factor()))) }
    if take("-") { return .double(-(try number(try factor()))) }
    return try primary()
  }

  // MARK: operands

  private mutating func primary() throws -> Value {
    skip()
    guard let character = peek else { throw problem("a value is missing") }
    if take("(") {
      let value = try alternatives()
      guard take(")") else { throw problem("')' is missing") }
      return value
    }
    if character == "\"" || character == "'" { return try text(character) }
    if character == "$" { return try variable() }
    if ("0"..."9").contains(character) || character == "." { return try number() }
    guard Name.isStart(character) else { throw problem("a value is expected here, not '\(character)'") }
    return try named()
  }

  private mutating func named() throws -> Value {
    let start = index
    let name = word()
    if name == "true" || name == "false" { return .bool(name == "true") }
    if peek == "(" {
      index += 1
      let arguments = try arguments()
      guard scope.functions.contains(name) else {
        throw problem("there is no function '\(name)'" + Suggestion.text(for: name, among: scope.functions), at: start)
      }
      return .double(try located(start) { try scope.call(name, arguments) })
    }
    guard peek == "." else {
      let isNode = scope.nodes.contains(name)
      throw problem(
        "'\(name)' is \(isNode ? "a node, not a" : "no") value; write NODE.PROPERTY, a function, or a text in quotes"
          + (isNode ? "" : Suggestion.text(for: name, among: scope.functions)), at: start)
    }
    index += 1
    let property = word()
    return try located(start) { try scope.value(of: name, property) }
  }

  private mutating func arguments() throws -> [ExpressionArgument] {
    var arguments: [ExpressionArgument] = []
    if take(")") { return [] }
    repeat {
      skip()
      let start = index
      if let character = peek, Name.isStart(character) {
        let name = word()
        if peek != ".", peek != "(", scope.nodes.contains(name) {
          arguments.append(.node(name))
          continue
        }
        index = start
      }
      arguments.append(.value(try alternatives()))
    } while take(",")
    guard take(")") else { throw problem("')' is missing") }
    return arguments
  }

  private mutating func number() throws -> Value {
    let start = index
    while let character = peek, character.isASCII, character.isLetter || character.isNumber || character == "." {
      index += 1
      // The sign of an exponent.
      if character == "e" || character == "E", let sign = peek, sign == "-" || sign == "+" { index += 1 }
    }
    let digits = String(characters[start..<index])
    if let whole = Int(digits) { return .int(whole) }
    guard let number = Double(digits) else { throw problem("'\(digits)' is no number", at: start) }
    return .double(number)
  }

  private mutating func text(_ quote: Character) throws -> Value {
    let start = index
    index += 1
    var text = ""
    while let character = peek {
      index += 1
      if character == quote { return .string(text) }
      text.append(character)
    }
    throw problem("the text that begins here has no closing \(quote)", at: start)
  }

  private mutating func variable() throws -> Value {
    let start = index
    index += 1
    let isBraced = take("{")
    let name = word()
    if isBraced, !take("}") { throw problem("'${' is not closed; write ${name}", at: start) }
    guard let value = scope.variables[name] else {
      throw problem(
        "there is no variable '$\(name)'" + Suggestion.text(for: name, among: scope.variables.keys.sorted()), at: start)
    }
    return value
  }

  // MARK: values

  private func number(_ value: Value) throws -> Double {
    switch value {
    case .double(let number): return number
    case .int(let number): return Double(number)
    default: throw problem("'\(value)' is no number")
    }
  }

  private func truth(_ value: Value) throws -> Bool {
    guard case .bool(let truth) = value else { throw problem("'\(value)' is neither true nor false") }
    return truth
  }

  private func compare(_ left: Value, _ sign: String, _ right: Value, at place: Int) throws -> Bool {
    if let left = try? number(left), let right = try? number(right) {
      switch sign {
      case "==": return left == right
      case "!=": return left != right
      case "<": return left < right
      case "<=": return left <= right
      case ">": return left > right
      default: return left >= right
      }
    }
    guard sign == "==" || sign == "!=" else {
      throw problem("'\(left)' and '\(right)' cannot be compared by '\(sign)'; numbers can", at: place)
    }
    return (left.description == right.description) == (sign != "!=")
  }

  // MARK: characters

  private var peek: Character? { index < characters.count ? characters[index] : nil }

  private mutating func skip() {
    while let character = peek {
      if character.isWhitespace || character == "\\" {
        index += 1
      } else if character == "#" {
        while let character = peek, !character.isNewline { index += 1 }
      } else {
        return
      }
    }
  }

  private mutating func word() -> String {
    let start = index
    while let character = peek, Name.isPart(character) {
      // A hyphen at the end of a name is a minus.
      if character == "-", index + 1 >= characters.count || !Name.isPart(characters[index + 1]) { break }
      index += 1
    }
    return String(characters[start..<index])
  }

  private mutating func take(_ sign: String) -> Bool {
    skip()
    let sign = Array(sign)
    guard index + sign.count <= characters.count, Array(characters[index..<index + sign.count]) == sign else {
      return false
    }
    index += sign.count
    return true
  }

  private mutating func take(word: String) -> Bool {
    skip()
    let start = index
    if self.word() == word { return true }
    index = start
    return false
  }

  private func located<Result>(_ start: Int, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as Diagnostic { throw error } catch let error as RenderingCancelled {
      throw error
    } catch { throw problem("\(error)", at: start) }
  }

  private func problem(_ message: String, at place: Int? = nil) -> Diagnostic {
    Diagnostic(offset + (place ?? index), message)
  }
}
