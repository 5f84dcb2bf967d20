import Foundation
import SystemPackage
import TintypeImaging

/// A photo could not be read or written.
///
/// The messages do not contain the file's name; callers that know it prepend it.
public enum CodecError: Error, Hashable, Sendable {
    /// The file is empty.
    case empty
    /// In none of the formats that are read. `looksLike` names the probable kind of file, with its article ("a GIF").
    case notAPhoto(firstBytes: [UInt8], looksLike: String?)
    /// The file ends before the photo does.
    case truncated
    /// The file is damaged. `detail` is the decoder's own text.
    case corrupt(detail: String)
    /// The photo has more pixels than `DecodeLimits.maxPixels`.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The JPEG's scans go over the image more often than `DecodeLimits.maxScans`.
    case tooManyScans(limit: Int)
    /// The data before the pixels is larger than `limit` bytes.
    case tooMuchMetadata(limit: Int)
    /// The photo needs more memory than the limit. `reason` tells why ("an interlaced PNG").
    case needsTooMuchMemory(reason: String, byteCount: Int, limit: Int)
    /// The decoder or the encoder cannot allocate memory.
    case outOfMemory
    /// Valid, but not supported by the decoder or the encoder.
    case unsupported(detail: String)
    /// The format's library is missing on this machine. `package` is Debian's.
    case needsLibrary(format: PhotoFormat, package: String)
    /// The compressed image cannot be kept in a file of another format, or had back from it. Its pixels can be encoded again.
    case imageNotKept(format: PhotoFormat, detail: String)
    /// The file would have more bytes than it may have: at any quality, or without loss.
    case largerThanAllowed(limit: Int, format: PhotoFormat, isLossless: Bool = false)
    /// The file cannot be read.
    case readFailed(Errno)
    /// The output cannot be written.
    case writeFailed(Errno)
}

extension CodecError {
    /// Whether the file has lost bytes, and possibly pixels.
    package var isDamage: Bool {
        switch self {
        case .truncated, .corrupt: true
        default: false
        }
    }
}

extension CodecError: AdvisedError {
    public var problem: String {
        switch self {
        case .empty:
            "The file is empty; fetch or copy it again."
        case .notAPhoto(_, .some(let name)):
            "This is not a \(PhotoFormat.names("or")): it looks like \(name). Convert it first."
        case .notAPhoto(let bytes, nil):
            "This is not a \(PhotoFormat.names("or")): it begins with "
                + bytes.prefix(8).map(\.hexadecimal).joined(separator: " ") + "."
        case .truncated:
            "The file is cut off: it ends before the photo does. Fetch or copy it again."
        case .corrupt(let detail):
            "The file is damaged (\(detail)). Fetch or copy it again."
        case .tooManyPixels(let width, let height, let limit):
            "The photo has \(width) x \(height) pixels, more than the limit of \(limit)."
        case .tooManyScans(let limit):
            "The JPEG's scans cover the image more than \(limit) times; such files are made to waste time."
        case .tooMuchMetadata(let limit):
            "The photo's metadata has more than \(limit.mebibytes) MiB; such files are made to waste memory."
        case .needsTooMuchMemory(let reason, let byteCount, let limit):
            "The photo needs \(byteCount.mebibytes) MiB of memory at once because it is \(reason), "
                + "more than the limit of \(limit.mebibytes) MiB for one photo."
        case .outOfMemory:
            "There is not enough memory for this photo; use fewer workers."
        case .unsupported(let detail):
            "The photo is of a kind that is not supported: \(detail)."
        case .needsLibrary(let format, let package):
            "\(format.name) needs a library that this machine does not have. Install it: apt install \(package)."
        case .imageNotKept(let format, let detail):
            "The image cannot be kept as it is in \(format.nameWithArticle) (\(detail)); "
                + "with a quality, its pixels are encoded again."
        case .largerThanAllowed(let limit, _, isLossless: true):
            "The output would have more than \(limit) bytes without loss. Allow loss, or make it smaller."
        case .largerThanAllowed(let limit, let format, _) where format.codec.hasQuality:
            "The output would have more than \(limit) bytes at any quality. Make it smaller, as with the filter resize."
        case .largerThanAllowed(let limit, let format, _):
            "The output would have more than \(limit) bytes, and \(format.nameWithArticle) has no quality. "
                + "Make it smaller, or choose another format."
        case .readFailed(let error):
            "Reading failed: \(error)."
        case .writeFailed(let error):
            "Writing failed: \(error). Check the disk's free space and permissions."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .tooManyPixels: Wording.raisePixels.text
        case .tooManyScans: Wording.raiseScans.text
        case .needsTooMuchMemory: Wording.raisePhotoMemory.text
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }
}
