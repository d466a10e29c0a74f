import Calibration
import ColorScience
import Testing

@Suite struct ChartFileTests {
  private let names = ChartReference.patchNames

  private func number(_ value: Double) -> String { "\(value)" }

  private func rows(_ cells: [[String]], separator: String = ",", ending: String = "\n") -> String {
    cells.map { $0.joined(separator: separator) }.joined(separator: ending)
  }

  private func reflectanceRows(scale: Double = 1) -> [[String]] {
    let reflectances = ChartReference.colorChecker.reflectances ?? []
    let wavelengths = stride(from: 380.0, through: 730, by: 10).map { $0 }
    return [["wavelength"] + names]
      + wavelengths.map { wavelength in
        [number(wavelength)] + reflectances.map { number(scale * $0.value(at: wavelength)) }
      }
  }

  private func transposed(_ table: [[String]]) -> [[String]] {
    table[0].indices.map { column in table.map { $0[column] } }
  }

  @Test(arguments: [(",", "\n", 1.0), (";", "\r\n", 100), ("\t", "\n", 1)])
  func reflectancesByWavelength(_ kind: (separator: String, ending: String, scale: Double)) throws {
    let table = reflectanceRows(scale: kind.scale)
    for text in [table, transposed(table)].map({ rows($0, separator: kind.separator, ending: kind.ending) }) {
      let chart = try ChartFile.parse(text, name: "own.csv")
      #expect(chart.name == "own.csv" && chart.reflectances?.count == 24)
      for (xyz, known) in zip(chart.xyz, ChartReference.colorChecker.xyz) {
        #expect(Lab(xyz).ciede2000(to: Lab(known)) < 0.2)
      }
    }
  }

  @Test func colours() throws {
    let known = ChartReference.colorChecker.xyz
    let table =
      [["# my chart"], ["name", "X", "Y", "Z"]]
      + zip(names, known).map { [$0, number(100 * $1.x), number(100 * $1.y), number(100 * $1.z)] }
    let chart = try ChartFile.parse(rows(table), name: "c")
    for (xyz, expected) in zip(chart.xyz, known) { #expect(Lab(xyz).ciede2000(to: Lab(expected)) < 1e-9) }
    #expect(chart.reflectances == nil && chart.extraUncertainty == nil)
  }

  @Test func labUnderD50() throws {
    let white = ["white", "100", "0", "0"]
    let table = [["patch", "L*", "a*", "b*"]] + names.map { _ in white }
    let chart = try ChartFile.parse(rows(table), name: "c")
    #expect(Lab(chart.xyz[5]).ciede2000(to: Lab(100, 0, 0)) < 0.02 && chart.extraUncertainty?.chart == 0.6)
  }

  @Test func brokenTablesSayWhy() {
    let table = reflectanceRows()
    func error(_ text: String) -> String? {
      do {
        _ = try ChartFile.parse(text, name: "c")
        return nil
      } catch { return error.description }
    }
    #expect(error("")?.contains("no table") == true)
    #expect(error("a,b\n1,2")?.contains("24") == true)
    #expect(error("hello\nworld")?.isEmpty == false)
    #expect(error(rows(table.map { Array($0.dropLast()) }))?.contains("23 patches") == true)
    var bad = table
    bad[3][2] = "nan"
    #expect(error(rows(bad))?.contains("numbers") == true)
    #expect(error(rows([table[0]] + table.dropFirst().reversed()))?.contains("rising") == true)
    #expect(error(rows(Array(table.prefix(10))))?.contains("680") == true)
    func colours(_ titles: String, _ row: String) -> String { titles + "\n" + rows(names.map { _ in [row] }) }
    for text in [
      colours("X,Y,Z", "-0.1,0.2,0.3"), colours("X,Y,Z", "0,0,0"), colours("X,Y,Z", "1e300,1e300,1e300"),
      colours("L,a,b", "-50,0,0"), colours("L,a,b", "1e200,0,0"), colours("L,a,b", "50,0,900"),
    ] { #expect(error(text)?.contains("none of surfaces") == true) }
    #expect(error(rows([table[1], table[3], table[36]].map { $0 }))?.isEmpty == false)
    let gap = [table[0]] + table[1...3] + table[20...]
    #expect(error(rows(Array(gap)))?.contains("50 nm apart") == true)
    #expect(error("X,Y,Z\n1,2,3")?.contains("24") == true)
    #expect(error("X,Y,Z\n" + rows(names.map { _ in ["1", "2"] }))?.contains("numbers") == true)
  }
}
