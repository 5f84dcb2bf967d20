import CTintypeSharing
import Foundation
import SystemPackage

/// An open file, closed when this value is destroyed.
///
/// Calls interrupted by a signal are repeated. Errors are those of the system call.
package struct OpenFile: ~Copyable, Sendable {
    package let descriptor: FileDescriptor

    /// The descriptor for C functions.
    package var number: Int32 { descriptor.rawValue }

    /// Takes ownership of an open descriptor.
    package init(owning number: Int32) { descriptor = FileDescriptor(rawValue: number) }

    /// Opens a file with `O_CLOEXEC`, so that child processes do not inherit it.
    ///
    /// - Parameter permissions: of a file that is created, before the umask.
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

    /// Opens an existing file for reading. Opening a named pipe does not wait for a writer.
    package init(reading path: String) throws(Errno) {
        // The option has no effect on regular files.
        try self.init(path, .readOnly, .nonBlocking)
    }

    /// Creates a file that must not exist yet.
    ///
    /// - Parameter permissions: set regardless of the umask; nil applies the umask to the default.
    package init(creating path: String, permissions: FilePermissions? = nil) throws(Errno) {
        try self.init(
            path, .writeOnly, [.create, .exclusiveCreate], permissions: permissions ?? .readWriteByAll)
        // Some file systems store no permissions, so a failure is ignored.
        if let permissions { fchmod(number, permissions.rawValue) }
    }

    /// An unnamed file in the temporary folder. It disappears with its descriptor, even if the process is
    /// killed.
    package static func anonymous() throws(Errno) -> OpenFile { try anonymous(in: NSTemporaryDirectory()) }

    /// An unnamed file in `folder`.
    package static func anonymous(in folder: String) throws(Errno) -> OpenFile {
        let path = folder.appendingPathComponent(
            ".tintype-\(String(UInt64.random(in: .min ... .max), radix: 36))")
        let file = try OpenFile(
            path, .readWrite, [.create, .exclusiveCreate, .noFollow], permissions: .ownerReadWrite)
        guard unlink(path) == 0 else { throw .last }
        return file
    }

    /// An unnamed file in memory.
    package static func inMemory() throws(Errno) -> OpenFile {
        let number = csharing_memory_file()
        guard number >= 0 else { throw .last }
        return OpenFile(owning: number)
    }

    /// Duplicates a descriptor; both share one position.
    package init(duplicating other: Int32) throws(Errno) {
        let number = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .last }
        self.init(owning: number)
    }

    /// Opens a descriptor's file again, with a position of its own. The file may be unnamed.
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
        while fsync(number) != 0 { if errno != EINTR { throw .last } }
    }

    /// Like `sync`, but without the file's times.
    package func syncData() throws(Errno) {
        while fdatasync(number) != 0 { if errno != EINTR { throw .last } }
    }
}

// MARK: Bytes

extension OpenFile {
    /// The file's first bytes, at most `count` of them.
    package func firstBytes(_ count: Int) throws(Errno) -> [UInt8] { try bytes(at: 0, count: count) }

    /// Up to `count` bytes starting at `offset`; fewer only at the end. The position does not move.
    package func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
        try Errno.typed {
            try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            }
        }
    }

    /// Reads until `buffer` is full or the file ends. The position does not move.
    ///
    /// - Returns: the number of bytes read.
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

    /// Up to `count` bytes from the position on, which moves; fewer only at the end. Works for pipes, too.
    package func nextBytes(_ count: Int) throws(Errno) -> [UInt8] {
        try Errno.typed {
            try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                    let more = try descriptor.read(into: rest)
                    if more == 0 { break }
                    filled += more
                }
            }
        }
    }

    /// Writes all of `bytes` at the file's position.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        _ = try Errno.typed { try descriptor.writeAll(bytes) }
    }

    /// Passes all bytes from the position to the end to `body`, in chunks.
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

    /// Copies all bytes from this file's position on.
    package func copy(to destination: borrowing OpenFile) throws(Errno) {
        let destination = destination.descriptor
        try readAll { bytes throws(Errno) in _ = try Errno.typed { try destination.writeAll(bytes) } }
    }
}

extension FilePermissions {
    /// The default for new files, before the umask.
    package static let readWriteByAll: FilePermissions = [
        .ownerReadWrite, .groupReadWrite, .otherReadWrite,
    ]
}
