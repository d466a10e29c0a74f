import GEGL
import Raster
import Testing

extension Operations {
  /// What hosts and people read about the operations.
  @Suite(.serialized) struct CatalogueTests {
    init() { OperationFixture.started }

    /// The operations of the published list.
    private let published = [
      "load-raw",
      "align", "match-exposure", "subtract-ambient", "estimate-flash-only", "adapt-to-d65", "confidence",
      "render-output",
      "white-balance-ambient", "ambient-look", "develop",
    ]

    @Test func publishedOperationsAreThere() {
      for name in published { #expect(Catalogue.contains("constant-color:" + name)) }
    }

    @Test func wordsAreComplete() throws {
      let blocked: Set = [
        "compositors", "core", "debug", "display", "hidden", "input", "output", "programming", "transform", "video",
      ]
      for name in OperationFixture.names {
        let operation = try Catalogue.describe(name)
        #expect(!operation.title.isEmpty, "\(name)")
        #expect(operation.summary.count > 20, "\(name)")
        #expect(!operation.categories.isEmpty, "\(name)")
        // GIMP hides operations of these categories: of ours only the one that takes no picture.
        #expect(blocked.isDisjoint(with: operation.categories) == operation.inputs.contains("input"), "\(name)")
        for property in operation.properties {
          #expect(property.name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil, "\(name) \(property.name)")
          #expect(!property.summary.isEmpty, "\(name) \(property.name)")
          if case .double(let range, let ui?) = property.kind, property.isWritable {
            #expect(range.contains(ui.lowerBound) && range.contains(ui.upperBound), "\(name) \(property.name)")
            #expect(ui.lowerBound < ui.upperBound, "\(name) \(property.name)")
          }
          #expect(property.isWritable != property.name.hasPrefix("found-"), "\(name) \(property.name)")
        }
      }
    }

    @Test func publishedPropertiesAreThere() throws {
      let properties = try Catalogue.describe("constant-color:develop").properties.map(\.name)
      for name in [
        "exposure-ratio", "align", "flash-x", "flash-y", "tolerance", "exposure", "exposure-gain", "space",
        "input-colour",
        "ambient-path", "show", "look",
      ] { #expect(properties.contains(name), "\(name)") }
      #expect(try Catalogue.describe("constant-color:subtract-ambient").property("exposure-ratio")?.defaultValue == 1.0)
      #expect(try Catalogue.describe("constant-color:match-exposure").property("exposure-ratio")?.defaultValue == 0.0)
      #expect(try Catalogue.describe("constant-color:confidence").property("tolerance")?.defaultValue == 3.0)
    }

    @Test func instancesAreCheapAndSilent() throws {
      let graph = try Graph()
      let clock = ContinuousClock()
      for name in OperationFixture.names {
        let count = name == "constant-color:develop" ? 50 : 1000
        let (time, messages) = try Messages.capture {
          try clock.measure { for _ in 0..<count { graph.remove(try graph.add(name)) } }
        }
        #expect(messages.about(name) == [], "\(name)")
        let each = time / count
        // Some ten microseconds on an idle machine; the bound is for one that does other things, too.
        #expect(each < (name == "constant-color:develop" ? .milliseconds(50) : .milliseconds(5)), "\(name) \(each)")
      }
    }
  }
}
