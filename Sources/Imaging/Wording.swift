import Foundation
import TintypeLocking

/// An error whose message says what is wrong, and then what to do.
public protocol AdvisedError: LocalizedError, CustomStringConvertible {
    /// What is wrong. It says what to do as well where `recoverySuggestion` is nil.
    var problem: String { get }
}

extension AdvisedError {
    /// `problem`, then `recoverySuggestion`.
    public var description: String {
        [problem, recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }

    public var errorDescription: String? { problem }
}

/// A part of a message that a program words itself: the tool names its flags.
package enum Wording: Hashable, Sendable {
    // What to do, as sentences.
    case replaceOutput, replaceOrMoveOutput, otherName, otherOutput
    case skipReplaceOrMove(count: Int)
    case folderWithJournal, keepLooksApart(template: String)
    case raisePixels, raiseScans, raisePhotoMemory, fewerWorkers
    case useCPU, useCPUForSuchPhotos, listDevices, listFilters, stripMetadata, nameAsPhoto
    case writeManifest, nameShard, folderInstead, runAgainLater
    // What to do, within a sentence.
    case otherFolder, replaceOutputs, mergeShards(folder: String)
    case runAgainOrRetry, runAgainLaterOrRetry, raiseDownloadLimit, moreTime, kernelOfPlan
    case followLinks(String)
    // Names.
    case output, outputAtStart, format, endpoint, standardOutput, shardSearch
    case template(String), recipe(canonical: String)

    private static let words = Locked<(@Sendable (Wording) -> String)?>(nil)

    /// Words all messages from now on. Called once, when a program starts.
    package static func use(_ words: @escaping @Sendable (Wording) -> String) {
        Self.words.withLock { $0 = words }
    }

    package var text: String { Self.words.withLock { $0 }.map { $0(self) } ?? libraryText }

    private var libraryText: String {
        switch self {
        case .replaceOutput: "Allow it to be replaced."
        case .replaceOrMoveOutput: "Allow it to be replaced, or choose another output."
        case .otherName: "Choose another name."
        case .otherOutput: "Choose another output folder."
        case .skipReplaceOrMove(let count):
            "Skip photos whose outputs exist, allow \(count == 1 ? "it" : "them") to be replaced, or choose another output."
        case .folderWithJournal: "Choose a folder that a batch with a journal has written to."
        case .keepLooksApart(let template):
            "Choose another output folder, or a template that keeps both looks apart, such as '\(template)'; or allow what is "
                + "there to be replaced."
        case .raisePixels, .raiseScans: "Raise the limit if you trust the file."
        case .raisePhotoMemory:
            "Raise the limit, and the budget of all photos where that is less, if you trust the file."
        case .fewerWorkers: "Filter fewer photos at once, or close other programs."
        case .useCPU: "Use the CPU"
        case .useCPUForSuchPhotos: "Use the CPU for such photos."
        case .listDevices: "DeviceSelection.all() lists them."
        case .listFilters: "FilterCatalog.all lists them."
        case .stripMetadata: "Leave the metadata out to remove it."
        case .nameAsPhoto: "Use it as a photo."
        case .writeManifest: "Plan one first."
        case .nameShard: "Give the shard, such as 3/24."
        case .folderInstead: "Choose a folder instead."
        case .runAgainLater: "Try again later, or allow more retries."
        case .otherFolder: "choose another output folder"
        case .replaceOutputs: "allow them to be replaced"
        case .mergeShards: "Journal.mergeShards()"
        case .runAgainOrRetry: "try again, or allow more retries"
        case .runAgainLaterOrRetry: "try again later, or allow more retries"
        case .raiseDownloadLimit: "raise it if you want this file"
        case .moreTime: "give a slow device more time"
        case .kernelOfPlan: "the kernel"
        case .followLinks(let them): "follow links to search \(them)"
        case .output: "the output"
        case .outputAtStart: "The output"
        case .format: "the format"
        case .endpoint: "the endpoint"
        case .standardOutput: "Standard output"
        case .shardSearch: "The search for a shard"
        case .template(let template): "the template '\(template)'"
        case .recipe(let canonical): canonical
        }
    }
}
