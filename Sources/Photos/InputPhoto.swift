import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeLists

/// An input photo, and what is known of it before it is decoded.
public struct InputPhoto: Sendable {
    package enum Location: Sendable {
        case file(path: String)
        /// Bytes read from a pipe.
        case spooled(SpoolFile)
        /// Yet to be downloaded.
        case address(URL)

        package var path: String {
            switch self {
            case .file(let path): path
            case .spooled: "-"
            case .address(let url): WebAddress.redacting(url.absoluteString)
            }
        }

        /// The text that a journal knows the photo by: `path`, but see `WebAddress.identity` for an address.
        package var identityText: String {
            if case .address(let url) = self { WebAddress.identity(of: url.absoluteString) } else { path }
        }
    }

    /// When its file was changed, in nanoseconds since 1970; nil for a photo that is no file, or whose file is gone.
    package var modified: Int64? {
        guard case .file(let path) = location else { return nil }
        return (try? Stat(path))?.modified
    }

    /// What tells one photo from another.
    package enum Identity: Hashable, Sendable {
        case file(FileIdentity)
        case address(URL)
    }

    package let location: Location
    /// Detected from the first bytes; for an address, from the name's extension.
    public let format: PhotoFormat
    /// Path of the photo's folder, relative to the input folder; empty for a photo that was given by name.
    public let folder: String
    /// The file's name, without folders.
    public let name: String
    /// Size of the file in bytes; 0 for an address.
    public let byteCount: Int
    package let identity: Identity
    /// The ETag of a listed object; nil if the photo's server has told nothing of it yet.
    package let validator: String?

    package init(
        _ location: Location, folder: String, name: String, format: PhotoFormat, byteCount: Int,
        identity: Identity, validator: String? = nil
    ) {
        self.location = location
        self.folder = folder
        self.name = name
        self.format = format
        self.byteCount = byteCount
        self.identity = identity
        self.validator = validator
    }

    /// The photo's name in messages: its path, its address without secrets, or `-`.
    public var path: String { location.path }

    /// The same photo, once it is known that its content has this format.
    package func having(_ format: PhotoFormat) -> InputPhoto {
        InputPhoto(
            location, folder: folder, name: name, format: format, byteCount: byteCount, identity: identity,
            validator: validator)
    }

    /// Whether the two are one photo, whose address may be signed twice.
    package func isSame(as other: InputPhoto) -> Bool {
        if identity == other.identity { return true }
        guard case .address(let url) = location, case .address(let otherURL) = other.location else {
            return false
        }
        return WebAddress.identity(of: url.absoluteString, keepsTokens: true).exact
            == WebAddress.identity(of: otherURL.absoluteString, keepsTokens: true).exact
    }

    /// Sixteen hexadecimal digits that depend on the photo's canonical path, not on how it was written; of an
    /// address, on its `identityText`.
    package var locationID: String {
        var canonical = CanonicalPaths()
        let text =
            if case .file(let path) = location { canonical.path(of: path) } else { location.identityText }
        return UniqueNames.digits(of: text)
    }

    /// The folder that the file lies in; the current one for standard input.
    package var ownFolder: String {
        guard case .file(let path) = location else { return "." }
        // By bytes, because a slash followed by a combining accent is one character.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(Substring(path.utf8[..<slash]))
    }
}

/// Why a photo or folder cannot be used.
public struct InputFailure: LocalizedError, Sendable {
    /// The name of the photo, folder or list in messages, such as a path or an address without secrets.
    public let path: String
    public let error: PhotoError

    public var errorDescription: String? { "\(path): \(error)" }

    package init(path: String, error: PhotoError) {
        self.path = path
        self.error = error
    }
}
