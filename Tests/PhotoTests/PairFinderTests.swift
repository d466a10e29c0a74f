import Photo
import Testing

/// Pairs among files that exist as names and metadata only.
@Suite struct PairFinderTests {
  private func frame(
    _ name: String, fired: Bool? = nil, time: Double? = nil, serial: String = "1", burst: String? = nil,
    problem: String? = nil
  ) -> SeriesFrame {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    let kinds: [String: PictureFile.Kind] = ["dng": .raw, "nef": .raw, "jpg": .jpeg, "png": .png, "tif": .tiff]
    var metadata = Metadata()
    (metadata.make, metadata.model, metadata.serial) = ("Maker", "Camera", serial)
    (metadata.flashFired, metadata.time, metadata.burst) = (fired, time, burst)
    let file = kinds[ending].map { PictureFile(path: name, kind: $0, width: 30, height: 20) }
    return SeriesFrame(
      path: name, name: name, file: problem == nil ? file : nil, problem: problem, metadata: metadata)
  }

  /// "NAME: FLASH AMBIENT…" of every pair, and "KIND FILE" of the others.
  private func found(_ frames: [SeriesFrame], _ finder: PairFinder = PairFinder()) -> (pairs: [String], rest: [String])
  {
    let result = finder.find(frames.reversed())
    #expect(result == finder.find(frames))
    return (
      result.pairs.map { "\($0.name): \(([$0.flash] + $0.ambients).joined(separator: " "))" },
      result.unpaired.map { "\($0.kind) \($0.path)" }
    )
  }

