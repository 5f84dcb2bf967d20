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

    /// Reads `source`, a pipe or a file, to its end.
    package convenience init(copying source: borrowing OpenFile) throws(Errno) {
        let file = try OpenFile.anonymous()
        try source.copy(to: file)
        try self.init(file)
    }

    package func bytes() throws(Errno) -> [UInt8] { try file.firstBytes(byteCount) }
}
