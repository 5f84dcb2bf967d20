import SystemPackage

/// Reads bytes from a descriptor or from memory, and counts lines.
///
/// A descriptor is read through one buffer, whatever the file's size.
final class ByteCursor {
    /// Line of the byte that `peek` shows, from 1.
    private(set) var line = 1

    private var buffer: [UInt8]
    private var position = 0
    private var end: Int
    private let descriptor: FileDescriptor?

    /// The most bytes of `lookAhead`, from which a list's format is detected.
    static let bufferByteCount = 64 << 10

    init(_ bytes: [UInt8]) {
        buffer = bytes
        end = bytes.count
        descriptor = nil
    }

    /// - Parameter descriptor: owned by the caller, and stays open.
    init(reading descriptor: FileDescriptor) {
        buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
        end = 0
        self.descriptor = descriptor
    }

    /// The next byte, without consuming it; nil at the end.
    func peek() throws(ListError) -> UInt8? {
        if position == end, try !refill() { return nil }
        return buffer[position]
    }

    /// The next byte; nil at the end.
    func next() throws(ListError) -> UInt8? {
        if position == end, try !refill() { return nil }
        let byte = buffer[position]
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    /// Consumes the next byte if it is `byte`.
    func take(_ byte: UInt8) throws(ListError) -> Bool {
        guard try peek() == byte else { return false }
        _ = try next()
        return true
    }

    /// Consumes `text` if it is next, and nothing otherwise.
    func take(_ text: StaticString) throws(ListError) -> Bool {
        let count = text.utf8CodeUnitCount
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: count)
        guard try lookAhead(count).elementsEqual(wanted) else { return false }
        for _ in 0..<count { _ = try next() }
        return true
    }

    /// Up to `count` of the next bytes, at most `bufferByteCount`; fewer only at the end.
    func lookAhead(_ count: Int) throws(ListError) -> ArraySlice<UInt8> {
        while end - position < count, try refill() {}
        return buffer[position..<min(end, position + count)]
    }

    /// Consumes all remaining bytes.
    func rest(limit: Int) throws(ListError) -> [UInt8] {
        var bytes: [UInt8] = []
        repeat {
            bytes += buffer[position..<end]
            position = end
            guard bytes.count <= limit else { throw ListError(.tooLarge(limit: limit)) }
        } while try refill()
        return bytes
    }

    func skipWhitespace() throws(ListError) {
        while let byte = try peek(), byte.isListWhitespace { _ = try next() }
    }

    /// Reads more bytes into the buffer. False at the end, and if the buffer is full of unread bytes.
    private func refill() throws(ListError) -> Bool {
        guard let descriptor else { return false }
        if position > 0 {
            buffer.replaceSubrange(0..<(end - position), with: Array(buffer[position..<end]))
            end -= position
            position = 0
        }
        guard end < buffer.count else { return false }
        let count: Int
        do {
            count = try buffer.withUnsafeMutableBytes {
                try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[end...]))
            }
        } catch {
            throw ListError(.cannotRead(error as? Errno ?? .ioError))
        }
        end += count
        return count > 0
    }
}

extension UInt8 {
    var isListWhitespace: Bool {
        self == 0x20 || (0x09...0x0D).contains(self) && self != 0x0B && self != 0x0C
    }
}

extension [UInt8] {
    /// Limit of an entry, a name or a field: longer than any path, shorter than a buffer.
    static let maxListEntryByteCount = 32 << 10

    mutating func appendListByte(_ byte: UInt8, at position: ListPosition) throws(ListError) {
        guard count < Self.maxListEntryByteCount else {
            throw ListError(.entryTooLong(limit: Self.maxListEntryByteCount), at: position)
        }
        append(byte)
    }

    /// The bytes as text.
    func listText(at position: ListPosition) throws(ListError) -> String {
        guard let text = String(validating: self, as: UTF8.self) else {
            throw ListError(.notUTF8, at: position)
        }
        return text
    }
}