  @Test(
    arguments: [
      ("lamp_flash", "flash", "lamp", nil), ("lamp-ambient", "ambient", "lamp", nil),
      ("lamp_noflash", "ambient", "lamp", nil),
      ("lamp no flash", "ambient", "lamp", nil), ("lamp_FLASH", "flash", "lamp", nil),
      ("lamp_ambient_02", "ambient", "lamp", "02"),
      ("lamp_ambient3", "ambient", "lamp", "3"), ("flash-lamp", "flash", "lamp", nil),
      ("no_flash_lamp 2", "ambient", "lamp 2", nil),
      ("flash", "flash", "", nil), ("ambient_1", "ambient", "", "1"), ("lamp.with-flash", "flash", "lamp", nil),
      ("IMG_0001", nil, "", nil), ("flashlight", nil, "", nil), ("newsflash", nil, "", nil), ("_flash", nil, "", nil),
      ("", nil, "", nil), ("1234567890123", nil, "", nil), ("flash_off", "ambient", "", nil),
    ] as [(String, String?, String, String?)])
  func usualNames(_ stem: String, _ role: String?, _ base: String, _ digits: String?) {
    let match = RoleNames.usual.match(stem)
    #expect(match.map { "\($0.role)" } == role)
    if role != nil { #expect(match?.base == base && match?.digits == digits) }
  }

  @Test func namesOfOnesOwn() throws {
    let names = try #require(RoleNames(flash: ["*_F"], ambient: ["*_A#", "dark #-*"]))
    #expect(names.match("cup_f") == RoleNames.Match(role: .flash, base: "cup", digits: nil))
    #expect(names.match("cup_a12") == RoleNames.Match(role: .ambient, base: "cup", digits: "12"))
    #expect(names.match("Dark 3-Cup") == RoleNames.Match(role: .ambient, base: "Cup", digits: "3"))
    for stem in ["_F", "cup_b", "cup_flash", "", "a1"] { #expect(names.match(stem) == nil) }
    for bad in ["*", "x", "**_F", "*#_#", "a/*"] { #expect(RoleNames(flash: [bad], ambient: ["*_A"]) == nil) }
  }

  @Test func resultsAreNoFramesAndWhatIsNamedAlikeIs() {
    func frames(_ program: String) -> [SeriesFrame] {
      ["a_flash.png", "a_ambient.png"].map { name in
        var frame = frame(name)
        frame.metadata.exif = ExifBlock().forResult(width: 30, height: 20, isSRGB: false, version: program)
        return frame
      }
    }
    #expect(found(frames("0.1.0")).pairs.isEmpty)
    for program in ["simulator", "oracle 2.1", "1.0 (synthetic)", ""] {
      #expect(found(frames(program)).pairs == ["a: a_flash.png a_ambient.png"], "\(program)")
    }
  }

  @Test func pairsByNames() {
    let (pairs, rest) = found([
      frame("a_flash.png"), frame("a_ambient.png"), frame("B_flash.dng"), frame("b_Ambient_2.dng"),
      frame("b_Ambient_10.dng"), frame("c/flash.jpg"), frame("c/ambient.jpg"), frame("d_flash.jpg"),
      frame("e_noflash.jpg"), frame("f_flash_1.png"), frame("f_flash_2.png"), frame("f_ambient_1.png"),
      frame("f_ambient_2.png"), frame("f_ambient_3.png"), frame("g_flash.png"), frame("g_with_flash.png"),
      frame("g_ambient.png"),
    ])
    #expect(
      pairs == [
        "B: B_flash.dng b_Ambient_2.dng b_Ambient_10.dng", "a: a_flash.png a_ambient.png",
        "c: c/flash.jpg c/ambient.jpg",
        "f_1: f_flash_1.png f_ambient_1.png", "f_2: f_flash_2.png f_ambient_2.png",
      ])
    #expect(
      rest == [
        "incomplete d_flash.jpg", "incomplete e_noflash.jpg", "incomplete f_ambient_3.png", "ambiguous g_ambient.png",
        "ambiguous g_flash.png", "ambiguous g_with_flash.png",
      ])
  }

  /// A JPEG beside a RAW file is the same shot; RAW counts where all frames have it.
  @Test func twins() {
    let (pairs, rest) = found([
      frame("a_flash.jpg"), frame("a_flash.dng"), frame("a_ambient.dng"), frame("a_ambient.jpg"), frame("b_flash.jpg"),
      frame("b_flash.nef"), frame("b_ambient.jpg"), frame("c_flash.dng"), frame("c_ambient.jpg"), frame("d_flash.dng"),
      frame("d_flash.nef"), frame("d_ambient.dng"), frame("e_flash.dng", problem: "is cut off"), frame("e_flash.jpg"),
      frame("e_ambient.jpg"), frame("e_ambient.dng"),
    ])
    #expect(
      pairs == [
        "a: a_flash.dng a_ambient.dng", "b: b_flash.jpg b_ambient.jpg", "e: e_flash.jpg e_ambient.jpg",
      ])
    #expect(
      rest == [
        "incomplete c_ambient.jpg", "incomplete c_flash.dng", "incomplete d_ambient.dng", "ambiguous d_flash.dng",
        "broken e_flash.dng",
      ])
  }

  @Test func pairsByMetadata() {
    let (pairs, rest) = found([
      frame("1.jpg", fired: false, time: 100.1), frame("2.jpg", fired: true, time: 100.4),
      frame("3.jpg", fired: true, time: 104.1), frame("4.jpg", fired: false, time: 104.6),
      frame("5.jpg", fired: false, time: 105.1), frame("6.jpg", fired: false, time: 300.1),
      frame("7.jpg", fired: false, time: 100.3, serial: "2"), frame("8.jpg", time: 100.2),
      frame("9.jpg", fired: true), frame("x.jpg", problem: "the file is empty"),
      frame("y.jpg", fired: true, time: 400.5),
    ])
    #expect(pairs == ["2: 2.jpg 1.jpg", "3: 3.jpg 4.jpg 5.jpg"])
    #expect(
      rest == [
        "unrelated 6.jpg", "unrelated 7.jpg", "unrelated 8.jpg", "unrelated 9.jpg", "broken x.jpg", "unrelated y.jpg",
      ])
  }

  /// Even distances, whole seconds and copies leave it open which frames belong together, unless the order is known.
  @Test func whatIsNotClearIsNotGuessed() {
    let even = (0..<6).map { frame("\($0).jpg", fired: $0 % 2 == 0, time: 100.5 + Double($0)) }
    #expect(found(even).pairs == [])
    #expect(found(even).rest == (0..<6).map { "ambiguous \($0).jpg" })
    var finder = PairFinder()
    finder.order = .flashFirst
    #expect(found(even, finder).pairs == ["0: 0.jpg 1.jpg", "2: 2.jpg 3.jpg", "4: 4.jpg 5.jpg"])
    finder.order = .ambientFirst
    #expect(found(even, finder).pairs == ["2: 2.jpg 1.jpg", "4: 4.jpg 3.jpg"])
    #expect(found(even, finder).rest == ["unrelated 0.jpg", "unrelated 5.jpg"])

    let whole = [
      frame("a.jpg", fired: true, time: 10), frame("b.jpg", fired: false, time: 11),
      frame("c.jpg", fired: true, time: 13),
      frame("d.jpg", fired: false, time: 14),
    ]
    #expect(found(whole).pairs == [])
    // A frame on the other side, or much later, may be all that is left of the next pair.
    let both = [
      frame("a.jpg", fired: false, time: 10.25), frame("b.jpg", fired: true, time: 10.5),
      frame("c.jpg", fired: false, time: 11.25),
    ]
    #expect(found(both).rest == ["ambiguous a.jpg", "ambiguous b.jpg", "ambiguous c.jpg"])
    let late = [
      frame("a.jpg", fired: true, time: 10.25), frame("b.jpg", fired: false, time: 10.5),
      frame("c.jpg", fired: false, time: 11.5),
    ]
    #expect(found(late).pairs == [])
    finder.order = .around
    let around = both.prefix(2) + [frame("c.jpg", fired: false, time: 10.75)]
    #expect(found(Array(around), finder).pairs == ["b: b.jpg a.jpg c.jpg"])
    let copies = [
      frame("a.jpg", fired: true, time: 10.25), frame("copy.jpg", fired: true, time: 10.25),
      frame("b.jpg", fired: false, time: 10.5),
    ]
    #expect(found(copies).pairs == [])
    #expect(found(copies).rest == ["ambiguous a.jpg", "ambiguous b.jpg", "ambiguous copy.jpg"])
  }

  @Test func bursts() {
    let (pairs, rest) = found([
      frame("1.jpg", fired: false, time: 10.5, burst: "x"), frame("2.jpg", fired: true, burst: "x"),
      frame("3.jpg", fired: false, time: 99.5, burst: "x"), frame("4.jpg", fired: false, burst: "y"),
    ])
    #expect(pairs == ["2: 2.jpg 1.jpg 3.jpg"])
    #expect(rest == ["ambiguous 4.jpg"])
    // BurstUUID in Apple's maker note.
    let entry: [UInt8] = [0, 11, 0, 2, 0, 0, 0, 3, 0x41, 0x42, 0, 0]
    let note = Array("Apple iOS\0\u{0}\u{1}MM".utf8) + [0, 1] + entry + [0, 0, 0, 0]
    let tag = TIFFTag(37500, type: 7, count: UInt64(note.count), bytes: note)
    #expect(Metadata(ExifBlock(exposure: [tag])).burst == "AB")
    for length in 0..<note.count {
      let cut = TIFFTag(37500, type: 7, count: UInt64(length), bytes: Array(note.prefix(length)))
      _ = Metadata(ExifBlock(exposure: [cut])).burst
    }
  }

  @Test func namesOfResultsAreDifferent() {
    var finder = PairFinder()
    finder.evidence = .auto
    let result = finder.find([
      frame("a_flash.jpg"), frame("a_ambient.jpg"), frame("a.jpg", fired: true, time: 5.5),
      frame("b.jpg", fired: false, time: 5.75),
    ])
    #expect(result.pairs.map(\.name) == ["a", "a-2"])
  }

  @Test func tables() throws {
    let text =
      "flash,ambient,ambient2,name,options\r\n"
      + "f 1.dng,a1.dng,a2.dng,one,\"--align none --flash-white \"\"5600, 0.001\"\"\"\n\n/x/f.dng,../a.dng\n\"f,3.dng\",a3.dng,,sub/three,\r"
    let pairs = try PairManifest.parse(text, path: "set/list.csv")
    #expect(pairs.map(\.name) == ["one", "f", "sub/three"])
    #expect(pairs.map(\.flash) == ["set/f 1.dng", "/x/f.dng", "set/f,3.dng"])
    #expect(pairs.map(\.ambients) == [["set/a1.dng", "set/a2.dng"], ["set/../a.dng"], ["set/a3.dng"]])
    #expect(pairs[0].options == ["--align", "none", "--flash-white", "5600, 0.001"])
    #expect(try PairManifest.parse("f.dng,a.dng,b.dng", path: "list.csv").first?.ambients == ["a.dng", "b.dng"])
  }

  @Test(arguments: [
    ("", "list.csv:1: lists no pairs"), ("f.dng\n", "list.csv:1: names no photograph without flash"),
    ("flash,ambient\nf,a\n,b\n", "list.csv:3: names no photograph with flash"),
    ("f,a\n\"g,b\nh,c", "list.csv:2: a quote is not closed"), ("f,a\ng\"x,b", "list.csv:2: a quote stands within"),
    ("f,\"a\"b", "list.csv:1: something follows a closing quote"),
    ("flash\nf", "list.csv:1: there is no column 'ambient'"),
    ("flash,ambient,colour\nf,a", "list.csv:1: there is no column 'colour'"), ("f,f", "list.csv:1: names f twice"),
    ("flash,ambient,name\nf,a,../x", "list.csv:2: the name '../x' cannot"),
    ("flash,ambient,name\nf,a,/x", "cannot name files"),
    ("flash,ambient,name\nf,a,.x", "cannot name files"), ("flash,ambient,name\nf,a,x//y", "cannot name files"),
    ("f,a\nf,b", "list.csv:2: has the name f, as line 1"), ("flash,ambient\nf,a,b", "list.csv:2: has 3 fields"),
    ("f\0,a", "is no file's name"), ("flash,ambient,options\nf,a,\"--x \"\"y\"", "a quote in its options"),
  ])
  func tablesThatAreWrong(_ text: String, _ problem: String) {
    let error = #expect(throws: ManifestError.self) { try PairManifest.parse(text, path: "list.csv") }
    #expect(error?.problems.contains { $0.contains(problem) } == true, "\(error?.problems ?? [])")
  }
}
