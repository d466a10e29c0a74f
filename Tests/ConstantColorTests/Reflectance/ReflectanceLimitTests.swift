import ColorScience
import ConstantColor
import Raster
import Testing

@Suite struct ReflectanceLimitTests {
  /// By MacAdam's theorem the lightest colours of a chromaticity reflect all or nothing, with two steps at most.
  @Test func optimalColoursAreAtTheLimit() {
    var count = 0
    for start in stride(from: 380.0, through: 700, by: 20) {
      for width in [40.0, 80, 160, 300] {
        for isBand in [true, false] {
          let reflectance = Spectrum { (($0 >= start && $0 < start + width) == isBand) ? 1 : 0 }
          let xyz = XYZ(reflectance: reflectance, under: .d65).vector
          guard xyz.y > 0.02 else { continue }
          let limit = ReflectanceLimit.d65.greatestLuminance(xyz)
          // Never too low: nothing that reflects may be taken for glowing.
          #expect(limit > xyz.y - 0.01, "\(start) \(width) \(isBand): \(limit) \(xyz.y)")
          // Near the purest colours limits are steep, and those of the grid are too high.
          let isPure = (width < 100) == isBand
          if !isPure { #expect(limit < 1.1 * xyz.y + 0.05, "\(start) \(width) \(isBand): \(limit) \(xyz.y)") }
          count += 1
        }
      }
    }
    #expect(count > 100)
  }

  @Test func whiteIsTheLightest() {
    #expect(abs(ReflectanceLimit.d65.greatestLuminance(XYZ.d65.vector) - 1) < 1e-3)
    #expect(ReflectanceLimit.d65.greatestLuminance(0.2 * XYZ.d65.vector) > 0.999)
    for colour in [SIMD3(0, 1, 0), SIMD3(1, 0.1, 0), SIMD3(.nan, 1, 1), .zero, SIMD3(0.1, 0.001, 5)] as [SIMD3<Double>]
    {
      #expect(ReflectanceLimit.d65.greatestLuminance(colour) < 0.6)
    }
  }

  private func rgb(_ xyz: XYZ) -> SIMD3<Float> { SIMD3<Float>(RGBSpace.sRGB.fromXYZ * xyz.vector) }

  @Test func glowingSurfacesAreFoundAndOthersNot() {
    let check = ReflectanceCheck(white: 1)
    // Orange dye: reflects from 560 nm on, and gives there what it takes away below.
    for strength in [1.6, 2.0] {
      let glowing = XYZ(reflectance: Spectrum { $0 > 560 && $0 < 640 ? strength : $0 >= 640 ? 0.9 : 0.05 }, under: .d65)
      #expect(check.isBeyond(rgb(glowing)), "\(strength)")
    }
    let brightened = XYZ(reflectance: Spectrum { $0 > 420 && $0 < 480 ? 1.5 : 0.9 }, under: .d65)
    #expect(ReflectanceCheck(white: 0.8).isBeyond(rgb(brightened)))
    for index in 0..<40 {
      let edge = 400 + 8 * Double(index)
      for reflectance in [Spectrum { $0 > edge ? 0.9 : 0.03 }, Spectrum { $0 < edge ? 0.9 : 0.03 }] {
        #expect(!check.isBeyond(rgb(XYZ(reflectance: reflectance, under: .d65))), "\(edge)")
      }
    }
    #expect(!check.isBeyond(SIMD3(1, 1, 1)) && check.isBeyond(SIMD3(1.3, 1.3, 1.3)))
    #expect(!check.isBeyond(SIMD3(.nan, 1, 1)) && !check.isBeyond(SIMD3(-1, -1, -1)))
  }

  /// Single noisy pixels do not glow.
  @Test func neighboursDecide() {
    let box = Rectangle(width: 40, height: 20)
    let picture = Image(box) { x, y in
      if (x, y) == (8, 8) { return Pixel(3, 3, 3, 1) }
      return x >= 25 ? Pixel(2.2, 0.6, 0, 1) : Pixel(0.7, 0.7, 0.7, 1)
    }
    let map = ReflectanceCheck(white: 0.9).map(box, of: picture)
    #expect(!map[8 * 40 + 8] && !map[8 * 40 + 9] && map[10 * 40 + 30])
    #expect(map.count { $0 } >= 12 * 20)
  }
}
