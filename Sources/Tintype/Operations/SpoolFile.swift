import Foundation

/// The bytes of an image in a file without a name. The file is gone with its last reference.
package final class SpoolFile: Sendable {
    package let descriptor: Descriptor
    package let byteCount: Int

    /// Takes a file over; nothing may be written to it any more.
    package init(_ descriptor: consuming Descriptor) throws(PhotoError) {
        do throws(SystemError) {
            byteCount = Int(try descriptor.status().st_size)
        } catch {
            throw PhotoError(error, path: "a temporary file")
        }
        self.descriptor = descriptor
    }

    package convenience init(bytes: [UInt8]) throws(PhotoError) {
        let file = try Self.makeFile()
        do throws(SystemError) {
            try write(bytes, to: file)
        } catch {
            throw .writing("a temporary file", error)
        }
        try self.init(file)
    }

    /// An empty file, to be filled and then taken over.
    package static func makeFile() throws(PhotoError) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor.anonymous()
        } catch {
            throw .writing("a temporary file", error)
        }
    }

    package func bytes() throws(PhotoError) -> [UInt8] {
        do {
            return try Self.bytes(of: descriptor, limit: .max)
        } catch {
            throw PhotoError(error, path: "a temporary file")
        }
    }

    /// - Throws: `SystemError`; `PhotoError.resourceLimit` where the file has more than `limit` bytes.
    static func bytes(of file: borrowing Descriptor, limit: Int) throws -> [UInt8] {
        let count = Int(try file.status().st_size)
        guard count <= limit else {
            throw PhotoError.resourceLimit(
                "the image has \(count) bytes, more than the \(limit) that fit in memory here.")
        }
        return try file.firstBytes(count)
    }
}

private func write(_ bytes: [UInt8], to file: borrowing Descriptor) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            throw SystemError(call: "write")
        }
    }
}
