import ColorScience
import JSONValue
import Photo

/// Reads members of a JSON file and says in one line which is missing or out of range.
struct TruthReader {
  let path: String
  let json: JSON

  /// Reads a file. Throws `PhotoError`.
  init(_ path: String) throws {
    self.path = path
    let text = try TextFile.read(path, as: "a set's JSON")
    do { json = try JSON(parsing: Array(text.utf8)) } catch {
      throw PhotoError(path, "\(error.description); make the set again")
    }
  }

  private init(_ path: String, _ json: JSON) { (self.path, self.json) = (path, json) }

  /// A member's members; nil where it is null or missing.
  func inside(_ key: String) -> TruthReader? {
    guard case .object = json[key] else { return nil }
    return TruthReader(path, json[key])
  }

  /// A list of objects.
  func list(_ key: String) throws -> [TruthReader] {
    guard let elements = json[key].elements else { throw wrong(key, "a list") }
    return elements.map { TruthReader(path, $0) }
  }

  /// A number in a range.
  func number(_ key: String, in range: ClosedRange<Double> = -1e9...1e9) throws -> Double {
    guard let number = json[key].double, range.contains(number) else {
      throw wrong(key, "a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A number in a range; nil where it is null, missing or not finite.
  func optionalNumber(_ key: String) -> Double? { json[key].double.flatMap { $0.isFinite ? $0 : nil } }

  /// A whole number in a range.
  func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int {
    let number = try number(key, in: Double(range.lowerBound)...Double(range.upperBound))
    guard let integer = Int(exactly: number) else { throw wrong(key, "a whole number") }
    return integer
  }

  /// A text.
  func text(_ key: String) throws -> String {
    guard let text = json[key].string else { throw wrong(key, "a text") }
    return text
  }

  /// A name of a file in the same folder, or of a pair: no path.
  func name(_ key: String) throws -> String {
    let name = try text(key)
    guard !name.isEmpty, name.utf8.count <= 200, !name.hasPrefix("."), !name.hasPrefix("-"),
      !name.contains(where: { $0 == "/" || $0 == "\0" || $0.isNewline })
    else { throw wrong(key, "a plain name") }
    return name
  }

  /// So many finite numbers.
  func vector(_ key: String, count: Int) throws -> [Double] {
    guard let numbers = json[key].doubles, numbers.count == count, numbers.allSatisfy({ abs($0) <= 1e9 }) else {
      throw wrong(key, "\(count) numbers")
    }
    return numbers
  }

  /// A place in pixels.
  func point(_ key: String) throws -> SIMD2<Double> {
    let numbers = try vector(key, count: 2)
    return SIMD2(numbers[0], numbers[1])
  }

  /// Width and height.
  func size(_ key: String = "size") throws -> (width: Int, height: Int) {
    let numbers = try vector(key, count: 2).compactMap { Int(exactly: $0) }
    guard numbers.count == 2, numbers.allSatisfy({ (16...65535).contains($0) }), numbers[0] * numbers[1] <= 1 << 28
    else { throw wrong(key, "a width and a height") }
    return (numbers[0], numbers[1])
  }

  /// What to say of a member that is not as it should be.
  func wrong(_ key: String, _ expected: String) -> PhotoError {
    PhotoError(path, "its '\(key)' is not \(expected); make the set again")
  }
}
