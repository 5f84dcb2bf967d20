import Foundation
import TintypeFiles
import TintypeFilters
import TintypeImaging
import TintypeJournals
import TintypeLists
import TintypePhotos

extension OutputPlan {
    /// Plans the photos whose last attempt failed, according to a folder's journal, with their original
    /// outputs.
    ///
    /// - Parameters:
    ///   - variants: the names of the outputs that every photo gets; a single one has none.
    ///   - files: those that filters of a photo's own recipe may read; nil is none.
    /// - Throws: `JournalError`; `.none` if the folder has no journal.
    public init(
        retryingIn folder: String, variants: [String?] = [nil], reading files: FilterFiles? = nil
    ) throws(JournalError) {
        var failed: [Receipt] = []
        _ = try JournalSummary(outputFolder: folder) { if $0.state == .failed { failed.append($0) } }
        for receipt in failed {
            do {
                let path = Journal.path(of: receipt.output, in: folder)
                if let error = OutputPlanner.refusal(below: receipt.output, of: path) { throw error }
                guard let variant = variants.firstIndex(of: receipt.variant) else {
                    throw PhotoError.outputRefused(path: path, .otherRecipe(receipt.recipe))
                }
                var job = PhotoJob(
                    photo: try InputPhoto(of: receipt), output: .file(path: path), variant: variant)
                job.ownRecipe = try receipt.ownRecipe.map { try Self.ownRecipe($0, reading: files ?? .none) }
                jobs.append(job)
            } catch {
                failures.append(
                    InputFailure(path: receipt.input.location, error: PhotoError(error, path: receipt.output))
                )
            }
        }
    }
}

extension OutputPlan {
    private static func ownRecipe(_ text: String, reading files: FilterFiles) throws(PhotoError) -> Recipe {
        guard let recipe = Recipe(canonicalText: text, reading: files) else {
            let problem = Recipe.fileProblem(in: text, reading: files).map { "\($0) " } ?? ""
            throw .other(
                "\(problem)The photo has filters of its own, which cannot be read: set them in the gallery again."
            )
        }
        return recipe
    }
}

extension InputPhoto {
    /// The photo of a receipt, as it is now.
    fileprivate init(of receipt: Receipt) throws {
        let location = receipt.input.location
        let name = receipt.output.lastPathComponent
        let folder = String(receipt.output.dropLast(name.count)).trimmingTrailingSlashes
        guard location != "-" else {
            throw PhotoError.pipeHasEnded
        }
        guard !location.contains("REDACTED") else {
            throw PhotoError.addressLacksSecrets
        }
        try self.init(at: location, folder: folder, name: name)
    }
}
