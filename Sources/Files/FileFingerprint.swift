import SystemPackage

/// A file's size, modification time and hash.
public struct FileFingerprint: Hashable, Sendable {
    public var byteCount: Int
    /// Modification time in nanoseconds since 1970.
    public var modified: Int64
    /// SHA-256 of the content, in hexadecimal.
    public var sha256: String

    /// - Parameters:
    ///   - modified: in nanoseconds since 1970.
    ///   - sha256: in hexadecimal.
    public init(byteCount: Int, modified: Int64, sha256: String) {
        self.byteCount = byteCount
        self.modified = modified
        self.sha256 = sha256
    }

    /// The fingerprint of a file that was hashed while it was written.
    package init(_ file: borrowing OpenFile, sha256: String) throws(Errno) {
        let status = try file.status()
        self.init(byteCount: status.byteCount, modified: status.modified, sha256: sha256)
    }
}
