import Development

/// The rules that settings are held to when a capture begins.
extension PhotoSettings {
  func check(_ configuration: SessionConfiguration) throws(CaptureError) {
    guard let device = configuration.input?.device else { throw .notConnected }
    if isConstantColorEnabled {
      if let obstacle = configuration.obstacle { throw .constantColorNotSupported(obstacle) }
      guard configuration.isConstantColorEnabled else { throw .constantColorNotEnabled }
      guard flashMode != .off else { throw .flashModeOff }
      guard rawPhotoPixelFormatType == 0 else { throw .rawPhotoNotSupported(rawPhotoPixelFormatType) }
    } else {
      if isConstantColorFallbackPhotoDeliveryEnabled { throw .fallbackWithoutConstantColor }
      guard rawPhotoPixelFormatType == 0 else { throw .rawFormatNotAvailable(rawPhotoPixelFormatType) }
    }
    if flashMode == .on, !device.hasFlash { throw .flashNotAvailable }
    guard DevelopmentSettings.tolerances.contains(processing.tolerance) else {
      throw .invalidSettings("the tolerance is \(processing.tolerance); it is 0.1 to 50")
    }
    if let ratio = processing.exposureRatio, !DevelopmentSettings.exposureRatios.contains(ratio) {
      throw .invalidSettings("the exposure ratio is \(ratio); it is 1e-6 to 1e6")
    }
    if case .stops(let stops) = processing.exposure, !(-20...20).contains(stops) {
      throw .invalidSettings("the exposure is \(stops) stops; it is -20 to 20")
    }
  }
}
