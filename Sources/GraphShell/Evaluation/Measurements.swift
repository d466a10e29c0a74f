import GEGL
import Glibc
import Inspection
import Raster

/// What expressions can ask of the session.
struct Measurements: ExpressionScope {
  let session: Session

  /// A function: its name, what it takes, and what it gives, for the help.
  static let table: [(name: String, arguments: String, summary: String)] = [
    ("abs", "X", "without the sign"), ("sqrt", "X", "the square root"), ("exp2", "X", "a gain of X stops"),
    ("log2", "X", "a gain in stops"), ("round", "X", "the nearest whole number"), ("minimum", "X, Y", "the lesser one"),
    ("maximum", "X, Y", "the greater one"), ("width", "NODE", "pixels in a row"), ("height", "NODE", "rows"),
    ("red", "NODE, X, Y", "the linear value of a pixel"), ("green", "NODE, X, Y", "likewise"),
    ("blue", "NODE, X, Y", "likewise"), ("alpha", "NODE, X, Y", "likewise"),
    ("lightness", "NODE, X, Y", "L* of a pixel"), ("chroma", "NODE, X, Y", "C* of a pixel"),
    ("luminance", "NODE, X, Y", "Y of a pixel"), ("lowest", "NODE", "the least value of all channels"),
    ("highest", "NODE", "the greatest value of all channels"), ("mean", "NODE", "the mean of all channels"),
    ("holes", "NODE", "how many values are NaN or infinite"), ("difference", "A, B", "the mean CIEDE2000"),
    ("largest-difference", "A, B", "the largest CIEDE2000"),
  ]

  /// The names of the functions.
  static let names = Set(table.map(\.name))

  var functions: [String] { Self.table.map(\.name) }
  var nodes: [String] { session.document.names }
  var variables: [String: Value] { session.variables }

  func value(of node: String, _ property: String) throws -> Value {
    try session.value(of: node, Token(kind: .word, text: property, range: 0..<0))
  }

  func call(_ function: String, _ arguments: [ExpressionArgument]) throws -> Double {
    guard let entry = Self.table.first(where: { $0.name == function }) else { return .nan }
    let expected = entry.arguments.split(separator: ",").count
    guard arguments.count == expected else {
      throw GEGLError("'\(function)' takes \(function)(\(entry.arguments))")
    }
    switch entry.arguments.split(separator: ",").first {
    case "X": return try arithmetic(function, arguments.map { try number($0, function) })
    case "A":
      let comparison = try session.comparison(try node(arguments[0], function), try node(arguments[1], function))
      return (function == "difference" ? comparison.mean : comparison.max) ?? .nan
    default: return try picture(function, arguments)
    }
  }

  private func arithmetic(_ function: String, _ x: [Double]) throws -> Double {
    switch function {
    case "abs": abs(x[0])
    case "sqrt": x[0].squareRoot()
    case "exp2": exp2(x[0])
    case "log2": log2(x[0])
    case "round": x[0].rounded()
    case "minimum": min(x[0], x[1])
    default: max(x[0], x[1])
    }
  }

  private func picture(_ function: String, _ arguments: [ExpressionArgument]) throws -> Double {
    let ready = try session.measurable(node(arguments[0], function))
    switch function {
    case "width": return Double(ready.bounds.width)
    case "height": return Double(ready.bounds.height)
    case "lowest", "highest", "mean", "holes":
      let channels = try session.statistics(ready, nil).channels.filter { $0.name != Channels.alpha }
      switch function {
      case "lowest": return channels.compactMap(\.min).min() ?? .nan
      case "highest": return channels.compactMap(\.max).max() ?? .nan
      case "mean": return channels.compactMap(\.mean).reduce(0, +) / Double(max(1, channels.count))
      default: return Double(channels.reduce(0) { $0 + $1.nan + $1.inf })
      }
    default: break
    }
    let place = try arguments.dropFirst().map { (argument: ExpressionArgument) throws -> Int in
      let number = try self.number(argument, function)
      guard let whole = Int(exactly: number) else {
        throw GEGLError("'\(function)' takes the place of a pixel in whole numbers")
      }
      return whole
    }
    let reading = try session.reading(ready, x: place[0], y: place[1], radius: 0)
    switch function {
    case "red": return reading.numbers.rgb.x
    case "green": return reading.numbers.rgb.y
    case "blue": return reading.numbers.rgb.z
    case "alpha": return reading.numbers.alpha
    case "lightness": return reading.lab?.lightness ?? .nan
    case "chroma": return reading.lab.map { ($0.a * $0.a + $0.b * $0.b).squareRoot() } ?? .nan
    default: return reading.xyz?.y ?? .nan
    }
  }

  private func number(_ argument: ExpressionArgument, _ function: String) throws -> Double {
    switch argument {
    case .value(.double(let number)): return number
    case .value(.int(let number)): return Double(number)
    case .value(let other): throw GEGLError("'\(function)' takes a number, not '\(other)'")
    case .node(let name): throw GEGLError("'\(function)' takes a number, not the node '\(name)'")
    }
  }

  private func node(_ argument: ExpressionArgument, _ function: String) throws -> String {
    guard case .node(let name) = argument else { throw GEGLError("'\(function)' takes the name of a node") }
    return name
  }
}

extension Session {
  /// The statistics of a node's result, or of a part of it.
  func statistics(_ ready: ReadyNode, _ area: Rectangle?) throws -> ChannelStatistics {
    let source = try result(ready)
    guard
      let statistics = ChannelStatistics.measure(
        source, in: area, channels: ready.channels, execution: environment.execution)
    else { throw RenderingCancelled() }
    return statistics
  }

  /// How far two nodes' colours differ.
  func comparison(_ first: String, _ second: String, scaling: ColorDifference.Scaling = .none) throws
    -> PictureComparison
  {
    let (one, two) = (try measurable(first), try measurable(second))
    let difference = try ColorDifference(colorSource(one), colorSource(two), scaling: scaling)
    defer { environment.progress("", nil) }
    guard
      let comparison = PictureComparison.measure(
        difference, execution: environment.execution, progress: { environment.progress("comparing", $0) })
    else { throw RenderingCancelled() }
    return comparison
  }
}
