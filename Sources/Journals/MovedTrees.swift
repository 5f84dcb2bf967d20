import SystemPackage
import TintypeFiles
import TintypeLocking

/// Tells which folders of photos were moved, such as to another mount, by a journal's receipts.
///
/// A photo that has changed and lies elsewhere could be any other photo of the same name. It counts as the same one only if
/// nothing is left at its old path, and another photo of the old folder is, unchanged, at its place in the new one.
final class MovedTrees: Sendable {
    /// A journal's `done` receipts.
    struct Receipts {
        let spans: [JournalIndex.Span]
        let read: (JournalIndex.Span) throws(JournalError) -> Receipt?
    }

    /// The answers so far: one for all photos of a folder.
    private let known = Locked<[Tree: Bool]>([:])

    /// - Parameters:
    ///   - old: the photo's path in the journal.
    ///   - new: its path now.
    func hasMoved(
        from old: String, to new: String, _ receipts: () -> Receipts
    ) throws(JournalError) -> Bool {
        guard let tree = Tree(from: old, to: new), (try? Stat(link: old)) == nil else { return false }
        if let answer = known.withLock({ $0[tree] }) { return answer }
        let answer = try tree.isProven(by: receipts())
        known.withLock { $0[tree] = answer }
        return answer
    }

    /// A folder's old and new path.
    private struct Tree: Hashable {
        let old: String
        let new: String

        /// The deepest folders in which both photos have the same relative path; nil if the photos' names differ.
        init?(from old: String, to new: String) {
            guard old.hasPrefix("/"), new.hasPrefix("/") else { return nil }
            let (oldParts, newParts) = (old.pathParts(), new.pathParts())
            let common = zip(oldParts.reversed(), newParts.reversed()).prefix { $0 == $1 }.count
            guard common > 0 else { return nil }
            self.old = "/" + oldParts.dropLast(common).map { $0 + "/" }.joined()
            self.new = "/" + newParts.dropLast(common).map { $0 + "/" }.joined()
        }

        func isProven(by receipts: Receipts) throws(JournalError) -> Bool {
            for span in receipts.spans {
                guard let receipt = try receipts.read(span),
                    let below = receipt.input.location.removingPrefix(old),
                    let input = InputIdentity(file: new + below), input.isSame(as: receipt.input)
                else { continue }
                return true
            }
            return false
        }
    }
}

extension JournalDecision {
    /// The decision for a photo whose folder may have been moved.
    func following(
        _ input: InputIdentity, _ trees: MovedTrees, _ receipts: () -> MovedTrees.Receipts
    ) throws(JournalError) -> JournalDecision {
        guard case .refused(.otherInput(let old)) = self,
            try trees.hasMoved(from: old, to: input.location, receipts)
        else { return self }
        return .redo(.inputChanged)
    }
}
