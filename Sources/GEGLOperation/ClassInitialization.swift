import CGEGL
import GEGL
import Raster

/// Fills in the class of an operation: properties, words, and the functions GEGL calls.
func initializeClass(_ klass: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
  guard let klass, let data else { return }
  let type = Unmanaged<OperationType>.fromOpaque(data).takeUnretainedValue()
  type.remember(for: cgegl_type_of_class(klass), parentClass: g_type_class_peek_parent(klass))
  installProperties(klass, type)
  setWords(klass, type)
  setFunctions(klass, type)
}

private func installProperties(_ klass: UnsafeMutableRawPointer, _ type: OperationType) {
  guard let object = cgegl_object_class(klass) else { return }
  object.pointee.get_property = { object, id, value, _ in
    guard let value else { return }
    OperationType.instance(object)?.load(Int(id), into: value)
  }
  object.pointee.set_property = { object, id, value, _ in
    guard let value else { return }
    OperationType.instance(object)?.take(Int(id), value)
  }
  object.pointee.dispatch_properties_changed = notifyOfRealChanges
  for (index, storage) in type.make().storages.enumerated() {
    guard let spec = storage.makeSpec() else { continue }
    g_object_class_install_property(object, guint(index + 1), spec)
  }
}

/// Passes on only the notifications of values that are new: GObject notifies whenever a property is set, and
/// GEGL then computes everything anew.
private func notifyOfRealChanges(
  _ object: UnsafeMutablePointer<GObject>?, _ count: guint,
  _ specs: UnsafeMutablePointer<UnsafeMutablePointer<GParamSpec>?>?
) {
  guard let object, let type = OperationType.of(cgegl_type_of_instance(object)),
    let instance = OperationType.instance(object),
    let parent = cgegl_object_class(type.parentClass)?.pointee.dispatch_properties_changed
  else { return }
  var changed = UnsafeMutableBufferPointer(start: specs, count: Int(count)).filter { spec in
    guard let spec, OperationType.of(spec.pointee.owner_type) != nil else { return true }
    return instance.isChangeToTell(Int(spec.pointee.param_id))
  }
  if !changed.isEmpty { parent(object, guint(changed.count), &changed) }
}

private func setWords(_ klass: UnsafeMutableRawPointer, _ type: OperationType) {
  guard let operation = cgegl_operation_class(klass) else { return }
  let words = type.words
  var keys = words.keys
  keys["name"] = type.name
  keys["title"] = words.title
  keys["description"] = words.description
  keys["categories"] = words.categories.joined(separator: ":")
  for (key, value) in keys { gegl_operation_class_set_key(operation, key, value) }

  // GEGL keeps these pointers as long as the class, which is for ever.
  func permanent(_ text: String?) -> UnsafePointer<CChar>? { text.flatMap { UnsafePointer(g_strdup($0)) } }
  switch type.kind {
  case .pointComposer, .composer:
    guard let composer = cgegl_composer_class(klass) else { return }
    composer.pointee.aux_label = permanent(words.aux?.label)
    composer.pointee.aux_description = permanent(words.aux?.description)
  case .pointComposer3, .composer3:
    guard let composer = cgegl_composer3_class(klass) else { return }
    composer.pointee.aux_label = permanent(words.aux?.label)
    composer.pointee.aux_description = permanent(words.aux?.description)
    composer.pointee.aux2_label = permanent(words.aux2?.label)
    composer.pointee.aux2_description = permanent(words.aux2?.description)
  case .pointFilter, .collector, .source, .meta: break
  }
}

private func setFunctions(_ klass: UnsafeMutableRawPointer, _ type: OperationType) {
  guard let operation = cgegl_operation_class(klass) else { return }
  operation.pointee.opencl_support = 0
  switch type.kind {
  case .meta:
    operation.pointee.attach = attachMeta
    cgegl_meta_class(klass)?.pointee.update = { operation in OperationType.instance(operation)?.update() }
    return
  case .pointFilter:
    cgegl_point_filter_class(klass)?.pointee.process = { operation, input, output, count, area, _ in
      processPoints(operation, input, nil, nil, output, count, area)
    }
  case .pointComposer:
    cgegl_point_composer_class(klass)?.pointee.process = { operation, input, aux, output, count, area, _ in
      processPoints(operation, input, aux, nil, output, count, area)
    }
  case .pointComposer3:
    cgegl_point_composer3_class(klass)?.pointee.process = { operation, input, aux, aux2, output, count, area, _ in
      processPoints(operation, input, aux, aux2, output, count, area)
    }
  case .composer, .composer3, .collector, .source:
    if case .collector = type.kind { operation.pointee.attach = attachPads }
    // The base classes split the work over threads, and reference a missing input while they do.
    operation.pointee.threaded = 0
    operation.pointee.want_in_place = 0
    operation.pointee.process = processArea
  }
  operation.pointee.prepare = prepare
  operation.pointee.get_bounding_box = boundingBox
  operation.pointee.get_required_for_output = requiredForOutput
  operation.pointee.get_invalidated_by_change = invalidatedByChange
  if type.cachesWhole { operation.pointee.get_cached_region = cachedRegion }
}

