import Development
import Photo

/// All pairs of a folder, by name, for commands in which one that is left out would be missed by nobody. Throws `InputError` where
/// something was meant to be a pair and is none, or where there are none.
func wholePairs(in folder: String) throws -> [PhotoPair] {
  let files = try asInput { try SeriesFolder.list(folder).files }
  let found = PairFinder().find(files.map { SeriesFrame($0.path, name: $0.name) })
  if let problem = found.unpaired.first(where: { $0.kind.isFailure }) {
    throw InputError("\(problem.path): \(problem.reason)")
  }
  guard !found.pairs.isEmpty else {
    throw InputError("\(folder): holds no pairs; name their files NAME_flash.EXT and NAME_ambient.EXT")
  }
  return found.pairs
}
