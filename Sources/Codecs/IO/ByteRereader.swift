/// Reads a file a second time, from where a look ahead began. The input's observers get none of that.
final class ByteRereader {
    /// The error, after `read` has returned -1.
    private(set) var failure: CodecError?
    private var bytes: ByteLookAhead
    private var offset = 0

    init(_ bytes: ByteLookAhead) { self.bytes = bytes }

    private static let mostByteCount = 64 << 10

    /// Copies up to `capacity` bytes to `target`. Returns their count, 0 at the end, -1 on failure.
    func read(into target: UnsafeMutableRawPointer, capacity: Int) -> Int {
        do throws(CodecError) {
            let next = try bytes.bytes(at: offset, count: min(capacity, Self.mostByteCount))
            next.withUnsafeBytes { $0.baseAddress.map { target.copyMemory(from: $0, byteCount: next.count) } }
            offset += next.count
            return next.count
        } catch {
            failure = error
            return -1
        }
    }
}
