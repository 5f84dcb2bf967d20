import SystemPackage
import TintypeImaging

/// The bytes of one file, front to back, from memory or from a descriptor that may be a pipe.
package final class ByteInput {
    /// The error, after `read` has returned -1.
    package private(set) var failure: CodecError?
    /// Gets every byte that `read` returns, in order. An error that it throws fails the read.
    var onRead: ((UnsafeRawBufferPointer) throws(CodecError) -> Void)?
    /// Bytes that may still be read; nil for no limit.
    private var allowance: (left: Int, error: CodecError)?
    /// Bytes that were read under a limit: the bytes before the pixels.
    private(set) var headByteCount = 0

    /// Unread bytes are from `position` to `end`: of the whole file in memory, or of the last read.
    private var buffer: [UInt8]
    private var position = 0
    private var end: Int
    private let fileDescriptor: Int32?
    private let observer: (any ByteObserver)?

    /// Large enough for few system calls, small compared with a strip.
    private static let bufferByteCount = 64 << 10

    init(bytes: [UInt8]) {
        buffer = bytes
        end = bytes.count
        fileDescriptor = nil
        observer = nil
    }

    init(fileDescriptor: Int32, observer: (any ByteObserver)? = nil) {
        buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
        end = 0
        self.fileDescriptor = fileDescriptor
        self.observer = observer
    }

    /// Fails with `error` after the next `byteCount` bytes.
    func limit(to byteCount: Int, error: CodecError) {
        allowance = (byteCount, error)
    }

    func removeLimit() {
        allowance = nil
    }

    /// Returns `count` unread bytes at `offset` from the read position; fewer only at the file's end. The
    /// bytes up to there stay in memory.
    package func peek(at offset: Int = 0, _ count: Int) throws(CodecError) -> ArraySlice<UInt8> {
        while end - position < offset + count, try refill() {}
        return buffer[position..<end].dropFirst(offset).prefix(count)
    }

    /// A look ahead at unread bytes, at any distance. It does not count towards the limit, and observers do
    /// not get its bytes.
    func lookAhead() -> ByteLookAhead {
        guard let fileDescriptor else {
            return ByteLookAhead(.memory(buffer), start: position, byteCount: end - position)
        }
        let file = FileDescriptor(rawValue: fileDescriptor)
        guard let next = try? file.seek(offset: 0, from: .current), let status = try? file.stat(),
            status.type == .regular
        else { return ByteLookAhead(.stream(self), start: 0, byteCount: nil) }
        let start = Int(next) - (end - position)
        return ByteLookAhead(
            .file(fileDescriptor), start: start, byteCount: max(0, Int(status.size) - start))
    }

    /// Copies up to `capacity` bytes to `target`. Returns their count, 0 at the end, -1 on failure.
    package func read(into target: UnsafeMutableRawPointer, capacity: Int) -> Int {
        do throws(CodecError) {
            let target = UnsafeMutableRawBufferPointer(start: target, count: capacity)
            let count = try take(into: target)
            if count > 0 { try onRead?(UnsafeRawBufferPointer(rebasing: target[..<count])) }
            return count
        } catch {
            failure = error
            return -1
        }
    }

    private func take(into target: UnsafeMutableRawBufferPointer) throws(CodecError) -> Int {
        if position == end {
            // A read that fills the target bypasses the buffer.
            if allowance == nil, target.count >= Self.bufferByteCount { return try fetch(into: target) }
            _ = try refill()
        }
        var count = min(target.count, end - position)
        guard count > 0 else { return 0 }
        if let (left, error) = allowance {
            guard left > 0 else { throw error }
            count = min(count, left)
            allowance = (left - count, error)
            headByteCount += count
        }
        buffer.withUnsafeBytes { target.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
        position += count
        return count
    }

    /// Reads more bytes from the descriptor, after the unread ones. Returns false at the file's end.
    private func refill() throws(CodecError) -> Bool {
        guard fileDescriptor != nil else { return false }
        if position > 0 {
            buffer.replaceSubrange(0..<(end - position), with: Array(buffer[position..<end]))
            end -= position
            position = 0
        }
        if end == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
        let count = try buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(CodecError) in try fetch(into: .init(rebasing: bytes[end...])) }
        }.get()
        end += count
        return count > 0
    }

    /// Reads from the descriptor, bypassing the buffer. Returns 0 at the file's end.
    private func fetch(into target: UnsafeMutableRawBufferPointer) throws(CodecError) -> Int {
        guard let fileDescriptor else { return 0 }
        let count: Int
        do {
            count = try PhotoPhase.read.measure {
                try FileDescriptor(rawValue: fileDescriptor).read(into: target)
            }
        } catch {
            throw .readFailed(error as? Errno ?? .ioError)
        }
        if count > 0, let observer {
            PhotoPhase.hash.measure { observer.observe(UnsafeRawBufferPointer(rebasing: target[..<count])) }
        }
        return count
    }

    /// Reads the remaining bytes, for `onRead`.
    func passOnRest() throws(CodecError) {
        try withUnsafeTemporaryAllocation(byteCount: Self.bufferByteCount, alignment: 1) {
            (bytes) throws(CodecError) in
            var count: Int
            repeat { count = read(into: bytes.baseAddress!, capacity: bytes.count) } while count > 0
            if count < 0 { throw failure ?? .readFailed(.ioError) }
        }
    }

    /// Reads the remaining bytes, so that the observer gets the whole file. Nothing can be read afterwards.
    func readToEnd() throws(CodecError) {
        removeLimit()
        repeat { position = end } while try refill()
    }
}
