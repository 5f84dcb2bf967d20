import Foundation

/// Drivers' program binaries on disk, so that a kernel is compiled once a machine.
///
/// One file a program: a header line, the full key, a checksum, the binary. A file that is damaged, of
/// another key or not ours is ignored; files are written whole or not at all.
struct ProgramCache: Sendable {
    /// The cache in `$XDG_CACHE_HOME/tintype`, or `~/.cache/tintype`; nil where neither can be made.
    static let shared = ProgramCache(environment: ProcessInfo.processInfo.environment)

    private let folder: URL
    private static let magic = Array("tintype program 1\n".utf8)

    init?(environment: [String: String]) {
        let base: URL
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            base = URL(fileURLWithPath: cache)
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            base = URL(fileURLWithPath: home).appendingPathComponent(".cache")
        } else {
            return nil
        }
        self.init(folder: base.appendingPathComponent("tintype"))
    }

    /// Nil where the folder cannot be made, or belongs to somebody else: its binaries would be run.
    init?(folder: URL) {
        self.folder = folder
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: attributes)
        var status = stat()
        guard stat(folder.path, &status) == 0, status.st_uid == getuid(), status.st_mode & 0o022 == 0 else {
            return nil
        }
    }

    func binary(for key: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: file(for: key)) else { return nil }
        let header = Self.header(for: key)
        guard data.count > header.count + 8, data.prefix(header.count).elementsEqual(header) else {
            return nil
        }
        let stored = data[header.count..<header.count + 8]
        let binary = Array(data[(header.count + 8)...])
        return stored.elementsEqual(Self.bytes(of: Self.hash(binary))) ? binary : nil
    }

    /// A cache that cannot be written costs time, not results: failures are silent.
    func store(_ binary: [UInt8], for key: String) {
        let contents = Self.header(for: key) + Self.bytes(of: Self.hash(binary)) + binary
        try? Data(contents).write(to: file(for: key), options: .atomic)
    }

    private func file(for key: String) -> URL {
        folder.appendingPathComponent(String(Self.hash(key.utf8), radix: 16) + ".program")
    }

    private static func header(for key: String) -> [UInt8] {
        magic + bytes(of: UInt64(key.utf8.count)) + Array(key.utf8)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }

    /// FNV-1a, 64 bits: against accidents; the key itself is compared in full.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
