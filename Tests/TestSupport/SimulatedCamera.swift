import Calibration
import ColorScience
import Glibc
import Simulation

/// A camera under a flash, from spectra: what patches and other surfaces give.
public struct SimulatedCamera {
  private let channels: [Spectrum]
  /// Camera RGB of the perfect diffuser.
  public let white: SIMD3<Double>

  /// Sensitivities like those of cameras (overlapping, with a second lobe in red), under a white LED of a blue peak and a
  /// broad phosphor, or under daylight.
  public init(isLED: Bool = true, level: Double = 0.6) {
    self.init(
      flash: isLED
        ? Spectrum { peak($0, 450, 9, 11) * 1.1 + peak($0, 565, 45, 65) + 0.01 } : Spectrum.daylight(at: 5600) ?? .d65,
      sensitivities: [
        Spectrum { peak($0, 600, 18, 40) + 0.08 * peak($0, 450, 25, 25) + 0.1 * peak($0, 535, 30, 30) },
        Spectrum { peak($0, 530, 35, 40) + 0.06 * peak($0, 620, 30, 30) },
        Spectrum { peak($0, 460, 28, 26) + 0.05 * peak($0, 540, 30, 30) },
      ], level: level)
  }

  /// Three layers of silicon, each of which sees almost everything, under a warm LED: far from any matrix of XYZ.
  public static var layered: SimulatedCamera {
    SimulatedCamera(
      flash: Spectrum { peak($0, 450, 9, 11) * 0.35 + peak($0, 600, 55, 60) + 0.01 },
      sensitivities: [
        Spectrum { peak($0, 600, 160, 70) }, Spectrum { peak($0, 530, 110, 100) }, Spectrum { peak($0, 450, 50, 130) },
      ], level: 0.6)
  }

  private init(flash: Spectrum, sensitivities: [Spectrum], level: Double) {
    let seen = sensitivities.map { flash * $0 }
    let scale = level / seen[1].dot(.perfectDiffuser)
    channels = seen.map { channel in Spectrum { scale * channel.value(at: $0) } }
    white = SIMD3(
      channels[0].dot(.perfectDiffuser), channels[1].dot(.perfectDiffuser), channels[2].dot(.perfectDiffuser))
  }

  /// Camera RGB of a surface.
  public func rgb(_ reflectance: Spectrum) -> SIMD3<Double> {
    SIMD3(channels[0].dot(reflectance), channels[1].dot(reflectance), channels[2].dot(reflectance))
  }

  /// The chart's patches in light of this strength at each, with noise of a relative standard deviation.
  public func chart(noise: Double = 0.002, light: (Int) -> Double = { _ in 1 }) -> [Characterisation.Patch] {
    var generator = SplitMix(state: 7)
    let reflectances = ChartReference.colorChecker.reflectances ?? []
    return reflectances.indices.map { index in
      let rgb = rgb(reflectances[index]) * light(index)
      let error = noise * rgb + SIMD3(repeating: noise * 0.003)
      let chance = SIMD3(generator.normal(), generator.normal(), generator.normal())
      return Characterisation.Patch(index: index, rgb: rgb + error * chance, standardError: error)
    }
  }
}

/// A bell with two widths.
private func peak(_ wavelength: Double, _ centre: Double, _ left: Double, _ right: Double) -> Double {
  let width = wavelength < centre ? left : right
  return exp(-0.5 * (wavelength - centre) * (wavelength - centre) / (width * width))
}

/// Repeatable noise.
public typealias SplitMix = Simulation.SplitMix

/// A DNG made from numbers.
public typealias DNGFile = Simulation.DNGFile
