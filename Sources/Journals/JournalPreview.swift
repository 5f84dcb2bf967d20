import Files
import Foundation
import SystemPackage

/// A folder's journal as it stands, to tell what a run would do: nothing is written, and nothing is locked.
///
/// What it says is out of date as soon as another process works on the folder.
package struct JournalPreview {
    private let folder: String
    /// Nil where no run has written to the folder yet.
    private let journal: ReadOnlyJournal?

    package init(outputFolder: String) throws(JournalError) {
        folder = outputFolder
        journal = try ReadOnlyJournal(outputFolder: outputFolder)
    }

    private var ownFolder: String { folder.appendingPathComponent(Journal.folderName) }

    /// The canonical text of the recipe that the folder's outputs are made by; nil where there are none.
    package func recipe() throws(JournalError) -> String? {
        try journal?.file.madeRecipe(besides: ownFolder)
    }

    /// - Throws: `JournalError.otherRecipe` where a run with this recipe would be refused.
    package func check(recipe: String) throws(JournalError) {
        guard let made = try journal?.file.madeRecipe(besides: ownFolder), made != recipe,
            try journal?.file.holdsOutputs(in: folder) == true
        else { return }
        throw .otherRecipe(folder: folder, made: made, asked: recipe)
    }

    /// What a run would decide. An output that a killed run had announced counts as done where its file is
    /// there: a run would settle that first.
    package func decision(
        for input: InputIdentity, recipe: String, output: String
    ) throws(JournalError) -> JournalDecision {
        let path = Journal.path(of: output, in: folder)
        guard let (latest, done) = try journal?.file.knownReceipts(for: output) else {
            return JournalDecision(for: input, recipe: recipe, path: path, nil, nil)
        }
        if latest?.state == .publishing {
            let settled = JournalDecision(for: input, recipe: recipe, path: path, latest, latest)
            if ![.refused(.modified), .redo(.outputMissing)].contains(settled) { return settled }
        }
        return JournalDecision(for: input, recipe: recipe, path: path, latest, done)
    }

    package func failedLast(_ output: String) -> Bool {
        journal?.file.index.entries[OutputKey(output)]?.state == .failed
    }
}
