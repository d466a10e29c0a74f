import ColorScience
import Development

/// How the dialog shows each option.
extension Dialog {
  static func field(_ option: Option) -> Field? {
    switch option {
    case .profile: .path("Calibration profile")
    case .look:
      .choice([("flash", "The flash's: as in a dark room"), ("ambient", "The room's, with true colours")])
    case .align:
      .choice([
        ("auto", "As the pair needs"), ("none", "None: the frames are aligned"), ("translation", "Shift"),
        ("homography", "Homography"), ("mesh", "As needed, and locally for depth"),
      ])
    case .exposure: .exposure()
    case .exposureRatio: .number(0...DevelopmentSettings.exposureRatios.upperBound, step: 0.1, digits: 4)
    case .tolerance: .number(DevelopmentSettings.tolerances, step: 0.1, digits: 1)
    case .flashWhite: .text()
    case .confidence:
      .choice([("channel", "As a channel"), ("mask", "As the result's layer mask"), ("none", "Not at all")])
    case .fallback: .flag("Add the _balanced ambient frame, hidden")
    case .space: .choice(RGBSpace.all.map { ($0.identifier, $0.name) })
    }
  }

  static func label(_ option: Option) -> String? {
    switch option {
    case .profile: "_Profile:"
    case .look: "_Look:"
    case .align: "_Align:"
    case .exposure: "_Exposure:"
    case .exposureRatio: "Exposure _ratio:"
    case .tolerance: "_Tolerance (ΔE00):"
    case .flashWhite: "Flash wh_ite:"
    case .confidence: "_Confidence:"
    case .fallback: nil
    case .space: "Colour _space:"
    }
  }

  static func help(_ option: Option) -> String {
    switch option {
    case .profile: "A calibration of this camera and flash, as 'constant-color calibrate' makes it; empty for none."
    case .look: "The light of the result."
    case .align: "How the frames may differ in position."
    case .exposure: "Metered in the trusted area, fixed so that a series is comparable, or a gain."
    case .exposureRatio:
      "Flash exposure divided by ambient exposure (time · ISO / f-number²); 0: from the metadata of files, and from the pictures."
    case .tolerance: "The colour error up to which a colour counts as right, for the confidence."
    case .flashWhite:
      "How white looks in the flash's light: CIE x,y (0.3127,0.3290) or kelvin (5600); empty: found, or D65."
    case .confidence: "Where the map goes that tells how likely each colour is right."
    case .fallback: "A hidden layer below the result: for where the result cannot be used."
    case .space: "The colour profile of the new image."
    }
  }
}
