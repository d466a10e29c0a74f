/// An HEIF file as `heif-enc` writes it, changed so that it turns its picture: a property more, `irot` (ISO/IEC 23008-12,
/// 6.5.10), in quarter turns against the clock; nil for a file of another structure.
func turned(_ file: [UInt8], quarterTurns: UInt8) -> [UInt8]? {
  var bytes = file
  func number(_ place: Int, _ count: Int) -> Int { bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
  func add(_ amount: Int, at place: Int) {
    let sum = number(place, 4) + amount
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
  }
  /// Where a box begins.
  func box(_ name: String) -> Int? {
    let name = Array(name.utf8)
    return bytes.indices.dropLast(8).first { bytes[$0 + 4..<$0 + 8].elementsEqual(name) }
  }
  guard let meta = box("meta"), let main = box("pitm").map({ number($0 + 12, 2) }), let locations = box("iloc"),
    let properties = box("iprp"), let container = box("ipco"), let associations = box("ipma"),
    number(locations + 8, 1) == 1, number(locations + 12, 2) == 0x4440
  else { return nil }

  // What lies in the file behind all this moves by ten bytes.
  var place = locations + 16
  for _ in 0..<number(locations + 14, 2) {
    if number(place + 2, 2) == 0 { add(10, at: place + 6) }
    place += 12 + 8 * number(place + 10, 2)
  }
  // The number that the new property has.
  var count: UInt8 = 1
  place = container + 8
  while place < container + number(container, 4) { (count, place) = (count + 1, place + number(place, 4)) }

  place = associations + 16
  for _ in 0..<number(associations + 12, 4) {
    let length = number(place + 2, 1)
    if number(place, 2) == main {
      bytes[place + 2] += 1
      bytes.insert(0x80 | count, at: place + 3 + length)
      place += 1
    }
    place += 3 + length
  }
  let end = container + number(container, 4)
  for (start, amount) in [(associations, 1), (container, 9), (properties, 10), (meta, 10)] { add(amount, at: start) }
  bytes.insert(contentsOf: [0, 0, 0, 9] + Array("irot".utf8) + [quarterTurns], at: end)
  return bytes
}