// MARK: the functions GEGL calls

private typealias OperationPointer = UnsafeMutablePointer<GeglOperation>

private func operationType(_ operation: OperationPointer) -> OperationType? {
  OperationType.of(cgegl_type_of_instance(operation))
}

private func attachMeta(_ operation: UnsafeMutablePointer<GeglOperation>?) {
  guard let operation, let node = cgegl_operation_node(operation) else { return }
  OperationType.instance(operation)?.attach(to: Graph(inside: node))
}

/// The pads of an operation that derives from none of GEGL's classes that have some.
private func attachPads(_ operation: UnsafeMutablePointer<GeglOperation>?) {
  guard let operation, let type = operationType(operation) else { return }
  // GEGL lists pads from the last to the first.
  for pad in type.kind.inputPads.reversed() { cgegl_create_pad(operation, pad, 1) }
  cgegl_create_pad(operation, "output", 0)
}

private func prepare(_ operation: UnsafeMutablePointer<GeglOperation>?) {
  guard let operation, let type = operationType(operation) else { return }
  var preparation = Preparation(operation, inputPads: type.kind.inputPads)
  let instance = OperationType.instance(operation)
  instance?.forgetBounds()
  instance?.prepare(&preparation)
  if let linear = Preparation.linear(preparation.inputSpace) {
    for pad in type.kind.inputPads { gegl_operation_set_format(operation, pad, linear.babl) }
  }
  if let output = preparation.output { gegl_operation_set_format(operation, "output", output.babl) }
}

/// Where the picture on a pad has pixels; nil where there is none. The answer is kept for where the graph cannot be asked.
private func bounds(_ operation: OperationPointer, _ pad: String) -> Rectangle? {
  let bounds = gegl_operation_source_get_bounding_box(operation, pad).map { Rectangle($0.pointee) }
  OperationType.instance(operation)?.keep(bounds, of: pad)
  return bounds
}

/// The output has pixels where the input has: GEGL's default, the union with the other pads, has
/// crashed hosts.
private func boundingBox(_ operation: UnsafeMutablePointer<GeglOperation>?) -> GeglRectangle {
  guard let operation, let type = operationType(operation) else { return GeglRectangle() }
  if case .source = type.kind {
    return GeglRectangle(OperationType.instance(operation)?.bounds() ?? Rectangle(width: 0, height: 0))
  }
  return GeglRectangle(bounds(operation, "input") ?? Rectangle(width: 0, height: 0))
}

private func requiredForOutput(
  _ operation: UnsafeMutablePointer<GeglOperation>?, _ pad: UnsafePointer<gchar>?,
  _ region: UnsafePointer<GeglRectangle>?
) -> GeglRectangle {
  guard let operation, let pad, let region else { return GeglRectangle() }
  let wanted = Rectangle(region.pointee)
  let own = bounds(operation, String(cString: pad))
  guard let instance = OperationType.instance(operation), !wanted.isInfinite else { return region.pointee }
  switch instance.reach {
  case .margin(let margin): return GeglRectangle(wanted.expanded(by: margin))
  case .whole:
    guard let input = bounds(operation, "input"), !input.isInfinite else { return region.pointee }
    let whole = own ?? input
    return GeglRectangle(whole.isInfinite ? input : whole)
  }
}

/// A whole-image operation computes everything in one go, and what it computed is kept; on a
/// picture without bounds it computes nothing.
private func cachedRegion(
  _ operation: UnsafeMutablePointer<GeglOperation>?, _ region: UnsafePointer<GeglRectangle>?
) -> GeglRectangle {
  guard let operation, let region else { return GeglRectangle() }
  guard OperationType.instance(operation)?.reach == .whole, let input = bounds(operation, "input"), !input.isInfinite
  else { return region.pointee }
  return GeglRectangle(input)
}

/// Where the result changes with an input. Nothing is asked of the graph here: this is called while a host takes it apart.
private func invalidatedByChange(
  _ operation: UnsafeMutablePointer<GeglOperation>?, _ pad: UnsafePointer<gchar>?,
  _ region: UnsafePointer<GeglRectangle>?
) -> GeglRectangle {
  guard let operation, let region else { return GeglRectangle() }
  guard let instance = OperationType.instance(operation) else { return region.pointee }
  switch instance.reach {
  case .margin(let margin):
    let changed = Rectangle(region.pointee)
    return changed.isInfinite ? region.pointee : GeglRectangle(changed.expanded(by: margin))
  case .whole:
    guard let bounds = instance.keptBounds(of: "input") else { return region.pointee }
    var (known, changed, both) = (GeglRectangle(bounds), region.pointee, GeglRectangle())
    gegl_rectangle_bounding_box(&both, &known, &changed)
    return both
  }
}

