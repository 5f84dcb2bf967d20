import SystemPackage

/// A file's size, modification time and hash.
public struct FileFingerprint: Hashable, Sendable {
    public var byteCount: Int
    /// Modification time in nanoseconds since 1970.
    public var modified: Int64
    public var digest: ContentDigest

    /// - Parameter modified: in nanoseconds since 1970.
    public init(byteCount: Int, modified: Int64, digest: ContentDigest) {
        self.byteCount = byteCount
        self.modified = modified
        self.digest = digest
    }

    /// The fingerprint of a file that was hashed while it was written.
    package init(_ file: borrowing OpenFile, digest: ContentDigest) throws(Errno) {
        let status = try file.status()
        self.init(byteCount: status.byteCount, modified: status.modified, digest: digest)
    }
}
