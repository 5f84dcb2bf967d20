import Foundation
import TintypeDownload
import TintypeImaging
import TintypePhotos

/// What decides whether an output is made, and records the outcome: a journal, or the output's object itself.
///
/// The photo's operations call it from their own threads, one after the other.
package protocol OutputEntry: AnyObject, Sendable {
    /// Decides. Later calls return the same verdict.
    ///
    /// - Parameter isCancelled: polled while a server is asked; true ends it with `CancellationError`.
    func admit(isCancelled: @escaping () -> Bool) throws -> OutputVerdict

    /// What `admit` has answered; nil before that, if it failed, and after `release`.
    var verdict: OutputVerdict? { get }

    /// The output; another one than planned after `move`, or if `admit` has found it under another format's name.
    var output: PhotoJob.Output { get }

    /// Gives the output another name, because the photo has another format than it was planned for. `admit` decides anew.
    func move(to output: PhotoJob.Output)

    /// The folder for unfinished downloads; nil keeps none.
    var partialsFolder: URL? { get }

    /// Records the server's validator (ETag or Last-Modified) of the downloaded photo.
    func note(_ download: Downloaded)

    /// Where the pipeline writes the output; nil writes it where it belongs.
    var stagedPath: String? { get }

    /// Records that the output's file is complete and about to get its name.
    func announce(_ publication: PhotoPipeline.Publication, device: String?) throws

    /// Takes a staged output where it belongs. Blocks until it is there.
    func deliver(isCancelled: @escaping () -> Bool) throws

    /// Records that the output has its name.
    func finish(_ report: FilterReport)

    /// Records that the photo has failed.
    func fail(_ error: PhotoError)

    /// Ends the work on the output, after the last operation.
    func release()
}

/// Whether an output is made.
package enum OutputVerdict: Sendable {
    /// Filter the photo. `replaces` tells whether an existing file with the output's name is replaced.
    case work(replaces: Bool)
    case upToDate
    /// An existing file with the output's name is kept.
    case outputExists
    /// Another process, or another worker of this one, has the claim.
    case claimedElsewhere

    /// Why the output is not made; nil if it is.
    package var skip: FilterReport.Skip? {
        switch self {
        case .work: nil
        case .upToDate: .upToDate
        case .outputExists: .outputExists
        case .claimedElsewhere: .claimedElsewhere
        }
    }
}

/// Names an output for the format of its photo, which is known once the photo was downloaded.
package typealias OutputNaming = @Sendable (PhotoFormat) throws -> PhotoJob.Output

extension OutputEntry {
    /// Whether the photo is to be filtered, as `admit` decides.
    package func isToBeDone(isCancelled: @escaping () -> Bool) throws -> Bool {
        if case .work = try admit(isCancelled: isCancelled) { true } else { false }
    }
}

extension Array where Element == any OutputEntry {
    /// Whether any of a photo's outputs is to be made; true without entries.
    ///
    /// - Throws: what `admit` throws, for a single output. Of several, each learns of it on its own.
    package func needPhoto(isCancelled: @escaping () -> Bool) throws -> Bool {
        guard count > 1 else { return try first?.isToBeDone(isCancelled: isCancelled) ?? true }
        // Not `contains`: every output is claimed.
        return map { entry in
            do {
                return try entry.isToBeDone(isCancelled: isCancelled)
            } catch let error as PhotoError where error.isRefusal {
                return false
            } catch {
                // It is asked again when the photo is there, and may need it then.
                return true
            }
        }.contains(true)
    }
}
