import Foundation
import SystemPackage
import TintypeFiles

/// Writes a manifest line by line. It gets its name with the last one.
public struct ManifestWriter: ~Copyable {
    private let path: String
    private let file: OutputFile
    private let hash = ContentHash(.sha256)
    private var pending: [UInt8]
    /// Photos written so far.
    public private(set) var photoCount = 0

    private static let bufferByteCount = 1 << 20

    /// - Throws: `ManifestError`.
    public init(
        at path: String, _ header: ManifestHeader, temporaries: TemporaryFiles = TemporaryFiles()
    ) throws(ManifestError) {
        file = try Self.create(path, temporaries)
        self.path = path
        pending = Array("\(header.jsonText())\n".utf8)
    }

    private static func create(
        _ path: String, _ temporaries: TemporaryFiles
    ) throws(ManifestError) -> OutputFile {
        guard (try? Stat(link: path)) == nil else { throw .exists(path: path) }
        do throws(Errno) {
            return try OutputFile(at: path, temporaries: temporaries)
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    /// Adds a photo.
    public mutating func write(_ photo: ManifestPhoto) throws(ManifestError) {
        try add(photo.line)
        photoCount += 1
    }

    /// Adds the last line, and gives the file its name.
    public consuming func finish() throws(ManifestError) {
        try flush()
        try add(ManifestEnd(photos: photoCount, sha256: hash.digest.hexadecimal).jsonText())
        try flush()
        do throws(Errno) {
            try file.publish(overwrites: false)
        } catch .fileExists {
            throw .exists(path: path)
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    private mutating func add(_ line: String) throws(ManifestError) {
        pending += line.utf8
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= Self.bufferByteCount { try flush() }
    }

    private mutating func flush() throws(ManifestError) {
        pending.withUnsafeBytes(hash.observe)
        do throws(Errno) {
            try file.file.write(pending)
        } catch {
            throw .cannotWrite(path: path, error)
        }
        pending.removeAll(keepingCapacity: true)
    }
}
