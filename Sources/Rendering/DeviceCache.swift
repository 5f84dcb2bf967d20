import Foundation
import TintypeFiles
import TintypeImaging

/// Program binaries, tunings and speeds of devices, cached on disk, so that a machine compiles each kernel once.
///
/// Each entry is a file: a header line, the full key, a checksum, the value. Damaged files and files with
/// another key or format are ignored. Files are written whole or not at all.
package struct DeviceCache: Sendable {
    /// The cache in `$XDG_CACHE_HOME/tintype` or `~/.cache/tintype`; nil if neither can be made.
    package static let shared = DeviceCache(environment: ProcessInfo.processInfo.environment)

    package enum Kind: String {
        case program, speeds, tuning
    }

    private let folder: PrivateFolder

    package init?(environment: [String: String]) {
        guard let folder = PrivateFolder.cache(environment) else { return nil }
        self.folder = folder
    }

    /// Nil if the folder cannot be made, or belongs to another user: binaries from it are executed.
    package init?(folder: URL) {
        guard let folder = PrivateFolder(folder.path) else { return nil }
        self.folder = folder
    }

    package func value(_ kind: Kind, for key: String) -> [UInt8]? {
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
    package func store(_ value: [UInt8], _ kind: Kind, for key: String) -> Bool {
        let contents = Self.header(kind, key) + Self.bytes(of: value.fnv1a) + value
        do {
            try Data(contents).write(to: file(kind, key), options: .atomic)
            return true
        } catch {
            return false
        }
    }

    private func file(_ kind: Kind, _ key: String) -> URL {
        URL(fileURLWithPath: folder.path(of: "\(String(key.utf8.fnv1a, radix: 16)).\(kind.rawValue)"))
    }

    private static func header(_ kind: Kind, _ key: String) -> [UInt8] {
        Array("tintype \(kind.rawValue) 1\n".utf8) + bytes(of: UInt64(key.utf8.count)) + Array(key.utf8)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }
}
