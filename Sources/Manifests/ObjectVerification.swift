import Foundation
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypeLocking
import TintypeS3

/// Proves that each output of a manifest is an object of a bucket exactly once, whole, and made by the planned recipe.
public struct ObjectVerification: Sendable {
    private let manifest: Manifest
    private let folder: S3Location
    private let client: S3Client
    private let checksHashes: Bool

    /// Requests at once. Chosen to hide a latency of 100 ms.
    private static let concurrentRequestCount = 32

    /// - Parameters:
    ///   - folder: where the outputs are.
    ///   - checksHashes: whether objects are read. Otherwise only what they say of themselves is compared.
    /// - Throws: `DownloadError.library`.
    public init(
        of manifest: Manifest, in folder: S3Location, checksHashes: Bool = true,
        _ configuration: DownloaderConfiguration
    ) throws(DownloadError) {
        self.manifest = manifest
        self.folder = folder.asFolder
        self.checksHashes = checksHashes
        client = try S3Client(configuration)
    }

    /// Checks every output, then looks for photos that are not planned.
    ///
    /// - Parameters: see `Verification.run`.
    /// - Throws: `ManifestError` or `DownloadError`, and what the closures throw.
    public func run(
        _ find: (Verification.Finding) throws -> Void, redo: (ManifestPhoto) throws -> Void
    ) throws -> Verification.Summary {
        var there: Set<OutputKey> = []
        try client.list(folder) { object in
            if let name = folder.name(of: object.location) { there.insert(OutputKey(name)) }
        }
        var plan = VerificationPlan(manifest)
        var summary = try plan.run(
            { try findings(for: $0, of: $1, there) }, find: find, redo: redo)
        try client.list(folder) { object in
            guard let name = folder.name(of: object.location),
                FileName(name.lastPathComponent).looksLikePhoto, !plan.names.contains(OutputKey(name))
            else {
                return
            }
            summary.counts[.foreign, default: 0] += 1
            try find(
                Verification.Finding(problem: .foreign, output: name, input: nil, reason: "it is not planned")
            )
        }
        return summary
    }

    private func findings(
        for outputs: [VerificationPlan.Output], of photos: [ManifestPhoto], _ there: Set<OutputKey>
    ) throws -> [(Int, Verification.Finding)] {
        let found = Locked<[(Int, Verification.Finding)]>([])
        let failure = Locked<DownloadError?>(nil)
        BlockingCalls.perform(outputs.count, atOnce: Self.concurrentRequestCount) { index in
            guard failure.withLock({ $0 == nil }) else { return }
            let output = outputs[index]
            do throws(DownloadError) {
                let isListed = there.contains(OutputKey(output.name))
                let problem = isListed ? try problem(of: output) : (.missing, "there is no object")
                guard let (problem, reason) = problem else { return }
                let finding = Verification.Finding(
                    problem: problem, output: output.name, input: photos[output.photo].input, reason: reason)
                found.withLock { $0.append((index, finding)) }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        return found.withLock { $0 }
    }

    private func problem(
        of output: VerificationPlan.Output
    ) throws(DownloadError) -> (Verification.Problem, String)? {
        let location = folder.appending(output.name)
        let object: S3Object?
        var sha256: String?
        if checksHashes {
            let read = try client.read(location)
            (object, sha256) = (read?.object, read?.sha256)
        } else {
            object = try client.head(location)
        }
        guard let object else { return (.missing, "there is no object") }
        guard let receipt = ObjectReceipt(metadata: object.metadata) else {
            return (.foreign, "it has no receipt")
        }
        guard receipt.hasRecipe(manifest.header.recipe) else { return (.foreign, "made by another recipe") }
        guard object.byteCount == receipt.byteCount else {
            return (.damaged, "\(object.byteCount) bytes instead of \(receipt.byteCount)")
        }
        if let sha256, sha256 != receipt.sha256 { return (.damaged, "other bytes") }
        return output.isRepeated ? (.doubled, "planned more than once") : nil
    }
}

/// Calls that wait for servers. Dispatch's concurrent queues have as many threads as there are cores.
private enum BlockingCalls {
    /// Calls `body` for each index, and returns once all calls have ended.
    static func perform(_ count: Int, atOnce width: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        let next = Locked(0)
        for _ in 0..<min(width, count) {
            // A serial queue has a thread of its own while it runs a block.
            DispatchQueue(label: "tintype.verify").async(group: group) {
                while true {
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard index < count else { return }
                    body(index)
                }
            }
        }
        group.wait()
    }
}
