import Foundation
import Imaging

/// Program binaries and tunings of devices, cached on disk, so that a machine compiles each kernel once.
///
/// Each entry is a file: a header line, the full key, a checksum, the value. Damaged files and files with
/// another key or format are ignored. Files are written whole or not at all.
struct DeviceCache: Sendable {
    /// The cache in `$XDG_CACHE_HOME/tintype` or `~/.cache/tintype`; nil if neither can be made.
    static let shared = DeviceCache(environment: ProcessInfo.processInfo.environment)

    enum Kind: String {
        case program, tuning
    }

    private let folder: URL

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

    /// Nil if the folder cannot be made, or belongs to another user: binaries from it are executed.
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

    func value(_ kind: Kind, for key: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: file(kind, key)) else { return nil }
        let header = Self.header(kind, key)
        guard data.count > header.count + 8, data.prefix(header.count).elementsEqual(header) else {
            return nil
        }
        let stored = data[header.count..<header.count + 8]
        let value = Array(data[(header.count + 8)...])
        return stored.elementsEqual(Self.bytes(of: value.fnv1a)) ? value : nil
    }

    /// - Returns: whether it was written. A failure costs time later, but changes no result.
    @discardableResult
    func store(_ value: [UInt8], _ kind: Kind, for key: String) -> Bool {
        let contents = Self.header(kind, key) + Self.bytes(of: value.fnv1a) + value
        do {
            try Data(contents).write(to: file(kind, key), options: .atomic)
            return true
        } catch {
            return false
        }
    }

    private func file(_ kind: Kind, _ key: String) -> URL {
        folder.appendingPathComponent("\(String(key.utf8.fnv1a, radix: 16)).\(kind.rawValue)")
    }

    private static func header(_ kind: Kind, _ key: String) -> [UInt8] {
        Array("tintype \(kind.rawValue) 1\n".utf8) + bytes(of: UInt64(key.utf8.count)) + Array(key.utf8)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }
}
