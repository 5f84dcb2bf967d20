import Dispatch
import Foundation
import SystemPackage
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypeLocking

/// Proves that each output of a manifest is there exactly once, whole, and made by the planned recipe.
public struct Verification: Sendable {
    /// What is wrong with an output.
    public enum Problem: String, CaseIterable, Sendable {
        /// There is no file of this name.
        case missing
        /// The file has not the size and the hash of its receipt.
        case damaged
        /// The manifest has the output more than once, or journals disagree on its bytes.
        case doubled
        /// A photo in the output folder that the manifest does not plan, that has no receipt, or that was made by
        /// another recipe.
        case foreign
    }

    /// An output that is not as planned.
    public struct Finding: Sendable {
        public let problem: Problem
        /// Relative to the output folder.
        public let output: String
        /// The photo as the manifest names it; nil if none is planned.
        public let input: String?
        /// What is known of the cause, without a full stop.
        public let reason: String
    }

    /// Totals.
    public struct Summary: Sendable {
        /// Outputs that the manifest plans.
        public internal(set) var outputCount = 0
        /// Planned outputs that are as they should be.
        public internal(set) var wholeCount = 0
        public internal(set) var counts: [Problem: Int] = [:]
        /// Temporary files that killed runs have left.
        public internal(set) var temporaryCount = 0

        /// Whether nothing is wrong.
        public var isWhole: Bool { counts.isEmpty }
    }

    private let manifest: Manifest
    private let outputFolder: String
    private let checksHashes: Bool

    /// - Parameters:
    ///   - outputFolder: stands for the manifest's own; nil is that.
    ///   - checksHashes: whether outputs are read. Otherwise only their sizes are compared.
    public init(of manifest: Manifest, in outputFolder: String? = nil, checksHashes: Bool = true) {
        self.manifest = manifest
        self.outputFolder = outputFolder ?? manifest.header.outputFolder
        self.checksHashes = checksHashes
    }

    /// Checks every output, on all cores, then looks for photos that are not planned.
    ///
    /// - Parameters:
    ///   - find: called for each output that is not as planned.
    ///   - redo: called for each photo with such an output that another run would make.
    /// - Throws: `ManifestError` or `JournalError`, and what the closures throw.
    public func run(
        _ find: (Finding) throws -> Void, redo: (ManifestPhoto) throws -> Void
    ) throws -> Summary {
        let journal: MergedJournal?
        do throws(JournalError) {
            journal = try MergedJournal(outputFolder: outputFolder)
        } catch .none {
            journal = nil
        }
        var plan = VerificationPlan(manifest)
        var summary = try plan.run({ try findings(for: $0, of: $1, journal) }, find: find, redo: redo)
        try findForeign(in: "", plan.names, &summary, find)
        return summary
    }

    /// An output and what its receipt says.
    private struct Case: Sendable {
        let output: VerificationPlan.Output
        let made: Receipt?
        let latest: Receipt?
        let isDoubled: Bool
    }

    private func findings(
        for outputs: [VerificationPlan.Output], of photos: [ManifestPhoto], _ journal: MergedJournal?
    ) throws(JournalError) -> [(Int, Finding)] {
        var cases: [Case] = []
        for output in outputs {
            let key = OutputKey(output.name)
            let receipts = try journal?.receipts(for: key) ?? (latest: nil, done: nil)
            cases.append(
                Case(
                    output: output, made: receipts.done, latest: receipts.latest,
                    isDoubled: output.isRepeated || journal?.isDisputed(key) == true))
        }
        let found = Locked<[(Int, Finding)]>([])
        DispatchQueue.concurrentPerform(iterations: cases.count) { [cases] index in
            let one = cases[index]
            guard let (problem, reason) = problem(of: one) else { return }
            let finding = Finding(
                problem: problem, output: one.output.name, input: photos[one.output.photo].input,
                reason: reason)
            found.withLock { $0.append((index, finding)) }
        }
        return found.withLock { $0 }
    }

    private func problem(of one: Case) -> (Problem, String)? {
        let path = outputFolder.appendingPathComponent(one.output.name)
        guard let status = try? Stat(link: path) else {
            return (.missing, one.latest?.error ?? (one.made == nil ? "never made" : "made, and gone since"))
        }
        guard let made = one.made, let file = made.file else { return (.foreign, "it has no receipt") }
        guard made.recipe.exact == manifest.header.recipe.exact else {
            return (.foreign, "made by another recipe")
        }
        guard status.isRegularFile else { return (.damaged, "it is not a regular file") }
        guard status.byteCount == file.byteCount else {
            return (.damaged, "\(status.byteCount) bytes instead of \(file.byteCount)")
        }
        if checksHashes, !file.digest.isOfFile(path) { return (.damaged, "other bytes") }
        if let latest = one.latest, latest.isSuspect { return (.damaged, latest.error ?? "it may be wrong") }
        return one.isDoubled ? (.doubled, "planned or made more than once") : nil
    }

    /// - Throws: `ManifestError`: what cannot be listed is not proven.
    private func forEachEntry(of path: String, _ visit: (FolderEntry) -> Void) throws(ManifestError) {
        do throws(Errno) {
            try FolderEntry.forEach(in: path, visit)
        } catch .noSuchFileOrDirectory {
            // Nothing was made yet.
        } catch {
            throw .cannotRead(path: path, error)
        }
    }

    /// - Parameter folder: relative to the output folder.
    private func findForeign(
        in folder: String, _ planned: Set<OutputKey>, _ summary: inout Summary,
        _ find: (Finding) throws -> Void
    ) throws {
        let path = folder.isEmpty ? outputFolder : outputFolder.appendingPathComponent(folder)
        var foreign: [String] = [], folders: [String] = []
        try forEachEntry(of: path) { entry in
            let name = folder.appendingPathComponent(entry.name)
            switch entry.kind {
            case .file where OutputFile.isTemporaryName(entry.name): summary.temporaryCount += 1
            case _ where entry.isHidden: return
            case .folder: folders.append(name)
            case .file where FileName(entry.name).looksLikePhoto && !planned.contains(OutputKey(name)):
                foreign.append(name)
            default: return
            }
        }
        for name in foreign.sorted() {
            summary.counts[.foreign, default: 0] += 1
            try find(Finding(problem: .foreign, output: name, input: nil, reason: "it is not planned"))
        }
        for name in folders.sorted() { try findForeign(in: name, planned, &summary, find) }
    }
}
