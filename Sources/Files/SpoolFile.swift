import SystemPackage

/// Bytes in an unnamed file, which disappears with its last reference.
package final class SpoolFile: Sendable {
    package let file: OpenFile
    package let byteCount: Int

    /// Takes ownership of a file. Nothing may be written to it afterwards.
    package init(_ file: consuming OpenFile) throws(Errno) {
        byteCount = try file.status().byteCount
        self.file = file
    }

    package convenience init(bytes: [UInt8]) throws(Errno) {
        let file = try OpenFile.anonymous()
        try file.write(bytes)
        try self.init(file)
    }

    /// Files up to this many bytes are kept in memory, so that they need no temporary folder. Chosen by eye: a JPEG of 24
    /// megapixels has fewer.
    package static let memoryLimit = 16 << 20

    /// Why a pipe could not be copied.
    package enum CopyError: Error {
        case source(Errno)
        case storage(Errno)
    }

    /// Reads `source`, a pipe or a file, to its end.
    package convenience init(copying source: borrowing OpenFile) throws(CopyError) {
        let start: [UInt8]
        do throws(Errno) {
            start = try source.nextBytes(Self.memoryLimit + 1)
        } catch {
            throw .source(error)
        }
        var isSourceBroken = false
        do throws(Errno) {
            let isSmall = start.count <= Self.memoryLimit
            let file = isSmall ? try OpenFile.inMemory() : try OpenFile.anonymous()
            try file.write(start)
            if !isSmall { try Self.copyRest(of: source, to: file, &isSourceBroken) }
            try self.init(file)
        } catch {
            throw isSourceBroken ? .source(error) : .storage(error)
        }
    }

    private static func copyRest(
        of source: borrowing OpenFile, to file: borrowing OpenFile, _ isSourceBroken: inout Bool
    ) throws(Errno) {
        let destination = file.descriptor
        isSourceBroken = true
        try source.readAll { bytes throws(Errno) in
            isSourceBroken = false
            _ = try Errno.typed { try destination.writeAll(bytes) }
            isSourceBroken = true
        }
        isSourceBroken = false
    }

    package func bytes() throws(Errno) -> [UInt8] { try file.firstBytes(byteCount) }
}
