import CPNG

/// Whole zlib streams in memory.
enum Zlib {
    /// Nil where the stream is damaged or has more than `limit` bytes inside.
    static func inflate(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        // The size is not known: profiles and texts rarely deflate below a tenth.
        var capacity = min(max(bytes.count * 10, 4096), limit)
        while true {
            if let result = inflate(bytes, capacity: capacity) { return result }
            guard capacity < limit else { return nil }
            capacity = min(capacity * 8, limit)
        }
    }

    private static func inflate(_ bytes: ArraySlice<UInt8>, capacity: Int) -> [UInt8]? {
        var count = -1
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            count = bytes.withUnsafeBufferPointer {
                CPNGInflate($0.baseAddress, $0.count, buffer.baseAddress, capacity)
            }
            initialized = max(count, 0)
        }
        return count >= 0 ? result : nil
    }

    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = CPNGDeflateBound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            let count = CPNGDeflate(bytes, bytes.count, buffer.baseAddress, capacity)
            precondition(count >= 0, "zlib's bound is enough room")
            initialized = count
        }
    }
}
