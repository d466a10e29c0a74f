import CGEGL
import GEGL
import GEGLOperation
import Raster
import Testing

@Suite(.serialized) struct PropertyTests {
  let graph: Graph
  let sum: Node

  init() throws {
    TestLibrary.started
    graph = try Graph()
    sum = try graph.add("test:sum")
  }

  @Test func defaultsAreAsDeclared() throws {
    #expect(try sum.value("count") == 3)
    #expect(try sum.value("flag") == true)
    #expect(try sum.value("text") == "none")
    #expect(try sum.value("mode") == .choice("second"))
    #expect(try sum.value("offset") == 0.0)
  }

  @Test func valuesComeBackAsSet() throws {
    try sum.set("count", 5)
    try sum.set("flag", false)
    try sum.set("text", "größer")
    try sum.set("mode", "first")
    try sum.set("offset", -1)
    #expect(try sum.value("count") == 5)
    #expect(try sum.value("flag") == false)
    #expect(try sum.value("text") == "größer")
    #expect(try sum.value("mode") == .choice("first"))
    #expect(try sum.value("offset") == -1.0)
  }

  @Test func wrongValuesAreErrorsThatSayWhatFits() throws {
    #expect(throws: GEGLError("'count' takes a whole number from 0 to 5, not '6'")) { try sum.set("count", 6) }
    #expect(throws: GEGLError("'count' takes a whole number from 0 to 5, not '1.5'")) { try sum.set("count", 1.5) }
    #expect(throws: GEGLError("'mode' takes one of first, second, not 'third'")) { try sum.set("mode", "third") }
    #expect(throws: GEGLError("'offset' takes a number from -1.0 to 1.0, not 'nan'")) {
      try sum.set("offset", .double(.nan))
    }
    #expect(throws: GEGLError("'test:sum' has no property 'cuont'")) { try sum.set("cuont", 1) }
    #expect(try sum.value("count") == 3)
  }

  @Test func catalogueDescribesTheOperation() throws {
    let description = try Catalogue.describe("test:sum")
    #expect(description.title == "Sum")
    #expect(Set(description.inputs) == ["input", "aux"])
    #expect(description.outputs == ["output"])
    #expect(description.properties.map(\.name) == ["count", "flag", "text", "mode", "offset"])
    guard case .choice(let choices) = description.property("mode")?.kind else { throw GEGLError("mode is no choice") }
    #expect(choices.map(\.nick) == ["first", "second"])
    #expect(choices.map(\.label) == ["The first", "The second"])
    #expect(description.property("offset")?.kind == .double(range: -1...1, ui: -1...1))
    #expect(description.property("offset")?.label == "Offset")
    #expect(try Catalogue.describe("test:mean").property("found-mean")?.isWritable == false)
    #expect(throws: GEGLError("there is no operation 'test:nothing'")) { try Catalogue.describe("test:nothing") }
  }

  @Test func catalogueDescribesEveryInstalledOperation() throws {
    #expect(Catalogue.names.count > 200)
    for name in Catalogue.names { #expect(try Catalogue.describe(name).name == name) }
  }

  @Test func settingTheSameValueComputesNothingAnew() throws {
    let ramp = try graph.add("test:ramp")
    let mean = try graph.add("test:mean")
    let doubled = try graph.add("test:doubled")
    try doubled.connect(from: ramp)
    try mean.connect(from: doubled)
    let format = try PixelFormat(TestLibrary.rgba)
    let area = Rectangle(width: 1, height: 1)
    _ = try mean.read(area, format: format, as: Float.self)
    let clock = ContinuousClock()
    try ramp.set("size", 4000)
    let first = try clock.measure { _ = try mean.read(area, format: format, as: Float.self) }
    let again = try clock.measure {
      try doubled.set("gain", 2)
      _ = try mean.read(area, format: format, as: Float.self)
    }
    #expect(again < first / 5)
  }

  @Test func hostsThatCopyDeclarationsAreToldOfChanges() throws {
    // GIMP's settings are objects whose properties have the flags of ours, and which leave notifying to GObject.
    for name in ["test:sum", "test:mean"] {
      var count: guint = 0
      let specs = try #require(gegl_operation_list_properties(name, &count))
      defer { g_free(specs) }
      for spec in UnsafeBufferPointer(start: specs, count: Int(count)) {
        let flags = try #require(spec).pointee.flags
        #expect(flags.rawValue & G_PARAM_EXPLICIT_NOTIFY.rawValue == 0)
      }
    }
  }

  @Test func circlesAndMissingPadsAreErrors() throws {
    let doubled = try graph.add("test:doubled")
    try sum.connect(from: doubled)
    #expect(throws: GEGLError.self) { try doubled.connect(from: sum) }
    #expect(throws: GEGLError("'test:doubled' has no pad 'aux'")) { try doubled.connect("aux", from: sum) }
  }

  @Test func registeringAgainIsHarmless() throws {
    register([Sum.self, Doubled.self])
    #expect(try graph.add("test:sum").value("count") == 3)
  }
}
