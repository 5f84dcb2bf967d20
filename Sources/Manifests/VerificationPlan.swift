import TintypeFiles
import TintypeJournals

/// The outputs that a manifest plans, visited in batches of photos.
struct VerificationPlan {
    /// An output of a photo in a batch.
    struct Output: Sendable {
        /// Index of the photo.
        let photo: Int
        /// Relative to the output folder.
        let name: String
        /// Whether another photo has the output too.
        let isRepeated: Bool
    }

    private static let batchLength = 1024

    let manifest: Manifest
    /// All outputs, once they were visited.
    private(set) var names: Set<OutputKey> = []

    init(_ manifest: Manifest) {
        self.manifest = manifest
        names.reserveCapacity(manifest.photoCount)
    }

    /// - Parameters:
    ///   - findings: the findings of some outputs, by their indices, in any order.
    ///   - redo: called for each photo with an output that another run would make.
    mutating func run(
        _ findings: ([Output], [ManifestPhoto]) throws -> [(Int, Verification.Finding)],
        find: (Verification.Finding) throws -> Void, redo: (ManifestPhoto) throws -> Void
    ) throws -> Verification.Summary {
        var summary = Verification.Summary()
        var batch: [ManifestPhoto] = []
        var failure: (any Error)?
        func check() throws {
            var outputs: [Output] = []
            for (index, photo) in batch.enumerated() {
                for name in photo.outputs {
                    let isRepeated = !names.insert(OutputKey(name)).inserted
                    outputs.append(Output(photo: index, name: name, isRepeated: isRepeated))
                }
            }
            let found = try findings(outputs, batch).sorted { $0.0 < $1.0 }
            summary.outputCount += outputs.count
            summary.wholeCount += outputs.count - found.count
            var again: Set<Int> = []
            for (index, finding) in found {
                summary.counts[finding.problem, default: 0] += 1
                try find(finding)
                if finding.problem != .doubled { again.insert(outputs[index].photo) }
            }
            for index in again.sorted() { try redo(batch[index]) }
            batch.removeAll(keepingCapacity: true)
        }
        try manifest.forEachPhoto { photo, _ throws(ManifestError) in
            guard failure == nil else { return }
            batch.append(photo)
            guard batch.count == Self.batchLength else { return }
            do { try check() } catch { failure = error }
        }
        if let failure { throw failure }
        try check()
        return summary
    }
}
