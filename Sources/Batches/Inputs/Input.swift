import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeImaging
import TintypeLists
import TintypePhotos

/// A source of photos, as the user names it.
public enum Input: Hashable, Sendable {
    /// A photo, or a folder of them.
    case path(String)
    /// One photo from standard input.
    case standardInput
    /// A photo to be downloaded over `http` or `https`, or from an S3 bucket.
    case address(URL)
    /// All photos of an S3 bucket below this location.
    case objects(S3Location)

    private enum Exact: Hashable {
        case path(ExactText)
        case standardInput
        case address(URL)
        case objects(S3Location)
    }

    private var exact: Exact {
        switch self {
        case .path(let path): .path(path.exact)
        case .standardInput: .standardInput
        case .address(let url): .address(url)
        case .objects(let location): .objects(location)
        }
    }

    /// Whether both are one source. Paths are compared by bytes.
    public static func == (first: Self, second: Self) -> Bool { first.exact == second.exact }
    public func hash(into hasher: inout Hasher) { hasher.combine(exact) }

    /// The photo or folder at a file's URL, or the photo at another address.
    public init(_ url: URL) { self = url.filePath.map(Input.path) ?? .address(url) }

    /// Parses an argument: `-` is standard input, text with a scheme is an address, anything else a path.
    ///
    /// - Throws: `ListError` for invalid addresses and other schemes.
    public init(_ argument: String) throws(ListError) {
        if argument == "-" {
            self = .standardInput
        } else if S3Location.isLocation(argument) {
            do throws(DownloadError) {
                let location = try S3Location(argument)
                let isPhoto = FileName(location.key.lastPathComponent).looksLikePhoto
                self = location.isFolder || !isPhoto ? .objects(location) : .address(location.url)
            } catch {
                throw ListError(.invalidAddress(argument), at: nil)
            }
        } else if argument.contains("://") || argument.utf8.starts(with: "file:/".utf8) {
            switch try ListLocation.read(argument, at: nil, from: .folder("")) {
            case .file(let path): self = .path(path)
            case .url(let url): self = .address(url)
            }
        } else {
            self = .path(argument)
        }
    }
}

extension InputPhoto {
    /// The photo at an absolute path or an address, as it is now.
    ///
    /// - Parameters:
    ///   - folder: see the property.
    ///   - name: the file's name, whose extension tells an address's format.
    /// - Throws: `Errno`, `ListError` or `PhotoError`.
    init(at location: String, folder: String, name: String) throws {
        if location.utf8.first == UInt8(ascii: "/") {
            let file = try OpenFile(reading: location)
            let status = try file.status()
            guard status.isRegularFile else { throw PhotoError.notARegularFile }
            let format = PhotoFormat.detect(try file.firstBytes(PhotoFormat.detectionByteCount))
            self.init(
                .file(path: location), folder: folder, name: name,
                format: format ?? FileName(name).format ?? .usual, byteCount: status.byteCount,
                identity: .file(FileIdentity(status)))
            return
        }
        guard case .url(let url) = try ListLocation.read(location, at: nil, from: .folder("")) else {
            throw PhotoError.notARegularFile
        }
        self.init(address: url, folder: folder, name: name)
    }

    /// The photo at an address, before it is downloaded.
    init(address url: URL, folder: String, name: String) {
        self.init(
            .address(url), folder: folder, name: name, format: FileName(name).format ?? .usual, byteCount: 0,
            identity: .address(url))
    }
}
