// swift-tools-version: 6.2
import PackageDescription

#if canImport(Glibc)
  import Glibc
#endif

/// Code is generated for the vector unit of the machine that builds: AVX2 where there is one.
/// `CONSTANT_COLOR_MARCH` overrides it; `baseline` makes a binary that runs on every x86-64.
let march: [String] = {
  if let name = getenv("CONSTANT_COLOR_MARCH").map({ String(cString: $0) }) {
    return name == "baseline" ? [] : ["-Xcc", "-march=\(name)"]
  }
  guard let file = fopen("/proc/cpuinfo", "r") else { return [] }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 8192)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.hasPrefix("flags") else { continue }
    let flags = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
    return ["avx2", "fma", "bmi2", "movbe"].allSatisfy { flags.contains(Substring($0)) }
      ? ["-Xcc", "-march=x86-64-v3"] : []
  }
  return []
}()

/// Programs carry Swift's library in themselves, and run where no Swift is installed: but for sanitizers, which would not see what
/// libraries of the system and the program hand each other (Scripts/sanitize).
let selfContained: [LinkerSetting] =
  getenv("CONSTANT_COLOR_SANITIZE") == nil ? [.unsafeFlags(["-static-stdlib"])] : []

let swift: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .unsafeFlags(march),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swift)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, resources: [], swiftSettings: swift)
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "constant-color",
  products: [
    .executable(name: "constant-color", targets: ["ConstantColorCommand"]),
    .executable(name: "constant-color-gimp", targets: ["constant-color-gimp"]),
    .library(name: "constant-color-plugin", type: .dynamic, targets: ["ConstantColorModule"]),
    .library(name: "ConstantColor", targets: ["ConstantColor", "ColorScience"]),
    .library(name: "Capture", targets: ["Capture", "Development", "Photo", "ColorScience"]),
    .library(name: "SimulatedCapture", targets: ["SimulatedCapture", "Simulation"]),
    .library(name: "GEGLOperation", targets: ["GEGLOperation", "GEGL"]),
  ],
  targets: [
    library("CGEGL", pkgConfig: "gegl-0.4", apt: "libgegl-dev"),
    library("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    library("CISAL", pkgConfig: "libisal", apt: "libisal-dev"),
    library("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev"),
    library("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
    library("CGExiv2", pkgConfig: "gexiv2", apt: "libgexiv2-dev"),
    library("COpenEXR", pkgConfig: "OpenEXR", apt: "libopenexr-dev"),
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    library("CCairo", pkgConfig: "cairo", apt: "libcairo2-dev"),
    library("CChafa", pkgConfig: "chafa", apt: "libchafa-dev"),
    library("CGimp", pkgConfig: "gimpui-2.0", apt: "libgimp2.0-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    // Whole calls into the libraries of the file formats; the errors of two of them are long jumps that no Swift
    // frame may see.
    .target(
      name: "CPictureIO", dependencies: ["CPNG", "CJPEG", "CTIFF", "COpenEXR", "CZlib", "CISAL"],
      cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),

    // LibRaw, which is loaded when the first RAW file is opened: only its headers are needed to build.
    .target(
      name: "CLibRaw", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("dl")]),

    // libheif, which is loaded when the first HEIF or AVIF file is opened: only its headers are needed to build.
    .target(
      name: "CHEIF", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
      linkerSettings: [.linkedLibrary("dl")]),

    // A child process that ends with its parent.
    .target(name: "CProcess", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),

    // readline, which is under the GPL: only the command links it.
    .target(
      name: "CReadline", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE"])],
      linkerSettings: [.linkedLibrary("readline")]),

    module("ColorScience"),
    module("Raster"),
    module("ConstantColor", ["ColorScience", "Raster"]),
    module("JSONValue"),
    module("TextOutput"),
    // Pictures on a terminal.
    module("TerminalPicture", ["CChafa", "TextOutput", "ColorScience", "Raster"]),
    // What pictures and graphs look like, as numbers, text and drawings.
    module("Inspection", ["JSONValue", "TextOutput", "ColorScience", "Raster"]),
    module("Calibration", ["ConstantColor", "ColorScience", "Raster", "JSONValue", "TextOutput"]),
    // Pages: where paper is, how it is lit, and what is printed on it.
    module("Document", ["ConstantColor", "ColorScience", "Raster"]),
    // Products: what is background, and making it white.
    module("ProductPicture", ["Document", "ConstantColor", "Raster"]),
    module("Raw", ["CLibRaw", "ConstantColor", "Raster"]),
    module("GEGL", ["CGEGL", "Raster"]),
    module("GEGLOperation", ["GEGL", "CGEGL", "Raster"]),
    .target(
      name: "ConstantColorOperations",
      dependencies: [
        "GEGLOperation", "GEGL", "CGEGL", "Calibration", "Document", "ProductPicture", "Raw", "ConstantColor",
        "ColorScience", "Raster",
      ],
      path: "Plugins/GEGL", exclude: ["Module", "README.md"], swiftSettings: swift),
    .target(
      name: "ConstantColorModule",
      dependencies: ["ConstantColorOperations", "GEGLOperation", "CGEGL"],
      path: "Plugins/GEGL/Module", exclude: ["exports.map"], swiftSettings: swift,
      // Self-contained, showing nothing but GEGL's two functions, and never unloaded: GEGL opens,
      // closes and reopens every plug-in, and Swift's runtime keeps pointers into it. lld, which comes
      // with Swift, because other linkers leave names of Swift's types in the table of dynamic symbols.
      linkerSettings: [
        .unsafeFlags([
          "-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "nodelete", "-Xlinker", "--gc-sections",
          "-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/GEGL/Module/exports.map",
        ])
      ]),
    module(
      "Photo",
      [
        "Raw", "ConstantColor", "ColorScience", "Raster", "GEGL", "CGEGL", "CGExiv2", "CPictureIO", "CHEIF",
        "JSONValue", "TextOutput",
      ]),
    // The development of a pair, as every program does it.
    module(
      "Development",
      [
        "Photo", "ConstantColorOperations", "GEGLOperation", "GEGL", "Calibration", "ConstantColor", "ColorScience",
        "JSONValue", "Raster",
      ]),
    // GIMP's plug-in: a program of its own.
    .executableTarget(
      name: "constant-color-gimp",
      dependencies: [
        "CGimp", "Development", "ConstantColorOperations", "GEGLOperation", "GEGL", "Photo", "ConstantColor",
        "ColorScience", "Raster",
      ],
      path: "Plugins/GIMP", swiftSettings: swift, linkerSettings: selfContained),
    // PDF files of pages.
    module("PDF", ["CCairo", "Photo"]),
    // Databases: prepared statements, and no more than that.
    module("SQLite", ["CSQLite"]),
    // The colour of skin over weeks: measured, with what it is worth, and kept.
    module(
      "SkinRecord",
      [
        "SQLite", "Development", "Photo", "GEGLOperation", "GEGL", "ConstantColor", "Calibration", "ColorScience",
        "CGEGL", "JSONValue", "TextOutput", "Raster",
      ]),
    // The language of the graph shell, without a terminal.
    module(
      "GraphShell",
      ["Inspection", "TerminalPicture", "Photo", "GEGL", "CGEGL", "JSONValue", "TextOutput", "ColorScience", "Raster"]),
    // Renders pairs from spectra, with truth.
    module(
      "Simulation",
      ["Photo", "Calibration", "ConstantColor", "CPictureIO", "GEGL", "JSONValue", "ColorScience", "Raster"]),
    // Photos with constant colour for other programs: sessions, devices, outputs, rules.
    module(
      "Capture",
      [
        "Development", "Photo", "ConstantColorOperations", "GEGLOperation", "GEGL", "ConstantColor", "ColorScience",
        "Raster",
      ]),
    // A camera in a simulated room.
    module("SimulatedCapture", ["Capture", "Simulation", "Photo", "Calibration", "ConstantColor", "Raster"]),
    // Judges results by the truth.
    module(
      "Validation",
      [
        "Simulation", "Inspection", "Photo", "ConstantColor", "CPictureIO", "JSONValue", "TextOutput", "ColorScience",
        "Raster",
      ]),
    .executableTarget(
      name: "ConstantColorCommand",
      dependencies: [
        "CReadline", "CProcess", "GraphShell", "SkinRecord", "Development", "ConstantColorOperations", "Simulation",
        "Validation", "Inspection", "TerminalPicture", "Document", "ProductPicture", "PDF", "Photo", "Calibration",
        "JSONValue",
        "TextOutput", "GEGL", "GEGLOperation", "ConstantColor", "ColorScience", "Raster",
      ],
      swiftSettings: swift, linkerSettings: selfContained),
    // Renders the sample pair of Scripts/demo.
    .executableTarget(
      name: "DemoPair", dependencies: ["Photo", "JSONValue", "GEGL", "ColorScience"], swiftSettings: swift),

    // Times kernels and operations for Scripts/bench.
    .executableTarget(
      name: "Benchmark",
      dependencies: [
        "Development", "ConstantColorOperations", "GEGLOperation", "GEGL", "ConstantColor", "ColorScience", "JSONValue",
        "Raster",
      ], swiftSettings: swift),

    // A program as others write it, described in docs/capture.md.
    .executableTarget(
      name: "capture-example", dependencies: ["Capture"], path: "Examples/Capture", swiftSettings: swift),

    tests("ColorScienceTests", ["ColorScience"]),
    tests("JSONValueTests", ["JSONValue"]),
    tests("TerminalPictureTests", ["TerminalPicture", "ColorScience", "Raster"]),
    tests("InspectionTests", ["Inspection", "JSONValue", "TextOutput", "ColorScience", "Raster"]),
    tests("ConstantColorTests", ["ConstantColor", "ColorScience", "Raster"]),
    tests("DocumentTests", ["Document", "ConstantColor", "ColorScience", "Raster"]),
    tests("ProductPictureTests", ["ProductPicture", "ConstantColor", "Raster"]),
    tests("PDFTests", ["TestSupport", "PDF", "Photo"]),
    tests("CalibrationTests", ["TestSupport", "Calibration", "JSONValue", "ConstantColor", "ColorScience", "Raster"]),
    tests("RawTests", ["TestSupport", "Raw", "ConstantColor", "Raster"]),
    tests("GEGLTests", ["GEGL", "GEGLOperation", "Raster"]),
    tests(
      "OperationTests",
      [
        "TestSupport", "ConstantColorOperations", "Calibration", "JSONValue", "Raw", "GEGL", "GEGLOperation",
        "ConstantColor", "ColorScience", "Raster",
      ]),
    tests(
      "GraphShellTests",
      ["TestSupport", "GraphShell", "ConstantColorOperations", "GEGLOperation", "GEGL", "JSONValue", "Raster"]),
    tests("PhotoTests", ["TestSupport", "Photo", "CPictureIO", "Raw", "JSONValue", "GEGL", "ColorScience", "Raster"]),
    tests(
      "CaptureTests",
      [
        "TestSupport", "SimulatedCapture", "Capture", "Simulation", "Validation", "Development", "JSONValue",
        "ConstantColor", "Photo", "GEGL", "ColorScience", "Raster", "capture-example",
      ]),
    tests(
      "CommandTests",
      ["TestSupport", "Simulation", "Calibration", "ColorScience", "JSONValue", "Photo", "GEGL", "Raster"]),
    tests(
      "SkinRecordTests",
      ["TestSupport", "SkinRecord", "SQLite", "JSONValue", "TextOutput", "Photo", "ColorScience", "Raster"]),
    tests(
      "SimulationTests",
      ["TestSupport", "Simulation", "Photo", "GEGL", "Calibration", "JSONValue", "ColorScience", "Raster"]),
    tests(
      "ValidationTests",
      [
        "TestSupport", "Validation", "Simulation", "ConstantColor", "JSONValue", "TextOutput", "ColorScience", "Raster",
      ]),
    tests("DevelopmentTests", ["Development", "Photo", "GEGL", "ColorScience", "Raster"]),
    tests("GIMPTests", ["TestSupport", "Photo", "GEGL", "Raster"]),
    tests("FuzzTests", ["TestSupport", "FuzzTargets"]),
    tests("PackageTests", ["TestSupport", "JSONValue", "Photo", "GEGL", "ColorScience", "Raster"]),
    .target(
      name: "TestSupport", dependencies: ["Simulation", "Calibration", "ColorScience"], path: "Tests/TestSupport",
      swiftSettings: swift),

    // All that reads what others have written, for fuzzers and for tests that replay what they found.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "GraphShell", "SkinRecord", "Simulation", "Calibration", "Photo", "Raw", "ConstantColorOperations",
        "GEGLOperation", "GEGL", "JSONValue", "TextOutput", "ColorScience", "Raster",
      ],
      path: "Fuzzing/Targets", swiftSettings: swift),
  ],
  swiftLanguageModes: [.v6]
)

// The fuzzer has no main function of its own; Scripts/fuzz builds it.
if getenv("CONSTANT_COLOR_FUZZ") != nil {
  package.targets.append(
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Fuzzing/Fuzzer", swiftSettings: swift))
}
