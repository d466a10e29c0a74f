import CGEGL
import GEGL
import GEGLOperation
import Raster
import Testing

@Suite(.serialized) struct OperationKindTests {
  let graph: Graph
  let ramp: Node

  init() throws {
    TestLibrary.started
    graph = try Graph()
    ramp = try graph.add("test:ramp", ["size": 300])
  }

  private func pixels(_ node: Node, _ area: Rectangle) throws -> [Pixel] {
    try node.read(area, format: PixelFormat(TestLibrary.rgba), as: Pixel.self)
  }

  @Test func sourceGivesItsPixelsAndBounds() throws {
    #expect(ramp.boundingBox == Rectangle(width: 300, height: 300))
    #expect(
      try pixels(ramp, Rectangle(x: 250, y: 17, width: 2, height: 1)) == [
        Pixel(250, 17, 267, 1), Pixel(251, 17, 268, 1),
      ])
  }

  @Test func pointFilterFollowsItsProperty() throws {
    let doubled = try graph.add("test:doubled")
    try doubled.connect(from: ramp)
    let area = Rectangle(x: 3, y: 4, width: 1, height: 1)
    #expect(try pixels(doubled, area) == [Pixel(6, 8, 14, 1)])
    try doubled.set("gain", 3)
    #expect(try pixels(doubled, area) == [Pixel(9, 12, 21, 1)])
  }

  @Test func pointComposerWorksWithAndWithoutAux() throws {
    let sum = try graph.add("test:sum", ["offset": 0.5])
    try sum.connect(from: ramp)
    let area = Rectangle(x: 10, y: 20, width: 1, height: 1)
    #expect(try pixels(sum, area) == [Pixel(10.5, 20.5, 30.5, 1.5)])
    try sum.connect("aux", from: ramp)
    #expect(try pixels(sum, area) == [Pixel(20.5, 40.5, 60.5, 2.5)])
    sum.disconnect("aux")
    #expect(try pixels(sum, area) == [Pixel(10.5, 20.5, 30.5, 1.5)])
  }

  @Test func auxiliaryBoxesDoNotChangeTheOutputBox() throws {
    for (x, y) in [(-37, -21), (290, 290), (1000, 1000)] {
      let moved = try graph.add("gegl:translate", ["x": .int(x), "y": .int(y)])
      try moved.connect(from: ramp)
      for name in ["test:sum", "test:third", "test:mean", "test:left", "test:collected"] {
        let node = try graph.add(name)
        try node.connect(from: ramp)
        try node.connect("aux", from: moved)
        if name == "test:third" { try node.connect("aux2", from: moved) }
        #expect(node.boundingBox == ramp.boundingBox, "\(name)")
        #expect(try pixels(node, ramp.boundingBox).count == 90_000)
      }
    }
  }

  /// Outside an auxiliary picture there are zeros, whatever part is computed: GEGL itself brings zeros where a part of the
  /// picture is asked for, too, and nothing where not.
  @Test func picturesThatLieElsewhereAreNothingThere() throws {
    let aux = try graph.add("gegl:translate", ["x": 200])
    try aux.connect(from: ramp)
    for name in ["test:sum", "test:third", "test:collected"] {
      let node = try graph.add(name)
      try node.connect(from: ramp)
      for pad in name == "test:third" ? ["aux", "aux2"] : ["aux"] { try node.connect(pad, from: aux) }
      let whole = try pixels(node, Rectangle(x: 0, y: 0, width: 300, height: 1))
      let expected = name == "test:sum" ? Pixel(10, 0, 10, 1) : .zero
      #expect(whole[10] == expected && whole[210] != expected, "\(name)")
      #expect(try pixels(node, Rectangle(x: 10, y: 0, width: 1, height: 1)) == [expected], "\(name)")
      // Once disconnected, it is missing.
      for pad in name == "test:third" ? ["aux", "aux2"] : ["aux"] { node.disconnect(pad) }
      if name == "test:third" {
        #expect(try pixels(node, Rectangle(x: 10, y: 0, width: 1, height: 1)) == [Pixel(10, 0, 10, 1)])
      }
    }
  }

  /// A host's dialog replaces one operation by another, whose graph is taken apart while it is still connected.
  @Test func whatIsTakenApartIsNotAsked() throws {
    let node = try graph.add("test:quadrupled")
    try node.connect(from: ramp)
    for count in 0..<50 {
      _ = try pixels(node, Rectangle(width: 4, height: 4))
      var value = GValue()
      g_value_init(&value, cgegl_type_string())
      g_value_set_string(&value, count % 2 == 0 ? "test:mean" : "test:quadrupled")
      gegl_node_set_property(node.pointer, "operation", &value)
      g_value_unset(&value)
    }
    #expect(try pixels(node, Rectangle(x: 5, y: 0, width: 1, height: 1))[0].x == 20)
  }

  @Test func pointComposer3SeesItsThirdInput() throws {
    let third = try graph.add("test:third")
    let doubled = try graph.add("test:doubled")
    try doubled.connect(from: ramp)
    try third.connect(from: ramp)
    try third.connect("aux2", from: doubled)
    #expect(try pixels(third, Rectangle(x: 1, y: 2, width: 1, height: 1)) == [Pixel(2, 4, 6, 1)])
  }

  @Test func collectorHasManyPadsWhichMayBeMissing() throws {
    let pads = try Catalogue.describe("test:collected").inputs
    #expect(pads == ["input", "aux"] + (2...Inputs.collectorCapacity).map { "aux\($0)" })
    let sum = try graph.add("test:collected")
    try sum.connect(from: ramp)
    let area = Rectangle(x: 10, y: 20, width: 1, height: 1)
    #expect(try pixels(sum, area) == [.zero])
    for (count, pad) in ["aux5", "aux", "aux16", "aux2"].enumerated() {
      try sum.connect(pad, from: ramp)
      let n = Float(count + 1)
      #expect(try pixels(sum, area) == [Pixel(10 * n, 20 * n, 30 * n, n)])
    }
    sum.disconnect("aux5")
    #expect(try pixels(sum, area) == [Pixel(30, 60, 90, 3)])
    #expect(sum.boundingBox == ramp.boundingBox)
  }

  @Test func wholeImageOperationComputesOnceForAnyPart() throws {
    let mean = try graph.add("test:mean")
    try mean.connect(from: ramp)
    #expect(mean.number("found-mean") == nil)
    #expect(try pixels(mean, Rectangle(x: 299, y: 0, width: 1, height: 1))[0].x == 149.5)
    #expect(mean.number("found-mean") == 149.5)
    #expect(throws: GEGLError("'found-mean' of 'test:mean' is a result and cannot be set")) {
      try mean.set("found-mean", 1.0)
    }
  }

  @Test func infinitePictureGoesThroughAWholeImageOperation() throws {
    let plane = try graph.add("gegl:checkerboard")
    let mean = try graph.add("test:mean")
    try mean.connect(from: plane)
    #expect(mean.boundingBox.isInfinite)
    let area = Rectangle(x: -5, y: -5, width: 40, height: 40)
    #expect(try pixels(mean, area) == pixels(plane, area))
  }

  @Test func piecesEqualTheWhole() throws {
    let left = try graph.add("test:left")
    try left.connect(from: ramp)
    let whole = try pixels(left, ramp.boundingBox)
    #expect(whole[0] == Pixel(0, 0, 0, 1))
    #expect(whole[301] == Pixel(0, 1, 1, 1))
    for piece in [Rectangle(x: 63, y: 64, width: 65, height: 70), Rectangle(x: 0, y: 299, width: 300, height: 1)] {
      let part = try pixels(left, piece)
      for index in 0..<part.count {
        let (x, y) = (piece.x + index % piece.width, piece.y + index / piece.width)
        #expect(part[index] == whole[y * 300 + x])
      }
    }
  }

  @Test func metaOperationCarriesPropertiesInAndResultsOut() throws {
    let meta = try graph.add("test:quadrupled")
    try meta.connect(from: ramp)
    let area = Rectangle(x: 5, y: 0, width: 1, height: 1)
    #expect(try pixels(meta, area)[0].x == 20)
    try meta.set("gain", 3.0)
    #expect(try pixels(meta, area)[0].x == 45)
    #expect(meta.number("found-gain") == 9)
  }

  /// A graph whose parts are not all there is said in a sentence; its input goes through.
  @Test func graphsWithMissingPartsSaySo() throws {
    let (pixels, messages) = try Messages.capture {
      let node = try graph.add("test:broken")
      try node.connect(from: ramp)
      return try self.pixels(node, Rectangle(width: 10, height: 10))
    }
    #expect(try pixels == self.pixels(ramp, Rectangle(width: 10, height: 10)))
    #expect(
      messages.map(\.text).filter { $0.contains("test:") } == ["test:broken: there is no operation 'test:nowhere'"])
    #expect(!messages.contains { $0.text.contains("assertion") })
  }

  @Test func missingInputsGiveEmptyPicturesWithoutComplaint() throws {
    let (_, messages) = try Messages.capture {
      for name in [
        "test:doubled", "test:sum", "test:third", "test:mean", "test:left", "test:collected", "test:quadrupled",
      ] {
        for pads in [["aux"], ["aux2"], []] {
          let node = try graph.add(name)
          for pad in pads { try? node.connect(pad, from: ramp) }
          #expect(node.boundingBox.isEmpty, "\(name)")
          _ = try pixels(node, Rectangle(width: 200, height: 200))
        }
      }
    }
    #expect(messages.filter { $0.text.contains("test:") || $0.text.contains("assertion") } == [])
  }

  @Test func renderingByBandsTellsProgressAndStops() throws {
    let format = try PixelFormat(TestLibrary.rgba)
    let whole = try pixels(ramp, ramp.boundingBox)
    var seen: [Pixel] = []
    var progress: [Double] = []
    try ramp.renderBands(of: ramp.boundingBox, format: format, rows: 128, progress: { progress.append($0) }) {
      _, bytes in
      seen += bytes.assumingMemoryBound(to: Pixel.self)
    }
    #expect(seen == whole)
    #expect(progress.count == 3 && progress.last == 1 && progress == progress.sorted())
    var count = 0
    #expect(throws: RenderingCancelled.self) {
      try ramp.renderBands(of: ramp.boundingBox, format: format, rows: 128, isCancelled: { count > 0 }) { _, _ in
        count += 1
      }
    }
    #expect(count == 1)
  }

  @Test func thousandInstancesAreCheapAndSilent() throws {
    let clock = ContinuousClock()
    let (time, messages) = try Messages.capture {
      try clock.measure {
        for _ in 0..<1000 {
          let node = try graph.add("test:sum")
          graph.remove(node)
        }
      }
    }
    #expect(messages.filter { $0.text.contains("test:") || $0.text.contains("assertion") } == [])
    #expect(time < .milliseconds(500))
  }
}
