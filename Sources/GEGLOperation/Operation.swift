import GEGL
import Raster

/// An image processing operation of GEGL, written in Swift.
///
/// A conforming type is a plain struct: its name and words are static, its properties are declared
/// with ``Property`` and ``Found``, and it adopts one of the kinds that say how pixels go through
/// it: ``PointFilter``, ``PointComposer``, ``PointComposer3``, ``Composer``, ``Composer3``, ``Collector``,
/// ``Source`` or ``MetaOperation``. ``register(_:with:)`` hands it to GEGL.
///
/// One value of the type lives in every GEGL operation object. Before pixels are processed a copy
/// of it is made (with the properties as they are then) and prepared; that copy is what `process`
/// runs on, possibly on several threads at once, while a host may already be changing properties.
public protocol Operation: SendableMetatype {
  /// The full name, `namespace:dashed-name`: frozen once published.
  static var name: String { get }
  /// What people read about the operation.
  static var words: Words { get }

  /// The operation with its default properties.
  init()

  /// Called on the copy that will process, when the properties and the formats of the inputs are
  /// known: the place to derive what `process` needs. Never changes properties.
  mutating func prepare(_ preparation: inout Preparation)
}

extension Operation {
  /// Nothing to prepare.
  public mutating func prepare(_ preparation: inout Preparation) {}
}

/// What people read about an operation, in hosts and in listings.
public struct Words: Sendable {
  /// A short title in title case.
  public var title: String
  /// What the operation does, and what each of its inputs is.
  public var description: String
  /// GEGL's categories. GIMP hides operations of "compositors", "core", "hidden" and the like.
  public var categories: [String]
  /// What the pads beside `input` are: label and description.
  public var aux: (label: String, description: String)?
  /// The same for the second auxiliary pad.
  public var aux2: (label: String, description: String)?
  /// Further keys of GEGL's, such as "reference" or "gimp:menu-path".
  public var keys: [String: String]

  /// The words of an operation.
  public init(
    title: String, description: String, categories: [String] = ["color"],
    aux: (label: String, description: String)? = nil, aux2: (label: String, description: String)? = nil,
    keys: [String: String] = [:]
  ) {
    self.title = title
    self.description = description
    self.categories = categories
    self.aux = aux
    self.aux2 = aux2
    self.keys = keys
  }
}

/// One pixel after the other, without looking at its neighbours: one input.
public protocol PointFilter: Operation {
  /// Computes the output's pixels from the input's; both may be the same memory. `area` is where
  /// the pixels lie, row after row.
  func process(_ input: Pixels, into output: MutablePixels, area: Rectangle)
}

/// One pixel after the other, from two inputs, of which `aux` may be missing.
public protocol PointComposer: Operation {
  /// Computes the output's pixels; the output may be the same memory as the input.
  func process(_ input: Pixels, _ aux: Pixels?, into output: MutablePixels, area: Rectangle)
}

/// One pixel after the other, from three inputs, of which two may be missing.
public protocol PointComposer3: Operation {
  /// Computes the output's pixels; the output may be the same memory as the input.
  func process(_ input: Pixels, _ aux: Pixels?, _ aux2: Pixels?, into output: MutablePixels, area: Rectangle)
}

/// An operation that sees more than one pixel at a time. It is given its inputs as sources to read
/// from, and a sink to write `area` to.
public protocol AreaOperation: Operation {
  /// How much of the inputs a part of the output needs.
  var reach: Reach { get }

  /// Whether some setting of the properties makes this a whole-image operation; GEGL keeps the
  /// result of such operations. By default: whether the default setting does.
  static var mayReachWhole: Bool { get }

  /// Computes `area` of the output. Must write all of it, whatever the inputs hold.
  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run)
}

extension AreaOperation {
  /// Whether the default setting makes this a whole-image operation.
  public static var mayReachWhole: Bool { Self().reach == .whole }
}

/// Two inputs, `input` and `aux`; see ``AreaOperation``.
public protocol Composer: AreaOperation {}

/// Three inputs, `input`, `aux` and `aux2`; see ``AreaOperation``.
public protocol Composer3: AreaOperation {}

/// Many inputs, `input`, `aux`, `aux2`, `aux3` and so on, up to ``Inputs/collectorCapacity`` beside `input`, each of which
/// may be missing; see ``AreaOperation``.
public protocol Collector: AreaOperation {}

/// An operation that makes pixels from nothing but its properties.
public protocol Source: Operation {
  /// Where there are pixels. Asked often, and before anything is processed.
  func bounds() -> Rectangle
  /// Computes `area` of the output.
  func process(into output: Sink, area: Rectangle, run: Run)
}

/// An operation that is a graph of others.
public protocol MetaOperation: Operation {
  /// Whether the operation has a second input pad.
  static var hasAux: Bool { get }
  /// The nodes inside.
  associatedtype Nodes

  /// Builds the graph, from its input proxies to its output proxy. Throws where a part is missing.
  static func attach(to graph: Graph) throws -> Nodes
  /// Carries the operation's properties into the nodes; called after `attach` and after every change.
  func update(_ nodes: Nodes) throws
  /// Reads results back from the nodes: the value of an output-only property (nil: keep its own).
  func found(_ name: String, in nodes: Nodes) -> Value?
}

extension MetaOperation {
  /// No results of its own.
  public func found(_ name: String, in nodes: Nodes) -> Value? { nil }
}

/// How much of its inputs an area operation needs for a part of its output.
public enum Reach: Equatable, Sendable {
  /// That part and so many pixels around it.
  case margin(Int)
  /// Everything: the output is computed in one go, once, and kept by GEGL.
  case whole
}
