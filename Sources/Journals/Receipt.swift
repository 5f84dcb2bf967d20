import Files
import Foundation
import SystemPackage

/// One line of the journal: what became of one photo.
public struct Receipt: Hashable, Sendable {
    public enum State: String, Decodable, Hashable, Sendable {
        /// The output is whole under its temporary name and about to get its own. Not a final state: a run
        /// that finds it looks at the file to learn whether that happened.
        case publishing
        case done
        case failed
    }

    public var state: State
    /// The output's path below the output folder.
    public var output: String
    public var input: InputIdentity
    /// Everything besides the input that the output's bytes depend on: see `Recipe.canonicalText`.
    public var recipe: String
    /// What was written; nil where it failed.
    public var file: FileFingerprint?
    /// Path of the temporary file below the output folder, while the state is `publishing`.
    public var temporary: String?
    /// Identifier of the device that did it.
    public var device: String?
    /// Why another device had to step in.
    public var fallback: String?
    /// Pixels of the photo as it was read.
    public var pixelCount = 0
    public var seconds = 0.0
    /// When the receipt was written, in seconds since 1970.
    public var time: Double
    /// Why it failed, as a sentence.
    public var error: String?
    /// Written by a later run, which found the output that a killed one had published.
    public var isRecovered = false

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

/// What tells one state of an input from another.
public struct InputIdentity: Hashable, Sendable {
    /// An absolute path, an address without credentials, or `-`.
    public var location: String
    /// Nil where it is not known: an address that has not been asked.
    public var byteCount: Int?
    /// Nanoseconds since 1970; nil for what is no file.
    public var modified: Int64?
    /// An address's ETag or Last-Modified, as the server wrote it.
    public var validator: String?
    /// SHA-256 of the bytes, in hexadecimal; nil before they were read.
    public var sha256: String?

    public init(
        location: String, byteCount: Int? = nil, modified: Int64? = nil, validator: String? = nil,
        sha256: String? = nil
    ) {
        self.location = location
        self.byteCount = byteCount
        self.modified = modified
        self.validator = validator
        self.sha256 = sha256
    }

    /// The file at `path` as it is now; nil where there is none.
    public init?(file path: String) {
        guard let status = try? Stat(path), let real = path.resolvingLinks else { return nil }
        self.init(location: real, byteCount: status.byteCount, modified: status.modified)
    }
}
