import GEGL
import Raster
import Testing

extension Operations {
  /// What has crashed other people's operations must not crash ours: every operation with every kind of input.
  @Suite(.serialized) struct RobustnessTests {
    private let box = Rectangle(x: 0, y: 0, width: 61, height: 47)

    init() { OperationFixture.started }

    private func run(
      _ name: String, input: Buffer?, aux: Buffer?, area: Rectangle? = nil, _ note: Comment
    ) throws {
      let graph = try Graph()
      let (pixels, messages) = try Messages.capture {
        let node = try OperationFixture.node(
          name, in: graph, input: input.map { try graph.add($0) }, aux: aux.map { try graph.add($0) })
        if let input { #expect(node.boundingBox == input.extent, "\(name) \(note)") }
        return try OperationFixture.pixels(node, area)
      }
      #expect(messages.about(name) == [], "\(name) \(note)")
      #expect(pixels.allSatisfy { $0.isFinite }, "\(name) \(note)")
    }

    @Test func everySubsetOfPads() throws {
      for name in OperationFixture.filters {
        let frame = try OperationFixture.buffer(box, light: [1, 1, 1])
        try run(name, input: frame, aux: nil, "input alone")
        try run(name, input: nil, aux: frame, area: box, "aux alone")
        try run(name, input: nil, aux: nil, area: box, "nothing")
        try run(name, input: frame, aux: frame, "both the same")
      }
    }

    @Test func auxiliaryFramesOfOtherBoxes() throws {
      for name in OperationFixture.filters {
        let frame = try OperationFixture.buffer(box, light: [1, 1, 1])
        for other in [
          Rectangle(x: 5, y: 5, width: 20, height: 20), Rectangle(x: -50, y: -40, width: 300, height: 200),
          Rectangle(x: 500, y: 500, width: 30, height: 30), Rectangle(x: 60, y: 46, width: 10, height: 10),
          Rectangle(width: 0, height: 0),
        ] {
          try run(name, input: frame, aux: OperationFixture.buffer(other, light: [0.5, 0.3, 0.1]), "aux \(other)")
        }
      }
    }

    @Test func connectedButEmptyAux() throws {
      for name in OperationFixture.filters {
        let graph = try Graph()
        let (pixels, messages) = try Messages.capture {
          let input = try graph.add(OperationFixture.buffer(box, light: [1, 1, 1]))
          let node = try OperationFixture.node(
            name, in: graph, input: input, aux: try graph.add("gegl:buffer-source"))
          return try OperationFixture.pixels(node)
        }
        #expect(messages.about(name) == [], "\(name)")
        #expect(pixels.allSatisfy { $0.isFinite }, "\(name)")
      }
    }

    @Test func tinyFrames() throws {
      for name in OperationFixture.filters {
        for (width, height) in [(1, 1), (1, 300), (300, 1), (2, 2), (3, 3)] {
          let bounds = Rectangle(width: width, height: height)
          try run(
            name, input: OperationFixture.buffer(bounds, light: [1, 1, 1]),
            aux: OperationFixture.buffer(bounds, light: [0.4, 0.3, 0.2]), "\(width) × \(height)")
        }
      }
    }

    @Test func placesDoNotMatter() throws {
      for name in OperationFixture.filters {
        let moved = Rectangle(x: -37, y: -21, width: box.width, height: box.height)
        var results: [[Pixel]] = []
        for bounds in [box, moved] {
          let graph = try Graph()
          let node = try OperationFixture.node(
            name, in: graph, input: graph.add(OperationFixture.buffer(bounds, light: [1, 0.9, 0.8])),
            aux: graph.add(OperationFixture.buffer(bounds, light: [0.4, 0.3, 0.2])))
          results.append(try OperationFixture.pixels(node))
        }
        let worst = zip(results[0], results[1]).map { ($0 - $1).replacing(with: $1 - $0, where: $0 .< $1).max() }.max()
        #expect((worst ?? 0) < 1e-5, "\(name)")
      }
    }

    @Test func absurdNumbers() throws {
      let values: [Float] = [.nan, .infinity, -.infinity, -1, 0, .leastNonzeroMagnitude, 1, 1e30, -1e30, 0.5]
      for name in OperationFixture.filters {
        let frame = Image(box) { x, y in
          Pixel(values[(x + y) % 10], values[(x * 3 + y) % 10], values[(x + y * 7) % 10], values[(x * y) % 10])
        }
        let absurd = try Buffer(box, format: OperationFixture.linear(), samples: frame.pixels)
        let sane = try OperationFixture.buffer(box, light: [1, 1, 1])
        for (input, aux) in [(absurd, sane), (sane, absurd), (absurd, absurd)] {
          let graph = try Graph()
          let (pixels, messages) = try Messages.capture {
            let node = try OperationFixture.node(name, in: graph, input: graph.add(input), aux: graph.add(aux))
            return try OperationFixture.pixels(node)
          }
          #expect(messages.about(name) == [], "\(name)")
          #expect(pixels.count == box.count)
          // Results that people see are always numbers; so is the confidence.
          if ["develop", "render-output", "confidence", "adapt-to-d65", "ambient-look"].contains(
            String(name.dropFirst(15)))
          {
            #expect(pixels.allSatisfy { $0.isFinite }, "\(name) \(input === absurd) \(aux === absurd)")
          }
        }
      }
    }

    @Test func infinitePicturesEndQuickly() throws {
      let clock = ContinuousClock()
      for name in OperationFixture.filters {
        let graph = try Graph()
        let plane = try graph.add("gegl:checkerboard")
        let node = try OperationFixture.node(name, in: graph, input: plane, aux: plane)
        let area = Rectangle(x: -20, y: -20, width: 200, height: 100)
        let (time, messages) = try Messages.capture {
          try clock.measure { _ = try OperationFixture.pixels(node, area) }
        }
        #expect(time < .seconds(2), "\(name)")
        #expect(messages.about(name) == [], "\(name)")
      }
    }

    @Test func infiniteAuxiliaryPicture() throws {
      for name in OperationFixture.filters {
        let graph = try Graph()
        let input = try graph.add(OperationFixture.buffer(box, light: [1, 1, 1]))
        let (pixels, messages) = try Messages.capture {
          try OperationFixture.pixels(
            OperationFixture.node(name, in: graph, input: input, aux: graph.add("gegl:checkerboard")))
        }
        #expect(messages.about(name) == [], "\(name)")
        #expect(pixels.allSatisfy { $0.isFinite }, "\(name)")
      }
    }

    @Test func everyPixelFormat() throws {
      let formats = [
        "R'G'B' u8", "R'G'B'A u8", "R'G'B' u16", "RGBA half", "Y' u8", "YA float", "Y' u16", "RaGaBaA float", "cmyk u8",
        "R~G~B~A float",
      ]
      for name in OperationFixture.filters {
        for format in formats {
          let format = try PixelFormat(format)
          let frame = try Buffer(box, format: format)
          try frame.write(
            OperationFixture.scene(box, light: [1, 1, 1]), to: box, format: OperationFixture.linear())
          try run(name, input: frame, aux: frame, "\(format.name)")
        }
      }
    }

    @Test func propertiesAtTheirLimits() throws {
      for name in OperationFixture.filters {
        for property in try Catalogue.describe(name).properties where property.isWritable {
          let values: [Value]
          switch property.kind {
          case .double(let range, _): values = [.double(range.lowerBound), .double(range.upperBound)]
          case .int(let range, _): values = [.int(range.lowerBound), .int(range.upperBound)]
          case .bool: values = [true, false]
          case .choice(let choices): values = choices.map { .choice($0.nick) }
          case .string: values = ["", "nonsense", "0 0 0 0 0 0 0 0 0", "1 2 3", "nan nan nan nan nan nan nan nan nan"]
          case .path, .color, .curve, .vectorPath, .format, .other: values = [""]
          }
          for value in values {
            let graph = try Graph()
            let pixels = try Messages.capture {
              let node = try OperationFixture.node(
                name, in: graph, input: graph.add(OperationFixture.buffer(box, light: [1, 1, 1])),
                aux: graph.add(OperationFixture.buffer(box, light: [0.4, 0.3, 0.2])))
              try node.set(property.name, value)
              return try OperationFixture.pixels(node)
            }.result
            #expect(pixels.allSatisfy { $0.isFinite }, "\(name) \(property.name)=\(value)")
          }
        }
      }
    }
  }
}
