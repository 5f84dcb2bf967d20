import Foundation
import SystemPackage

/// An open file, closed when this value's life ends.
///
/// Every call is repeated where a signal interrupts it. Errors are those of the system call.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    /// The descriptor as C functions take it.
    package var number: Int32 { descriptor.rawValue }

    /// Takes over a descriptor that is open.
    package init(owning number: Int32) { descriptor = FileDescriptor(rawValue: number) }

    /// Opens a file. It is never passed on to programs that this one starts.
    ///
    /// - Parameter permissions: of a file that is created, less what the user's umask takes away.
    package init(
        _ path: String, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions = [],
        permissions: FilePermissions = .readWriteByAll
    ) throws(Errno) {
        descriptor = try Errno.typed {
            try FileDescriptor.open(
                path, mode, options: options.union(.closeOnExec),
                permissions: options.contains(.create) ? permissions : nil)
        }
    }

    /// Opens an existing file for reading. Of a pipe it does not wait for a writer.
    package init(reading path: String) throws(Errno) {
        // Regular files do not care about this option.
        try self.init(path, .readOnly, .nonBlocking)
    }

    /// Creates a file that must not exist yet.
    ///
    /// - Parameter permissions: whatever the user's umask says; nil is what it leaves.
    package init(creating path: String, permissions: FilePermissions? = nil) throws(Errno) {
        try self.init(
            path, .writeOnly, [.create, .exclusiveCreate], permissions: permissions ?? .readWriteByAll)
        // Some file systems have no permissions to keep.
        if let permissions { fchmod(number, permissions.rawValue) }
    }

    /// A file without a name in the temporary folder. It is gone with its descriptor, even when the process is
    /// killed.
    package static func anonymous() throws(Errno) -> OpenFile { try anonymous(in: NSTemporaryDirectory()) }

    /// A file without a name in `folder`.
    package static func anonymous(in folder: String) throws(Errno) -> OpenFile {
        let path = folder.appendingPathComponent(
            ".tintype-\(String(UInt64.random(in: .min ... .max), radix: 36))")
        let file = try OpenFile(
            path, .readWrite, [.create, .exclusiveCreate, .noFollow], permissions: .ownerReadWrite)
        guard unlink(path) == 0 else { throw .last }
        return file
    }

    /// The same open file under a number of its own.
    package init(duplicating other: Int32) throws(Errno) {
        let number = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .last }
        self.init(owning: number)
    }

    /// The same file, opened anew: its position is its own. It may be a file without a name.
    package init(reopening other: Int32) throws(Errno) { try self.init(reading: "/proc/self/fd/\(other)") }

    deinit { close(number) }

    package func status() throws(Errno) -> Stat { try descriptor.stat() }

    package func rewind() throws(Errno) {
        _ = try Errno.typed { try descriptor.seek(offset: 0, from: .start) }
    }

    package func truncate(to byteCount: Int) throws(Errno) {
        try Errno.typed { try descriptor.resize(to: Int64(byteCount)) }
    }

    /// Returns once the file is on the disk.
    package func sync() throws(Errno) {
        guard fsync(number) == 0 else { throw .last }
    }

    /// As `sync`, but for the file's times.
    package func syncData() throws(Errno) {
        guard fdatasync(number) == 0 else { throw .last }
    }
}

// MARK: Bytes

extension OpenFile {
    /// The file's first bytes, at most `count` of them.
    package func firstBytes(_ count: Int) throws(Errno) -> [UInt8] { try bytes(at: 0, count: count) }

    /// Up to `count` bytes that start at `offset`; fewer only at the end. The position does not move.
    package func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
        try Errno.typed {
            try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            }
        }
    }

    /// Reads until `buffer` is full or the file ends. The position does not move.
    ///
    /// - Returns: how many bytes there were.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(Errno) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try Errno.typed {
                try descriptor.read(fromAbsoluteOffset: Int64(offset + filled), into: rest)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Writes all of `bytes` where the file's position is.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        _ = try Errno.typed { try descriptor.writeAll(bytes) }
    }

    /// Hands on every byte from the position to the end, a piece at a time.
    package func readAll(_ body: (UnsafeRawBufferPointer) throws(Errno) -> Void) throws(Errno) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try Errno.typed {
                try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
            }
            if count == 0 { return }
            try Errno.typed {
                try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }

    /// Copies everything from this file's position on.
    package func copy(to destination: borrowing OpenFile) throws(Errno) {
        let destination = destination.descriptor
        try readAll { bytes throws(Errno) in _ = try Errno.typed { try destination.writeAll(bytes) } }
    }
}

extension FilePermissions {
    /// What files are created with, before the user's umask has its say.
    package static let readWriteByAll: FilePermissions = [
        .ownerReadWrite, .groupReadWrite, .otherReadWrite,
    ]
}
