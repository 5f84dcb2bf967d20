import Foundation
import Logging
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeJournals
import TintypeLocking
import TintypePhotos

/// Claims one photo's output in the journal of its folder, and appends the photo's receipts.
///
/// The photo's operations call it from their own threads, one after the other. The output stays claimed until
/// `release`, or until there is no entry any more.
package final class JournalEntry: OutputEntry {
    private struct State {
        /// The output's path.
        var path: String
        var verdict: OutputVerdict?
        var claim: OutputClaim?
        /// The claim on the planned output while this is another one, so that no other run downloads the photo.
        var plannedClaim: OutputClaim?
        /// Nil before `admit`.
        var input: InputIdentity?
        /// Whether there is an output that may be wrong. It stays so until it is made again, whatever the reason.
        var isSuspect = false
        var published: Receipt?
    }

    let journal: Journal
    private let photo: InputPhoto
    private let plannedPath: String
    private let alternatives: [PhotoJob.Output]
    private let recipe: String
    private let own: OwnRecipe
    private let variant: String?
    private let overwrites: Bool
    private let skipsExisting: Bool
    private let logger: Logger
    private let state: Locked<State>

    /// - Parameters:
    ///   - alternatives: the output's names for other formats of the photo; empty if its format does not matter.
    ///   - recipe: see `Recipe.canonicalText`.
    ///   - own: the photo's own recipe.
    ///   - variant: see `Receipt.variant`.
    ///   - skipsExisting: whether a photo is skipped if its output exists and must not be replaced.
    package init(
        _ journal: Journal, _ photo: InputPhoto, output path: String,
        alternatives: [PhotoJob.Output] = [], recipe: String,
        own: OwnRecipe = .unknown, variant: String? = nil, overwrites: Bool, skipsExisting: Bool = false,
        logger: Logger
    ) {
        self.journal = journal
        self.photo = photo
        plannedPath = path
        self.alternatives = alternatives
        state = Locked(State(path: path))
        self.recipe = recipe
        self.own = own
        self.variant = variant
        self.overwrites = overwrites
        self.skipsExisting = skipsExisting
        self.logger = logger
    }

    /// Claims the output and decides. Later calls return the same verdict.
    ///
    /// - Throws: `PhotoError.outputRefused`; `Errno` or `JournalError` if the input or the journal cannot be
    ///   read.
    package func admit(isCancelled: @escaping () -> Bool) throws -> OutputVerdict {
        if let verdict { return verdict }
        let (path, known) = state.withLock { ($0.path, $0.input) }
        let output = try journal.outputName(of: path)
        // A downloaded photo, whose output was moved, has a validator.
        let input = try known ?? InputIdentity(photo, hashedWith: journal.hashAlgorithm(of: output))
        // Asked again here, because the run may be long after its plan.
        guard journal.holds(output) else { throw PhotoError.outputOutside(path: path) }
        let admission = try journal.admit(
            input, recipe: recipe, own: own, output: output, overwrites: overwrites)
        // The claim keeps it as it is.
        let isSuspect = try journal.isSuspect(output)
        if case .work = admission, path.exact == plannedPath.exact, let made = try alternativeUpToDate(input)
        {
            state.withLock { ($0.path, $0.verdict) = (made, .upToDate) }
            try noteMove(of: output, input)
            return .upToDate
        }
        return try state.withLock { state in
            state.input = input
            let verdict: OutputVerdict
            switch admission {
            case .work(let claim, let reason):
                state.claim = claim
                state.isSuspect = isSuspect
                verdict = .work(replaces: overwrites || reason.replacesOutput)
            case .skip(.refused) where skipsExisting && (try? Stat(link: path)) != nil:
                verdict = .outputExists
            case .skip(.refused(let obstacle)): throw PhotoError.outputRefused(path: path, obstacle)
            case .skip(.claimedByOther): verdict = .claimedElsewhere
            case .skip: verdict = .upToDate
            }
            state.verdict = verdict
            return verdict
        }
    }

    /// The path of the output if an earlier run has found that the photo has another format, and nothing has changed.
    private func alternativeUpToDate(_ input: InputIdentity) throws(JournalError) -> String? {
        for case .file(let path) in alternatives {
            let output = try journal.outputName(of: path)
            let decision = try journal.decision(for: input, recipe: recipe, own: own, output: output)
            if case .upToDate = decision { return path }
        }
        return nil
    }

    /// Records that a name whose photo has failed before is no output's any more.
    private func noteMove(of planned: String, _ input: InputIdentity) throws(JournalError) {
        guard try journal.failedLast(planned) else { return }
        var receipt = Receipt(.moved, output: planned, input: input, recipe: recipe)
        receipt.variant = variant
        try journal.append(receipt)
    }

    package var output: PhotoJob.Output { .file(path: state.withLock { $0.path }) }

    package func move(to output: PhotoJob.Output) {
        state.withLock { state in
            state.path = output.path
            state.verdict = nil
            state.plannedClaim = state.plannedClaim ?? state.claim
            state.claim = nil
        }
    }

    package var verdict: OutputVerdict? { state.withLock { $0.verdict } }
    package var partialsFolder: URL? { journal.partialsFolder }
    package var stagedPath: String? { nil }
    package func deliver(isCancelled: @escaping () -> Bool) {}

    /// Gives up the claim, after the last operation.
    package func release() {
        state.withLock { state in
            state.claim = nil
            state.plannedClaim = nil
            state.verdict = nil
        }
    }

    /// Records the server's validator (ETag or Last-Modified) of the downloaded photo.
    package func note(_ download: Downloaded) {
        state.withLock { $0.input?.validator = download.response.validator }
    }

    /// Records that the output's file is complete and about to get its name.
    package func announce(_ publication: PhotoPipeline.Publication, device: String?) throws {
        var receipt = try receipt(.publishing)
        receipt.input.digest = publication.inputDigest
        receipt.file = publication.file
        receipt.temporary = try journal.outputName(of: publication.temporaryPath)
        receipt.pixelCount = publication.pixelCount
        receipt.device = device
        try journal.append(receipt)
        state.withLock { [receipt] in $0.published = receipt }
    }

    /// Records that the output has its name. If the final receipt cannot be written, the next run finds the
    /// `publishing` receipt and compares the file with it.
    package func finish(_ report: FilterReport) {
        let (published, path) = state.withLock { ($0.published, $0.path) }
        guard var receipt = published else { return }
        receipt.state = .done
        receipt.isSuspect = false
        receipt.temporary = nil
        receipt.device = report.device
        receipt.fallback = report.fallback
        receipt.seconds = report.duration / .seconds(1)
        receipt.time = Date().timeIntervalSince1970
        do {
            try journal.append(receipt)
            if path.exact != plannedPath.exact {
                try noteMove(of: try journal.outputName(of: plannedPath), receipt.input)
            }
        } catch {
            logger.warning(
                "\(path.printableName) is written, but the journal does not say so; the next run will see to it. \(error)"
            )
        }
    }

    /// Records that the photo has failed, if this run has the claim.
    package func fail(_ error: PhotoError) {
        guard state.withLock({ $0.claim != nil }) else { return }
        do {
            var receipt = try receipt(.failed)
            receipt.error = error.description
            // A file system may report an error although the output has got its name.
            if state.withLock({ $0.published != nil }), try journal.settle(receipt.output) { return }
            try journal.append(receipt)
        } catch {
            logger.warning("The failure of \(photo.path.printableName) is not in the journal: \(error)")
        }
    }

    private func receipt(_ kind: Receipt.State) throws(JournalError) -> Receipt {
        let (path, isSuspect) = state.withLock { ($0.path, $0.isSuspect) }
        let input = state.withLock { $0.input } ?? InputIdentity(location: photo.location.identityText)
        var receipt = Receipt(kind, output: try journal.outputName(of: path), input: input, recipe: recipe)
        if case .known(let recipe) = own { receipt.ownRecipe = recipe }
        receipt.variant = variant
        receipt.isSuspect = isSuspect
        return receipt
    }
}

extension InputIdentity {
    /// Identifies a photo before it is read. A photo from a pipe is identified by its hash.
    ///
    /// - Parameter algorithm: that of the receipts that it is compared with; asked for such a photo only.
    package init(
        _ photo: InputPhoto, hashedWith algorithm: @autoclosure () throws -> ContentDigest.Algorithm
    ) throws {
        switch photo.location {
        case .file(let path):
            guard let identity = InputIdentity(file: path) else { throw Errno.last }
            self = identity
        case .spooled(let input):
            let digest = ContentDigest(try algorithm(), ofFile: "/proc/self/fd/\(input.file.number)")
            self.init(location: "-", digest: digest)
        case .address: self.init(location: photo.location.identityText, validator: photo.validator)
        }
    }
}
