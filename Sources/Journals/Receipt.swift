import Foundation
import SystemPackage
import TintypeFiles

/// One line of the journal: the outcome of one photo.
public struct Receipt: Hashable, Sendable {
    /// The stage that a photo has reached.
    public enum State: String, Decodable, Hashable, Sendable {
        /// The output is complete under its temporary name, and about to get its own. Not a final state: a
        /// later run checks whether the output has got its name.
        case publishing
        /// The output is complete and has its name.
        case done
        /// The photo has failed; `error` tells why.
        case failed
        /// The photo failed before. Its output has another name now, because it has another format than this one says.
        case moved
    }

    /// The stage that the photo has reached.
    public var state: State
    /// The output's path relative to the output folder.
    public var output: String
    /// The photo, in the state in which it was read.
    public var input: InputIdentity
    /// The canonical text of the recipe: everything but the input that determines the output's bytes.
    public var recipe: String
    /// The canonical text of the photo's own recipe, where it was made with one in place of `recipe`, which is the folder's.
    public var ownRecipe: String?
    /// The output's name in a recipe of several outputs; nil if the recipe makes a single one.
    public var variant: String?
    /// Fingerprint of the output's file; nil if the photo failed, unless it `isSuspect`.
    public var file: FileFingerprint?
    /// Path of the temporary file relative to the output folder, in state `publishing`.
    public var temporary: String?
    /// Identifier of the device that filtered the photo.
    public var device: String?
    /// Why another device had to take over.
    public var fallback: String?
    /// Pixels of the input photo.
    public var pixelCount = 0
    /// Time from opening the photo to its output, in seconds; 0 if it was not measured.
    public var seconds = 0.0
    /// When the receipt was written, in seconds since 1970.
    public var time: Double
    /// Why the photo failed, as a sentence.
    public var error: String?
    /// Whether a later run wrote the receipt, after a killed run had published the output.
    public var isRecovered = false
    /// Whether the output made before may be wrong, because its device gave wrong pixels later. It is made again. Never
    /// in state `done`.
    public var isSuspect = false

    /// - Parameters:
    ///   - output: path relative to the output folder.
    ///   - recipe: the recipe's canonical text.
    ///   - file: nil if the photo failed.
    ///   - time: in seconds since 1970.
    public init(
        _ state: State, output: String, input: InputIdentity, recipe: String, file: FileFingerprint? = nil,
        time: Double = Date().timeIntervalSince1970
    ) {
        self.state = state
        self.output = output
        self.input = input
        self.recipe = recipe
        self.file = file
        self.time = time
    }
}

/// Identifies an input in one state of its content.
public struct InputIdentity: Hashable, Sendable {
    /// An absolute path, an address without secrets, or `-`. Hashes of an address's secrets tell it from others.
    public var location: String
    /// Size in bytes; nil if not known, as for an address.
    public var byteCount: Int?
    /// Modification time in nanoseconds since 1970; nil for inputs that are not files.
    public var modified: Int64?
    /// An address's ETag or Last-Modified, as the server wrote it.
    public var validator: String?
    /// Hash of the bytes; nil until they were read.
    public var digest: ContentDigest?

    /// - Parameters:
    ///   - location: an absolute path, an address without credentials, or `-`.
    ///   - modified: in nanoseconds since 1970.
    ///   - validator: an ETag or Last-Modified.
    public init(
        location: String, byteCount: Int? = nil, modified: Int64? = nil, validator: String? = nil,
        digest: ContentDigest? = nil
    ) {
        self.location = location
        self.byteCount = byteCount
        self.modified = modified
        self.validator = validator
        self.digest = digest
    }

    /// How an output's photo is hashed, to be compared with the photo of a receipt.
    ///
    /// - Parameter done: the output's last `done` receipt; nil if it has none.
    static func hashAlgorithm(after done: Receipt?) -> ContentDigest.Algorithm {
        done?.input.digest?.algorithm ?? .blake3
    }

    /// The file at `path` as it is now; nil if there is none.
    public init?(file path: String) {
        guard let status = try? Stat(path), let real = path.resolvingLinks else { return nil }
        self.init(location: real, byteCount: status.byteCount, modified: status.modified)
    }
}
