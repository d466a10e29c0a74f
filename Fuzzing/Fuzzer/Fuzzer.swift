import FuzzTargets
import Glibc

/// The target that `CONSTANT_COLOR_FUZZ_TARGET` names.
private let target: FuzzTarget = {
  guard let name = getenv("CONSTANT_COLOR_FUZZ_TARGET").map({ String(cString: $0) }),
    let target = FuzzTarget(rawValue: name)
  else { preconditionFailure("CONSTANT_COLOR_FUZZ_TARGET names no target; use Scripts/fuzz") }
  return target
}()

/// What libFuzzer calls once, before it begins to keep the inputs that end the process.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutableRawPointer) -> CInt {
  FuzzTarget.prepare()
  return 0
}

/// What libFuzzer calls for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
