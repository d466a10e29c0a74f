/// The area under the curve of a score against what it should tell: the probability that something good has a higher score
/// than something bad, where equal scores count one half. 0.5 is chance.
///
/// - Returns: nil unless there are both good and bad ones.
public func areaUnderCurve(_ scores: [Float], isGood: [Bool]) -> Double? {
  // The score in the upper bits, ordered as numbers are, whether it is good in the lowest.
  let keys = zip(scores, isGood).map { score, isGood -> UInt64 in
    let bits = (score == 0 ? 0 : score).bitPattern
    let ordered = bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
    return UInt64(ordered) << 1 | (isGood ? 1 : 0)
  }.sorted()
  let good = keys.count { $0 & 1 == 1 }
  let bad = keys.count - good
  guard good > 0, bad > 0 else { return nil }
  var rankSum = 0.0
  var start = 0
  while start < keys.count {
    var end = start
    var goodHere = 0
    while end < keys.count, keys[end] >> 1 == keys[start] >> 1 {
      goodHere += Int(keys[end] & 1)
      end += 1
    }
    // Equal scores share the mean of their ranks, which begin at 1.
    rankSum += Double(goodHere) * (Double(start + 1 + end) / 2)
    start = end
  }
  let (n1, n0) = (Double(good), Double(bad))
  return (rankSum - n1 * (n1 + 1) / 2) / (n1 * n0)
}
