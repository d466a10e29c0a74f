import Raster
import SkinRecord

/// Finite numbers with commas or blanks between them; nil where a word is none.
func numbers(_ text: String) -> [Double]? {
  let words = text.split { $0 == "," || $0 == " " }
  let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
  return numbers.count == words.count ? numbers : nil
}

/// The four places that eight numbers name, x before y, in pixels; nil where they are none.
func fourPlaces(_ text: String) -> [SIMD2<Double>]? {
  guard let numbers = numbers(text), numbers.count == 8 else { return nil }
  return stride(from: 0, to: 8, by: 2).map { SIMD2(numbers[$0], numbers[$0 + 1]) }
}

/// The region that four numbers name: left, top, width and height in pixels; nil where they are none.
func regionBox(_ text: String) -> Rectangle? {
  let words = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = words.compactMap { Int($0) }.filter { (0...1_000_000).contains($0) }
  guard numbers.count == 4, words.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
  return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
}

/// The grey card of `--grey X,Y,W,H[=R]`.
func greyCard(_ text: String) throws -> CaptureRequest.GreyCard {
  let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
  let reflectance = parts.count == 2 ? Double(parts[1]) : 0.18
  guard let box = regionBox(parts[0]), let reflectance, (0.02...1).contains(reflectance) else {
    throw UsageError(
      "'--grey' takes left, top, width and height in pixels, and a reflectance of 0.02 to 1, such as "
        + "40,40,80,80=0.18, not "
        + "'\(text)'")
  }
  return CaptureRequest.GreyCard(box: box, reflectance: reflectance)
}
