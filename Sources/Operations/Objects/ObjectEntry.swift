import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeJournals
import TintypeLocking
import TintypePhotos
import TintypeS3

/// Decides by an object's metadata whether an output is made, and writes it.
package final class ObjectEntry: OutputEntry {
    private struct State {
        var location: S3Location
        var verdict: OutputVerdict?
        /// Nil before `admit`.
        var input: InputIdentity?
        var publication: PhotoPipeline.Publication?
    }

    private let store: ObjectStore
    private let photo: InputPhoto
    private let plannedLocation: S3Location
    private let alternatives: [PhotoJob.Output]
    private let recipe: String
    private let overwrites: Bool
    private let skipsExisting: Bool
    private let isSuspect: Bool
    private let state: Locked<State>
    package let stagedPath: String?

    /// - Parameters:
    ///   - alternatives: the output's names for other formats of the photo; empty if its format does not matter.
    ///   - recipe: the canonical text of what makes the object.
    ///   - skipsExisting: whether a photo is skipped if its output exists and must not be replaced.
    ///   - isSuspect: whether the object that this run has made may be wrong, and is replaced.
    package init(
        _ store: ObjectStore, _ photo: InputPhoto, output location: S3Location,
        alternatives: [PhotoJob.Output] = [], recipe: String,
        overwrites: Bool, skipsExisting: Bool, isSuspect: Bool = false
    ) {
        self.store = store
        self.photo = photo
        plannedLocation = location
        self.alternatives = alternatives
        state = Locked(State(location: location))
        self.recipe = recipe
        self.overwrites = overwrites
        self.skipsExisting = skipsExisting
        self.isSuspect = isSuspect
        stagedPath = store.stagedPath(of: location)
    }

    deinit { if let stagedPath { unlink(stagedPath) } }

    private var location: S3Location { state.withLock { $0.location } }
    package var output: PhotoJob.Output { .object(location) }

    package func move(to output: PhotoJob.Output) {
        guard case .object(let location) = output else { return }
        state.withLock { ($0.location, $0.verdict) = (location, nil) }
    }

    package var verdict: OutputVerdict? { state.withLock { $0.verdict } }
    package var partialsFolder: URL? { nil }

    /// - Throws: `PhotoError.outputRefused`, `PhotoError.upload`, `CancellationError`, or `Errno` if the input cannot be
    ///   read.
    package func admit(isCancelled: @escaping () -> Bool) throws -> OutputVerdict {
        if let verdict { return verdict }
        // A downloaded photo, whose output was moved, has a validator.
        let input = try state.withLock { $0.input } ?? InputIdentity(photo, hashedWith: .sha256)
        let verdict = try decide(input, isCancelled)
        state.withLock { state in
            state.input = input
            state.verdict = verdict
        }
        return verdict
    }

    private func decide(
        _ input: InputIdentity, _ isCancelled: @escaping () -> Bool
    ) throws -> OutputVerdict {
        guard let object = try object(location, isCancelled) else {
            return try alternativeIsUpToDate(input, isCancelled) ? .upToDate : .work(replaces: overwrites)
        }
        let obstacle: JournalDecision.Obstacle
        if let made = ObjectReceipt(metadata: object.metadata) {
            let known = made.input(like: input)
            if made.byteCount != object.byteCount {
                obstacle = .modified
            } else if !made.hasRecipe(recipe) {
                obstacle = .otherRecipe(made.recipe)
            } else if input.isSame(as: known) {
                return isSuspect ? .work(replaces: true) : .upToDate
            } else if input.location.exact == known.location.exact {
                return .work(replaces: true)
            } else {
                obstacle = .otherInput(known.location)
            }
        } else {
            obstacle = .notOurs
        }
        if overwrites { return .work(replaces: true) }
        if skipsExisting { return .outputExists }
        throw PhotoError.outputRefused(path: location.text, obstacle)
    }

    /// Whether an earlier run has found that the photo has another format, and nothing has changed.
    private func alternativeIsUpToDate(
        _ input: InputIdentity, _ isCancelled: @escaping () -> Bool
    ) throws -> Bool {
        guard location == plannedLocation, !isSuspect else { return false }
        for case .object(let other) in alternatives {
            guard let object = try object(other, isCancelled),
                let made = ObjectReceipt(metadata: object.metadata),
                made.byteCount == object.byteCount, made.hasRecipe(recipe),
                input.isSame(as: made.input(like: input))
            else { continue }
            state.withLock { $0.location = other }
            return true
        }
        return false
    }

    package func note(_ download: Downloaded) {
        state.withLock { $0.input?.validator = download.response.validator }
    }

    package func announce(_ publication: PhotoPipeline.Publication, device: String?) {
        state.withLock { $0.publication = publication }
    }

    package func deliver(isCancelled: @escaping () -> Bool) throws {
        let (input, publication, verdict) = state.withLock { ($0.input, $0.publication, $0.verdict) }
        guard let stagedPath, let input, let publication, case .work(let replaces) = verdict else { return }
        defer { unlink(stagedPath) }
        var made = input
        made.digest = publication.inputDigest
        let receipt = ObjectReceipt(
            recipe: recipe, input: made, byteCount: publication.file.byteCount,
            sha256: publication.file.digest.hexadecimal)
        let file = try OpenFile(reading: stagedPath)
        let format = PhotoFormat.detect(try file.firstBytes(PhotoFormat.detectionByteCount)) ?? .usual
        let source = S3Client.Source(
            SharedFile(file), byteCount: publication.file.byteCount,
            sha256: publication.file.digest.hexadecimal)
        do throws(DownloadError) {
            try store.client.put(
                source, to: location, contentType: format.mediaType, metadata: receipt.metadata,
                overwrites: replaces, isCancelled: isCancelled)
        } catch .cancelled {
            throw CancellationError()
        } catch .s3(_, let failure) where failure.status == 412 {
            try acceptExisting(receipt, isCancelled)
        } catch {
            throw PhotoError.upload(path: location.text, error)
        }
    }

    /// The object as it is now; nil if there is none.
    ///
    /// - Throws: `PhotoError.upload`, `CancellationError`.
    private func object(
        _ location: S3Location, _ isCancelled: @escaping () -> Bool
    ) throws -> S3Object? {
        do throws(DownloadError) {
            return try store.client.head(location, isCancelled: isCancelled)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw PhotoError.upload(path: location.text, error)
        }
    }

    /// The object appeared meanwhile: this run has written it, and the answer was lost; or another run has.
    private func acceptExisting(
        _ receipt: ObjectReceipt, _ isCancelled: @escaping () -> Bool
    ) throws {
        guard let object = try object(location, isCancelled),
            let made = ObjectReceipt(metadata: object.metadata),
            made.sha256 == receipt.sha256,
            made.recipe.exact == receipt.recipe.exact
        else {
            throw store.acceptsEqualOutputs
                ? PhotoError.outputRefused(path: location.text, .otherBytes)
                : PhotoError.outputExists(path: location.text)
        }
    }

    // What was made is told by the object, and failures by the run.
    package func finish(_ report: FilterReport) {}
    package func fail(_ error: PhotoError) {}
    package func release() { state.withLock { $0.verdict = nil } }
}
