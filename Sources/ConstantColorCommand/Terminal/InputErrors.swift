import Development
import Photo

/// Runs `body`; whatever it throws is about what the user named: exit status 2.
func asInput<Result>(_ body: () throws -> Result) throws -> Result {
  do { return try body() } catch { throw InputError(error) }
}

/// Makes a folder for results unless it is there. Throws ``InputError``.
func makeFolder(_ path: String) throws { try asInput { try Folder.create(path) } }

/// Throws where a file cannot be written. "-" is standard output.
func checkWritable(_ path: String?) throws {
  guard let path, path != "-" else { return }
  try asInput { try AtomicFile.check(path) }
}
