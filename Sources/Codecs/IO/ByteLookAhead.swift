import SystemPackage
import TintypeImaging

/// Reads bytes ahead of a `ByteInput`'s read position, without moving it.
struct ByteLookAhead {
    enum Source {
        case memory([UInt8])
        /// A file's descriptor, read with explicit offsets.
        case file(Int32)
        /// Cannot seek: bytes stay in the input's memory until they are read.
        case stream(ByteInput)
    }

    private let source: Source
    /// The read position in the memory or the file.
    private let start: Int
    /// Bytes from the read position to the end; nil for a stream.
    let byteCount: Int?
    /// The bytes that were last read from a file, and their offset from the read position.
    private var window: (offset: Int, bytes: [UInt8]) = (0, [])

    /// Large enough for the headers of several small chunks, small enough to be cheap if only one is used.
    private static let windowByteCount = 1 << 10

    init(_ source: Source, start: Int, byteCount: Int?) {
        self.source = source
        self.start = start
        self.byteCount = byteCount
    }

    /// `count` bytes at `offset` from the read position; fewer at the end.
    mutating func bytes(at offset: Int, count: Int) throws(CodecError) -> ArraySlice<UInt8> {
        switch source {
        case .memory(let bytes):
            return bytes.dropFirst(start + offset).prefix(count)
        case .stream(let input):
            return try input.peek(at: offset, count)
        case .file(let descriptor):
            let end = window.offset + window.bytes.count
            if offset < window.offset || offset + count > end {
                window = (offset, try read(descriptor, at: offset, count: max(count, Self.windowByteCount)))
            }
            return window.bytes.dropFirst(offset - window.offset).prefix(count)
        }
    }

    private func read(_ descriptor: Int32, at offset: Int, count: Int) throws(CodecError) -> [UInt8] {
        let file = FileDescriptor(rawValue: descriptor)
        do {
            return try PhotoPhase.read.measure {
                try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                    while initialized < count {
                        let rest = UnsafeMutableRawBufferPointer(
                            rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
                        let got = try file.read(
                            fromAbsoluteOffset: Int64(start + offset + initialized), into: rest)
                        if got == 0 { break }
                        initialized += got
                    }
                }
            }
        } catch {
            throw .readFailed(error as? Errno ?? .ioError)
        }
    }
}
