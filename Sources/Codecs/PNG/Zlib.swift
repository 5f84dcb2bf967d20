import CPNG

/// Whole zlib streams in memory.
enum Zlib {
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = cpng_deflate_bound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            let count = cpng_deflate(bytes, bytes.count, buffer.baseAddress, capacity)
            precondition(count >= 0, "zlib's bound is enough room")
            initialized = count
        }
    }
}

/// How many bytes a photo's metadata may still become when it is inflated: a kilobyte can become a megabyte.
///
/// All that is inflated counts, also what turns out damaged or too large, so that work and memory depend on
/// the budget and not on how many streams there are.
struct InflationBudget {
    enum Failure: Error {
        case damaged
        /// The stream has more bytes than are left; nothing is left afterwards.
        case exceeded
    }

    private(set) var byteCount: Int

    init(byteCount: Int) { self.byteCount = byteCount }

    /// Inflates a zlib stream twice: to learn its size, which nothing says, then into memory of that size.
    mutating func inflate(_ bytes: ArraySlice<UInt8>) throws(Failure) -> [UInt8] {
        var count = 0
        let isWhole = bytes.withUnsafeBufferPointer {
            cpng_inflate($0.baseAddress, $0.count, nil, byteCount, &count)
        }
        let isExceeded = !isWhole && count == byteCount
        byteCount -= count
        guard isWhole else { throw isExceeded ? .exceeded : .damaged }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            _ = bytes.withUnsafeBufferPointer {
                cpng_inflate($0.baseAddress, $0.count, buffer.baseAddress, count, &initialized)
            }
        }
    }
}
