import CGEGL
import GEGL
import Raster
import Testing

extension Operations {
  /// What hosts do with operations beside rendering: they replace one by another, look inside, show its properties.
  @Suite(.serialized) struct HostHabitsTests {
    init() { OperationFixture.started }

    /// A host's dialog lets people go through the list of operations on one node, which stays connected.
    @Test func operationsReplaceEachOtherOnALiveNode() throws {
      let box = Rectangle(width: 20, height: 15)
      let graph = try Graph()
      let frame = try graph.add(OperationFixture.buffer(box, light: [1, 1, 1]))
      let node = try graph.add("gegl:nop")
      try node.connect(from: frame)
      let (_, messages) = try Messages.capture {
        for count in 0..<10_000 {
          // The whole chain is a graph of its own, and takes as long to make as all others together.
          let names = OperationFixture.names
          let name = count % 400 == 0 ? "constant-color:develop" : names[count * 7 % names.count]
          if name == "constant-color:develop" && count % 400 != 0 { continue }
          try replace(node, name)
          #expect(node.operation == name)
          if node.has(pad: "aux") { try node.connect("aux", from: frame) }
          if count % 50 == 0 { #expect(try OperationFixture.pixels(node, box).allSatisfy { $0.isFinite }, "\(name)") }
        }
      }
      // GEGL itself misses the pads of the operation before, which it would connect again.
      #expect(messages.about("constant-color").filter { !$0.contains("gegl_node_pads_exist") } == [])
    }

    /// As a dialog does it: by the property of the node.
    private func replace(_ node: Node, _ operation: String) throws {
      var value = GValue()
      g_value_init(&value, cgegl_type_string())
      defer { g_value_unset(&value) }
      g_value_set_string(&value, operation)
      gegl_node_set_property(node.pointer, "operation", &value)
    }

    /// The parts of the whole chain are this project's own, except where a file is named: nothing inside cuts the picture to
    /// another box, or loads.
    @Test func theWholeChainIsMadeOfItsStepsAlone() throws {
      let graph = try Graph()
      let node = try graph.add("constant-color:develop")
      let children = try #require(gegl_node_get_children(node.pointer))
      defer { g_slist_free(children) }
      var names: [String] = []
      var entry: UnsafeMutablePointer<GSList>? = children
      while let item = entry {
        if let name = gegl_node_get_operation(OpaquePointer(item.pointee.data)) { names.append(String(cString: name)) }
        entry = item.pointee.next
      }
      #expect(names.count > 10)
      #expect(names.filter { !$0.hasPrefix("constant-color:") && $0 != "gegl:nop" } == [])
      for box in [Rectangle(x: 7, y: -9, width: 33, height: 21), Rectangle(width: 1, height: 1)] {
        try node.connect(from: graph.add(OperationFixture.buffer(box, light: [1, 1, 1])))
        for show in ["result", "confidence", "flash-only", "fallback", "overlay"] {
          try node.set("show", .choice(show))
          #expect(node.boundingBox == box, "\(show)")
        }
      }
    }

    /// GEGL's colours are objects, whose references hosts have got wrong; numbers do.
    @Test func noPropertyIsAnObject() throws {
      for name in OperationFixture.names {
        for property in try Catalogue.describe(name).properties {
          switch property.kind {
          case .color, .curve, .vectorPath, .format, .other: Issue.record("\(name) \(property.name)")
          default: break
          }
        }
      }
    }

    /// "Aux2 Input" tells nobody what to connect: the description does.
    @Test func everyInputIsExplained() throws {
      for name in OperationFixture.names {
        let operation = try Catalogue.describe(name)
        for pad in operation.inputs.prefix(3) {
          #expect(operation.summary.lowercased().contains(pad), "\(name): what is \(pad)?")
        }
      }
    }
  }
}
