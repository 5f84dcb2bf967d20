import TintypeFiles
import TintypeFilters
import TintypeImaging
import TintypeJournals
import TintypeLocking
import TintypePhotos

/// Names the outputs of downloads anew where a photo has another format than its address says.
///
/// Outputs are planned before anything is downloaded, so a planned name is kept for its photo even if it gets another one. A
/// photo that would get the name of another's output fails.
package final class FormatNames: Sendable {
    private struct Taken {
        /// Indices of jobs by their planned outputs.
        let planned: [OutputKey: Int]
        let inputs: Set<InputPhoto.Identity>
        /// Photos that have got other names, and which of their outputs.
        var renamed: [OutputKey: (photo: InputPhoto, variant: Int)] = [:]
        var paths = CanonicalPaths()
    }

    private let planner: OutputPlanner
    private let jobs: [PhotoJob]
    private let otherInputs: [String]
    /// Nil until the first photo needs another name: few runs have one.
    private let taken = Locked<Taken?>(nil)

    /// - Parameters:
    ///   - planner: has named the outputs.
    ///   - jobs: all of the run's.
    ///   - otherInputs: the paths of its photos that have no job. They are not replaced either.
    package init(_ planner: OutputPlanner, _ jobs: [PhotoJob], otherInputs: [String]) {
        self.planner = planner
        self.jobs = jobs
        self.otherInputs = otherInputs
    }

    /// Whether an output has its photo's own format, which is known once the photo was downloaded.
    package static func concerns(_ job: PhotoJob, _ recipe: Recipe) -> Bool {
        guard case .address = job.photo.location else { return false }
        return recipe.format == nil
    }

    /// The names that the output would have for other formats than the planned one.
    package static func alternatives(to job: PhotoJob, _ planner: OutputPlanner) -> [PhotoJob.Output] {
        PhotoFormat.written.filter { $0 != job.photo.format }
            .map { planner.output(for: job.photo.having($0), variant: job.variant) }
            .filter { $0 != job.output }
    }

    package func alternatives(to job: PhotoJob) -> [PhotoJob.Output] { Self.alternatives(to: job, planner) }

    /// The output of a photo that has this format.
    ///
    /// - Throws: `PhotoError.outputClash`, `PhotoError.outputIsInput`.
    package func output(of job: PhotoJob, having format: PhotoFormat) throws(PhotoError) -> PhotoJob.Output {
        let output = planner.output(for: job.photo.having(format), variant: job.variant)
        guard output != job.output else { return output }
        try taken.withLock { taken throws(PhotoError) in
            var known = taken ?? makeTaken()
            defer { taken = known }
            let key = Self.key(of: output, &known.paths)
            let owner = known.planned[key].map { (jobs[$0].photo, jobs[$0].variant) } ?? known.renamed[key]
            if let (photo, variant) = owner, variant != job.variant || !photo.isSame(as: job.photo) {
                throw .outputClash(path: output.path, with: photo.path, remedy: planner.clashRemedy)
            }
            if let identity = output.identity, known.inputs.contains(identity) {
                throw .outputIsInput(path: output.path)
            }
            known.renamed[key] = (job.photo, job.variant)
        }
        return output
    }

    private func makeTaken() -> Taken {
        var paths = CanonicalPaths()
        let keys = jobs.indices.map { (Self.key(of: jobs[$0].output, &paths), $0) }
        let others = otherInputs.compactMap { OutputPlanner.output(at: $0).identity }
        return Taken(
            planned: Dictionary(keys) { first, _ in first },
            inputs: Set(jobs.lazy.map(\.photo.identity)).union(others))
    }

    private static func key(of output: PhotoJob.Output, _ paths: inout CanonicalPaths) -> OutputKey {
        if case .file(let path) = output { OutputKey(paths.path(of: path)) } else { OutputKey(output.path) }
    }
}
