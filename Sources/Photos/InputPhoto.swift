import Download
import Files
import Foundation
import Imaging
import Lists

/// One photo that was found, and what is known before it is decoded.
public struct InputPhoto: Sendable {
    package enum Location: Sendable {
        case file(path: String)
        /// Bytes that came through a pipe.
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
    }

    /// What tells one photo from another.
    package enum Identity: Hashable, Sendable {
        case file(FileIdentity)
        case address(URL)
    }

    package let location: Location
    /// As the first bytes say; of an address, as its name promises.
    public let format: PhotoFormat
    /// Path of the photo's folder below the folder that was given; empty for one that was named itself.
    public let folder: String
    /// The file's name, without folders.
    public let name: String
    /// Size of the file; 0 for an address.
    public let byteCount: Int
    package let identity: Identity

    package init(
        _ location: Location, folder: String, name: String, format: PhotoFormat, byteCount: Int,
        identity: Identity
    ) {
        self.location = location
        self.folder = folder
        self.name = name
        self.format = format
        self.byteCount = byteCount
        self.identity = identity
    }

    /// What messages call the photo: its path, its address without secrets, or `-`.
    public var path: String { location.path }

    /// Eight hexadecimal digits, made from where the photo is and not from how it was named.
    package var locationID: String {
        var canonical = CanonicalPaths()
        let text = if case .file(let path) = location { canonical.path(of: path) } else { path }
        return UniqueNames.digits(of: text)
    }

    /// The folder that the file lies in; the current one for standard input.
    package var ownFolder: String {
        guard case .file(let path) = location, let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// A photo or folder that cannot be used, and why.
public struct InputFailure: LocalizedError, Sendable {
    public let path: String
    public let error: PhotoError

    public var errorDescription: String? { "\(path): \(error)" }

    package init(path: String, error: PhotoError) {
        self.path = path
        self.error = error
    }
}
