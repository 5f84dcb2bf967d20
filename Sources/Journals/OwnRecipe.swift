import TintypeFiles

/// What a run knows of a recipe that a single photo has in place of its folder's.
public enum OwnRecipe: Hashable, Sendable {
    /// Nothing: outputs that were made with one stay as they are.
    case unknown
    /// The recipe's canonical text; nil if the photo has its folder's.
    case known(String?)

    /// Whether a run that is to replace outputs replaces one that is up to date: it was made with a recipe that the run does not know.
    package func replaces(_ receipt: Receipt) -> Bool { self == .unknown && receipt.ownRecipe != nil }
}

extension JournalDecision {
    /// The decision for a photo that may have a recipe of its own, or have had one when its output was made.
    ///
    /// - Parameters:
    ///   - latest: the output's last receipt.
    ///   - done: the output's last `done` receipt.
    func respecting(_ own: OwnRecipe, _ latest: Receipt?, _ done: Receipt?) -> JournalDecision {
        switch (self, own) {
        case (.redo, .unknown) where (latest ?? done)?.ownRecipe != nil: .refused(.ownRecipe)
        case (.upToDate(let receipt), .known(let recipe)) where receipt.ownRecipe?.exact != recipe?.exact:
            .redo(.otherOwnRecipe)
        default: self
        }
    }
}