private func processPoints(
  _ operation: UnsafeMutablePointer<GeglOperation>?, _ input: UnsafeMutableRawPointer?, _ aux: UnsafeMutableRawPointer?,
  _ aux2: UnsafeMutableRawPointer?, _ output: UnsafeMutableRawPointer?, _ count: glong,
  _ area: UnsafePointer<GeglRectangle>?
) -> gboolean {
  guard let operation, let output, let area, count > 0 else { return 1 }
  let pixels = MutablePixels(output, count: Int(count))
  guard let input, let instance = OperationType.instance(operation) else {
    for index in 0..<pixels.count { pixels[index] = .zero }
    return 1
  }
  // GEGL brings nothing of a picture that lies elsewhere, as if it were missing, and zeros of one that lies here in part.
  var zeros: [Pixel] = []
  func isElsewhere(_ pointer: UnsafeMutableRawPointer?, _ pad: String) -> Bool {
    pointer == nil && instance.keptBounds(of: pad)?.isEmpty == false
  }
  let (auxIsElsewhere, aux2IsElsewhere) = (isElsewhere(aux, "aux"), isElsewhere(aux2, "aux2"))
  if auxIsElsewhere || aux2IsElsewhere { zeros = [Pixel](repeating: .zero, count: Int(count)) }
  zeros.withUnsafeMutableBytes { zeros in
    func view(_ pointer: UnsafeMutableRawPointer?, _ isElsewhere: Bool) -> Pixels? {
      (isElsewhere ? zeros.baseAddress : pointer).map { Pixels($0, count: Int(count)) }
    }
    instance.process(
      Pixels(input, count: Int(count)), view(aux, auxIsElsewhere), view(aux2, aux2IsElsewhere), into: pixels,
      area: Rectangle(area.pointee))
  }
  return 1
}

/// Computes a part of an area operation's or a source's output. Always succeeds: GEGL keeps and
/// believes whatever a failed operation left behind.
private func processArea(
  _ operation: UnsafeMutablePointer<GeglOperation>?, _ context: OpaquePointer?, _ pad: UnsafePointer<gchar>?,
  _ region: UnsafePointer<GeglRectangle>?, _ level: gint
) -> gboolean {
  guard let operation, let context, let region, let instance = OperationType.instance(operation),
    let type = operationType(operation)
  else { return 1 }

  // An infinite picture has no statistics: it goes through as it is.
  if instance.reach == .whole, let input = bounds(operation, "input"), input.isInfinite,
    let object = gegl_operation_context_get_object(context, "input")
  {
    gegl_operation_context_take_object(context, "output", g_object_ref(object).assumingMemoryBound(to: GObject.self))
    return 1
  }
  guard let target = gegl_operation_context_get_target(context, "output"),
    let format = PixelFormat(gegl_operation_get_format(operation, "output"))
  else { return 1 }

  let input = bounds(operation, "input")
  func picture(_ pad: String) -> (any PixelSource)? {
    // What lies beside the input, or only partly over it, is nothing there, whatever part is asked for.
    if case .margin = instance.reach, pad != "input", let input, let own = bounds(operation, pad), !own.isInfinite {
      guard !own.isEmpty, let format = PixelFormat(gegl_operation_get_format(operation, pad)) else { return nil }
      let buffer = gegl_operation_context_get_object(context, pad).map { Buffer(shared: OpaquePointer($0)) }
      return FramedSource(buffer, format: format, bounds: own, frame: input.isInfinite ? nil : input)
    }
    guard let object = gegl_operation_context_get_object(context, pad),
      let format = PixelFormat(gegl_operation_get_format(operation, pad))
    else { return nil }
    let buffer = Buffer(shared: OpaquePointer(object))
    let bounds = bounds(operation, pad).flatMap { $0.isInfinite ? nil : $0 }
    guard let source = BufferSource(buffer, format: format, bounds: bounds), !source.bounds.isEmpty else { return nil }
    return source
  }
  instance.process(
    Inputs(
      input: type.kind.inputPads.first.flatMap(picture), auxiliaries: type.kind.inputPads.dropFirst().map(picture)),
    into: Sink(Buffer(shared: target), format: format), area: Rectangle(region.pointee), run: Run(operation))
  Run.noteIfUnfinished(operation)
  return 1
}
