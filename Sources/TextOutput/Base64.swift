/// Bytes as text (RFC 4648, section 4).
public func base64(_ bytes: some Collection<UInt8>) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  var rest = bytes[...]
  while !rest.isEmpty {
    let group = rest.prefix(3)
    rest = rest.dropFirst(3)
    var word = 0
    for byte in group { word = word << 8 | Int(byte) }
    word <<= 8 * (3 - group.count)
    for place in 0..<4 { text.append(place <= group.count ? digits[word >> (18 - 6 * place) & 63] : UInt8(ascii: "=")) }
  }
  return String(decoding: text, as: UTF8.self)
}
