import Foundation
import SystemPackage
import TintypeFiles

/// Predicts what a run would do, from a folder's journal, without writing or locking anything.
///
/// Another process that works on the folder may invalidate the prediction.
package struct JournalPreview {
    private let folder: String
    /// Nil if no run has written to the folder yet.
    private let journal: ReadOnlyJournal?
    private let movedTrees = MovedTrees()

    /// - Throws: `JournalError`; `.hasShards` as for a run.
    package init(outputFolder: String) throws(JournalError) {
        guard ShardFolder.all(in: outputFolder).isEmpty else { throw .hasShards(folder: outputFolder) }
        folder = outputFolder
        journal = try ReadOnlyJournal(outputFolder: outputFolder)
    }

    private var ownFolder: String { folder.appendingPathComponent(Journal.folderName) }

    /// The canonical text of the recipe of the folder's outputs; nil if there are none.
    package func recipe() throws(JournalError) -> String? {
        try journal?.file.madeRecipe(besides: ownFolder)
    }

    /// - Throws: `JournalError.otherRecipe` if a run with this recipe would be refused.
    package func check(recipe: String) throws(JournalError) {
        guard let made = try journal?.file.madeRecipe(besides: ownFolder), made.exact != recipe.exact,
            try journal?.file.holdsOutputs(in: folder) == true
        else { return }
        throw .otherRecipe(folder: folder, made: made, asked: recipe)
    }

    /// The decision of a run. An output that a killed run was publishing counts as done if its file exists,
    /// because a run settles it first.
    package func decision(
        for input: InputIdentity, recipe: String, own: OwnRecipe = .unknown, output: String
    ) throws(JournalError) -> JournalDecision {
        let path = Journal.path(of: output, in: folder)
        guard let journal else {
            return JournalDecision(for: input, recipe: recipe, path: path, nil, nil)
        }
        let (latest, done) = try journal.file.knownReceipts(for: output)
        if latest?.state == .publishing {
            let settled = JournalDecision(for: input, recipe: recipe, path: path, latest, latest)
                .respecting(own, latest, latest)
            if ![.refused(.modified), .redo(.outputMissing)].contains(settled) { return settled }
        }
        return try JournalDecision(for: input, recipe: recipe, path: path, latest, done)
            .following(input, movedTrees) {
                MovedTrees.Receipts(spans: journal.file.index.doneSpans) { span throws(JournalError) in
                    try journal.file.receipt(at: span)
                }
            }
            .respecting(own, latest, done)
    }

    /// See `InputIdentity.hashAlgorithm`.
    package func hashAlgorithm(of output: String) throws(JournalError) -> ContentDigest.Algorithm {
        InputIdentity.hashAlgorithm(after: try journal?.file.knownReceipts(for: output).done)
    }

    package func failedLast(_ output: String) -> Bool {
        journal?.file.index.entries[OutputKey(output)]?.state == .failed
    }
}
