extension Array where Element: BinaryFloatingPoint {
  /// The element that would stand at `rank` if these were in order; selection takes a small part of the time of sorting (Hoare,
  /// "Algorithm 65: Find", CACM 4, 1961). NaN only without elements.
  func element(at rank: Int) -> Element {
    guard !isEmpty else { return .nan }
    var values = self
    let target = Swift.min(Swift.max(rank, 0), count - 1)
    var (low, high) = (0, count - 1)
    values.withUnsafeMutableBufferPointer { values in
      while low < high {
        let pivot = values[(low + high) / 2]
        var (left, right) = (low, high)
        while left <= right {
          while values[left] < pivot { left += 1 }
          while values[right] > pivot { right -= 1 }
          if left <= right {
            values.swapAt(left, right)
            left += 1
            right -= 1
          }
        }
        if target <= right { high = right } else if target >= left { low = left } else { break }
      }
    }
    return values[target]
  }

  /// The upper median; NaN without elements.
  var median: Element { element(at: count / 2) }
}
