import Tintype
import TintypeLocking

/// Files that pages have sent for filters, such as tables of colours. They are in memory until the gallery ends, and never on the
/// disk.
final class Uploads: Sendable {
    /// The most bytes of a file: a table of 65 points a side as a text has 8 MB.
    static let fileLimit = 32 << 20
    /// The most bytes of all.
    static let byteLimit = 64 << 20
    /// The most files.
    static let countLimit = 100

    /// What all paths begin with. No folder of this name is ever read.
    private static let folder = "uploaded/"
    private static let longestName = 100

    private let files = Locked<[String: [UInt8]]>([:])

    /// The files' contents, by path.
    var contents: [String: [UInt8]] { files.withLock { $0 } }

    /// A path for a file. A file of the same contents has it already.
    ///
    /// - Parameters:
    ///   - name: as the user's system has it; only letters and digits of ASCII, points and dashes are kept.
    ///   - taken: paths that other files have.
    /// - Throws: `GalleryError` if it is no name of a table or a picture.
    func path(for name: String, _ bytes: [UInt8], taken: Set<String>) throws -> String {
        let kept = name.split { "/\\".contains($0) }.last.map { part in
            String(part.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
        }
        let file = FileName(kept ?? "")
        guard let kind = file.fileExtension?.lowercased(), Self.kinds.contains(kind), !file.stem.isEmpty
        else {
            throw GalleryError.noFilterFile(name)
        }
        let stem = String(file.stem.prefix(Self.longestName))
        return files.withLock { files in
            let numbered = (1...).lazy.map { "\(Self.folder)\(stem)\($0 == 1 ? "" : "-\($0)").\(kind)" }
            return numbered.first { files[$0].map { $0 == bytes } ?? !taken.contains($0) } ?? ""
        }
    }

    /// Those that filters read.
    private static let kinds: Set = ["cube", "png", "webp", "jpg", "jpeg"]

    /// - Throws: `GalleryError` if there is no space for it.
    func add(_ bytes: [UInt8], at path: String) throws {
        try files.withLock { files in
            var changed = files
            changed[path] = bytes
            let byteCount = changed.values.reduce(0) { $0 + $1.count }
            guard changed.count <= Self.countLimit, byteCount <= Self.byteLimit else {
                throw GalleryError.tooManyUploads
            }
            files = changed
        }
    }
}

/// A page's file for filters.
extension Gallery {
    /// Takes a table of colours or a picture, which filters can have from then on.
    ///
    /// - Throws: `GalleryError`, `FilterError` if it is neither.
    func upload(_ bytes: [UInt8], named name: String) async throws -> GalleryMessage.FileMessage {
        try await threads.runIfActive { [self] in
            let taken = Set(filterFiles.withLock { $0.map(\.path) })
            let path = try uploads.path(for: name, bytes, taken: taken)
            let file = GalleryMessage.FileMessage(path)
            let test = file.isTable ? "lut:file=\(path)" : "watermark:file=\(path)"
            _ = try FilterChain(parsing: [test], reading: files.adding(contents: [path: bytes]))
            try uploads.add(bytes, at: path)
            filterFiles.withLock { files in
                if !files.contains(where: { $0.path.exact == path.exact }) { files.append(file) }
            }
            return file
        }
    }
}
