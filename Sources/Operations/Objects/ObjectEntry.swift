import Download
import Files
import Foundation
import Journals
import Locking
import Photos
import SystemPackage

/// Decides by an object's metadata whether an output is made, and writes it.
package final class ObjectEntry: OutputEntry {
    private struct State {
        var verdict: OutputVerdict?
        var input = InputIdentity(location: "")
        var publication: PhotoPipeline.Publication?
    }

    private let store: ObjectStore
    private let photo: InputPhoto
    private let location: S3Location
    private let recipe: String
    private let overwrites: Bool
    private let skipsExisting: Bool
    private let isSuspect: Bool
    private let state = Locked(State())
    package let stagedPath: String?

    /// - Parameters:
    ///   - recipe: the canonical text of what makes the object.
    ///   - skipsExisting: whether a photo is skipped if its output exists and must not be replaced.
    ///   - isSuspect: whether the object that this run has made may be wrong, and is replaced.
    package init(
        _ store: ObjectStore, _ photo: InputPhoto, output location: S3Location, recipe: String,
        overwrites: Bool, skipsExisting: Bool, isSuspect: Bool = false
    ) {
        self.store = store
        self.photo = photo
        self.location = location
        self.recipe = recipe
        self.overwrites = overwrites
        self.skipsExisting = skipsExisting
        self.isSuspect = isSuspect
        stagedPath = store.stagedPath(of: location)
    }

    deinit { if let stagedPath { unlink(stagedPath) } }

    package var verdict: OutputVerdict? { state.withLock { $0.verdict } }
    package var partialsFolder: URL? { nil }

    /// - Throws: `PhotoError.outputRefused`, `PhotoError.upload`, `CancellationError`, or `Errno` if the input cannot be
    ///   read.
    package func admit(isCancelled: @escaping () -> Bool) throws -> OutputVerdict {
        if let verdict { return verdict }
        let input = try InputIdentity(photo)
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
        guard let object = try object(isCancelled) else { return .work(replaces: overwrites) }
        let obstacle: JournalDecision.Obstacle
        if let made = ObjectReceipt(object) {
            let known = made.input(like: input)
            if made.byteCount != object.byteCount {
                obstacle = .modified
            } else if !made.hasRecipe(recipe) {
                obstacle = .otherRecipe(made.recipe)
            } else if input.isSame(as: known) {
                return isSuspect ? .work(replaces: true) : .upToDate
            } else if input.location == known.location {
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

    package func note(_ download: Downloaded) {
        state.withLock { $0.input.validator = download.response.validator }
    }

    package func announce(_ publication: PhotoPipeline.Publication, device: String?) {
        state.withLock { $0.publication = publication }
    }

    package func deliver(isCancelled: @escaping () -> Bool) throws {
        let (input, publication, verdict) = state.withLock { ($0.input, $0.publication, $0.verdict) }
        guard let stagedPath, let publication, case .work(let replaces) = verdict else { return }
        defer { unlink(stagedPath) }
        var made = input
        made.sha256 = publication.inputSHA256
        let receipt = ObjectReceipt(
            recipe: recipe, input: made, byteCount: publication.file.byteCount,
            sha256: publication.file.sha256)
        let source = S3Client.Source(
            SharedFile(try OpenFile(reading: stagedPath)), byteCount: publication.file.byteCount,
            sha256: publication.file.sha256)
        do throws(DownloadError) {
            try store.client.put(
                source, to: location,
                contentType: FileName(stagedPath.lastPathComponent).format == .png
                    ? "image/png" : "image/jpeg",
                metadata: receipt.metadata, overwrites: replaces, isCancelled: isCancelled)
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
    private func object(_ isCancelled: @escaping () -> Bool) throws -> S3Object? {
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
        guard let made = try object(isCancelled).flatMap(ObjectReceipt.init), made.sha256 == receipt.sha256,
            made.recipe == receipt.recipe
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
