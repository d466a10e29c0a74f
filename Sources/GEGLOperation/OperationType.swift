import CGEGL

/// What GObject needs to know of an operation: its parent class, its words, and how instances are
/// made. Kept for ever, as the type is.
final class OperationType: @unchecked Sendable {
  /// The class of GEGL's that an operation derives from.
  enum Kind {
    case pointFilter, pointComposer, pointComposer3, composer, composer3, collector, source, meta(hasAux: Bool)

    var parent: GType {
      switch self {
      case .pointFilter: gegl_operation_point_filter_get_type()
      case .pointComposer: gegl_operation_point_composer_get_type()
      case .pointComposer3: gegl_operation_point_composer3_get_type()
      case .composer: gegl_operation_composer_get_type()
      case .composer3: gegl_operation_composer3_get_type()
      case .collector: gegl_operation_get_type()
      case .source: gegl_operation_source_get_type()
      case .meta: gegl_operation_meta_get_type()
      }
    }

    /// The input pads, in the order in which a colour space is looked for.
    var inputPads: [String] {
      switch self {
      case .source: []
      case .pointFilter, .meta(hasAux: false): ["input"]
      case .pointComposer, .composer, .meta(hasAux: true): ["input", "aux"]
      case .pointComposer3, .composer3: ["input", "aux", "aux2"]
      case .collector: Self.collectorPads
      }
    }

    /// GEGL's own names, carried on.
    private static let collectorPads = ["input", "aux"] + (2...Inputs.collectorCapacity).map { "aux\($0)" }
  }

  let name: String
  let words: Words
  let kind: Kind
  /// Whether some setting of the properties makes the operation a whole-image one; GEGL decides
  /// about caching by class.
  let cachesWhole: Bool
  let make: () -> Instance
  /// The parent's class, for chaining up; set when the class is made.
  fileprivate(set) var parentClass: UnsafeMutableRawPointer?

  private init(
    name: String, words: Words, kind: Kind, cachesWhole: Bool = false, make: @escaping () -> Instance
  ) {
    self.name = name
    self.words = words
    self.kind = kind
    self.cachesWhole = cachesWhole
    self.make = make
  }

  /// The type for an operation; nil where it adopts none of the kinds.
  convenience init?(_ operation: any Operation.Type) {
    func pointFilter<Op: PointFilter>(_: Op.Type) -> (Kind, () -> Instance) {
      (.pointFilter, { PointFilterInstance<Op>() })
    }
    func pointComposer<Op: PointComposer>(_: Op.Type) -> (Kind, () -> Instance) {
      (.pointComposer, { PointComposerInstance<Op>() })
    }
    func pointComposer3<Op: PointComposer3>(_: Op.Type) -> (Kind, () -> Instance) {
      (.pointComposer3, { PointComposer3Instance<Op>() })
    }
    func area<Op: AreaOperation>(_: Op.Type, _ kind: Kind) -> (Kind, () -> Instance) { (kind, { AreaInstance<Op>() }) }
    func source<Op: Source>(_: Op.Type) -> (Kind, () -> Instance) { (.source, { SourceInstance<Op>() }) }
    func meta<Op: MetaOperation>(_ type: Op.Type) -> (Kind, () -> Instance) {
      (.meta(hasAux: type.hasAux), { MetaInstance<Op>() })
    }
    let (kind, make): (Kind, () -> Instance)
    switch operation {
    case let type as any PointFilter.Type: (kind, make) = pointFilter(type)
    case let type as any PointComposer.Type: (kind, make) = pointComposer(type)
    case let type as any PointComposer3.Type: (kind, make) = pointComposer3(type)
    case let type as any Composer.Type: (kind, make) = area(type, .composer)
    case let type as any Composer3.Type: (kind, make) = area(type, .composer3)
    case let type as any Collector.Type: (kind, make) = area(type, .collector)
    case let type as any Source.Type: (kind, make) = source(type)
    case let type as any MetaOperation.Type: (kind, make) = meta(type)
    default: return nil
    }
    let caches = (operation as? any AreaOperation.Type)?.mayReachWhole ?? false
    self.init(name: operation.name, words: operation.words, kind: kind, cachesWhole: caches, make: make)
  }

  /// The name of the type in GObject: the operation's, in camel case.
  var typeName: String {
    name.split { $0 == ":" || $0 == "-" }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  // MARK: from GObject's pointers to Swift

  private static let quark = g_quark_from_string("swift-gegl-operation")

  /// The type behind an operation object or class of this library's making.
  static func of(_ type: GType) -> OperationType? {
    g_type_get_qdata(type, quark).map { Unmanaged<OperationType>.fromOpaque($0).takeUnretainedValue() }
  }

  func remember(for type: GType, parentClass: UnsafeMutableRawPointer?) {
    self.parentClass = parentClass
    g_type_set_qdata(type, OperationType.quark, Unmanaged.passRetained(self).toOpaque())
  }

  /// Gives an operation object its Swift side, which goes when the object goes.
  func attachInstance(to object: UnsafeMutablePointer<GObject>) {
    g_object_set_qdata_full(
      object, OperationType.quark, Unmanaged.passRetained(make()).toOpaque(),
      { $0.map { Unmanaged<Instance>.fromOpaque($0).release() } })
  }

  /// The Swift side of an operation object.
  static func instance(_ object: UnsafeMutableRawPointer?) -> Instance? {
    guard let object else { return nil }
    return g_object_get_qdata(object.assumingMemoryBound(to: GObject.self), quark).map {
      Unmanaged<Instance>.fromOpaque($0).takeUnretainedValue()
    }
  }
}
