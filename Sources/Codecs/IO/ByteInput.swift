import SystemPackage

/// The bytes of one file, front to back: from memory, or from a descriptor that need not seek.
final class ByteInput {
    /// What went wrong, once `read` has returned -1.
    private(set) var failure: CodecError?
    /// Sees every byte that `read` hands out, in order. What it throws fails the read.
    var onRead: ((UnsafeRawBufferPointer) throws(CodecError) -> Void)?
    /// Bytes that may still be read; nil for any number.
    private var allowance: (left: Int, error: CodecError)?
    /// Bytes that were read under a limit: those before the pixels.
    private(set) var headByteCount = 0

    /// The bytes at hand are those from `position` to `end`: the whole file, or what was read last.
    private var buffer: [UInt8]
    private var position = 0
    private var end: Int
    private let fileDescriptor: Int32?
    private let observer: (any ByteObserver)?

    /// Enough for few system calls, and small beside a strip.
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

    /// Lets the next `byteCount` bytes be read, then fails with `error`.
    func limit(to byteCount: Int, error: CodecError) {
        allowance = (byteCount, error)
    }

    func removeLimit() {
        allowance = nil
    }

    /// Bytes that are still to be read: `count` of them behind the next `offset`, fewer only at the file's
    /// end. All that precede them are then in memory.
    func peek(at offset: Int = 0, _ count: Int) throws(CodecError) -> ArraySlice<UInt8> {
        while end - position < offset + count, try refill() {}
        return buffer[position..<end].dropFirst(offset).prefix(count)
    }

    /// Looks at bytes that are still to be read, however far ahead they are. Neither the limit nor observers
    /// know of it.
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

    /// Puts up to `capacity` bytes into `target`. Returns their count, 0 at the end, -1 for failure.
    func read(into target: UnsafeMutableRawPointer, capacity: Int) -> Int {
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
            // What fills the target anyway need not come through the buffer.
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

    /// Reads on from the descriptor, behind what is still unread. False at the file's end.
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

    /// Reads from the descriptor, whatever the buffer has. 0 at the file's end.
    private func fetch(into target: UnsafeMutableRawBufferPointer) throws(CodecError) -> Int {
        guard let fileDescriptor else { return 0 }
        let count: Int
        do {
            count = try FileDescriptor(rawValue: fileDescriptor).read(into: target)
        } catch {
            throw .readFailed(error as? Errno ?? .ioError)
        }
        if count > 0 { observer?.observe(UnsafeRawBufferPointer(rebasing: target[..<count])) }
        return count
    }

    /// Reads what is left, for `onRead`.
    func passOnRest() throws(CodecError) {
        try withUnsafeTemporaryAllocation(byteCount: Self.bufferByteCount, alignment: 1) {
            (bytes) throws(CodecError) in
            var count: Int
            repeat { count = read(into: bytes.baseAddress!, capacity: bytes.count) } while count > 0
            if count < 0 { throw failure ?? .readFailed(.ioError) }
        }
    }

    /// Reads what is left, so that the observer sees the whole file. Nothing can be read afterwards.
    func readToEnd() throws(CodecError) {
        removeLimit()
        repeat { position = end } while try refill()
    }
}
