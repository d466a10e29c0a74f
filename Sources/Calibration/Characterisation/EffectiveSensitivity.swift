import ColorScience
import ConstantColor
import Glibc

/// The camera's sensitivity to light of the flash, as the chart lets one guess it.
///
/// The response to a surface is the sum over wavelengths of its reflectance times flash times sensitivity. The chart gives
/// 24 such sums, a smooth prior the rest (Gaussian process regression; C. E. Rasmussen, C. Williams, "Gaussian Processes
/// for Machine Learning", 2006, section 2.7). A surface that is a mixture of the chart's is predicted as well as it was
/// measured; others as well as spectra are smooth. So one can ask how a transform does on colours that are not on the
/// chart, before it meets them.
struct EffectiveSensitivity {
  /// Red, green and blue.
  private let channels: [Spectrum]
  /// The logarithm of the responses' probability density if the errors are what they are said to be (the marginal
  /// likelihood; ibid., equation 2.30), but for a constant: the greater, the better the errors are known.
  let evidence: Double

  /// The sensitivity from responses to surfaces of known reflectance; nil where they contradict each other wholly.
  ///
  /// - Parameters:
  ///   - responses: camera RGB.
  ///   - errors: their standard errors.
  init?(reflectances: [Spectrum], responses: [SIMD3<Double>], errors: [SIMD3<Double>]) {
    let channels = (0..<3).compactMap { channel in
      Self.channel(
        reflectances, responses.map { $0[channel] }, errors.map { $0[channel] }, prior: Self.priors[channel])
    }
    guard channels.count == 3 else { return nil }
    self.channels = channels.map(\.sensitivity)
    evidence = channels.reduce(0) { $0 + $1.evidence }
  }

  /// The response to a surface.
  func response(to reflectance: Spectrum) -> SIMD3<Double> {
    SIMD3(channels[0].dot(reflectance), channels[1].dot(reflectance), channels[2].dot(reflectance))
  }

  /// Where the channels of cameras lie, roughly: centre and width in nanometres.
  private static let priors = [(600.0, 35.0), (535.0, 40.0), (460.0, 30.0)].map { centre, width in
    Spectrum { exp(-0.5 * ($0 - centre) * ($0 - centre) / (width * width)) }
  }

  /// How far a sensitivity may be from the prior, in parts of its largest value: much where cameras and flashes have
  /// light to see, little beyond.
  private static let freedom = Spectrum { wavelength in
    let beyond = max(410 - wavelength, wavelength - 680, 0) / 25
    return 0.4 * exp(-0.5 * beyond * beyond)
  }

  /// Over how many nanometres sensitivities are alike.
  private static let smoothness = 25.0

  /// The covariance of the deviation from the prior between two wavelengths.
  private static let kernel: [[Double]] = {
    let grid = Spectrum.wavelengths
    return grid.indices.map { i in
      grid.indices.map { j in
        let distance = (grid[i] - grid[j]) / smoothness
        return freedom.values[i] * freedom.values[j] * exp(-0.5 * distance * distance)
      }
    }
  }()

  private static func channel(
    _ reflectances: [Spectrum], _ responses: [Double], _ errors: [Double], prior: Spectrum
  ) -> (sensitivity: Spectrum, evidence: Double)? {
    let expected = reflectances.map { prior.dot($0) }
    let square = expected.reduce(0) { $0 + $1 * $1 }
    let scale = zip(expected, responses).reduce(0) { $0 + $1.0 * $1.1 } / square
    guard scale > 0, scale.isFinite else { return nil }
    let grid = Spectrum.wavelengths
    let smoothed = reflectances.map { reflectance in
      kernel.map { row in scale * scale * zip(row, reflectance.values).reduce(0) { $0 + $1.0 * $1.1 } }
    }
    var covariance = smoothed.map { row in reflectances.map { zip(row, $0.values).reduce(0) { $0 + $1.0 * $1.1 } } }
    for index in errors.indices { covariance[index][index] += errors[index] * errors[index] }
    let surprise = zip(responses, expected).map { $0 - scale * $1 }
    guard let (weights, logDeterminant) = LinearSystem.solveWithDeterminant(covariance, surprise) else { return nil }
    let misfit = zip(weights, surprise).reduce(0) { $0 + $1.0 * $1.1 }
    let values = grid.indices.map { i in
      zip(weights, smoothed).reduce(scale * prior.values[i]) { $0 + $1.0 * $1.1[i] }
    }
    return Spectrum(zip(grid, values).map { (wavelength: $0, value: $1) }).map {
      ($0, -0.5 * (misfit + logDeterminant))
    }
  }
}
