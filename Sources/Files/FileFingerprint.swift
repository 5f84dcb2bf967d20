import SystemPackage

/// A file's size, time and content.
public struct FileFingerprint: Hashable, Sendable {
    public var byteCount: Int
    /// Nanoseconds since 1970.
    public var modified: Int64
    /// In hexadecimal.
    public var sha256: String

    public init(byteCount: Int, modified: Int64, sha256: String) {
        self.byteCount = byteCount
        self.modified = modified
        self.sha256 = sha256
    }

    /// A file that has just been written, whose bytes were hashed on the way.
    package init(_ file: borrowing OpenFile, sha256: String) throws(Errno) {
        let status = try file.status()
        self.init(byteCount: status.byteCount, modified: status.modified, sha256: sha256)
    }
}
