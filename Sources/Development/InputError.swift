/// An input that cannot be read or used.
public struct InputError: Error, CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public let description: String

  /// Another error, as one of the input.
  public init(_ error: any Error) { description = "\(error)" }

  /// An error with its sentence.
  public init(_ description: String) { self.description = description }
}
