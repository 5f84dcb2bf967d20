import CTintypePNG

/// Whole zlib streams in memory.
enum Zlib {
    static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = cpng_deflate_bound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            let count = cpng_deflate(bytes, bytes.count, buffer.baseAddress, capacity)
            precondition(count >= 0, "deflating exceeded its bound")
            initialized = count
        }
    }
}

/// A budget for the inflated bytes of a photo's metadata: a kilobyte can become a megabyte.
///
/// All inflated bytes count, even of streams that are damaged or too large. So work and memory depend on the
/// budget, not on the number of streams.
struct InflationBudget {
    enum Failure: Error {
        case damaged
        /// The stream exceeds the budget, which is then used up.
        case exceeded
    }

    private(set) var byteCount: Int

    init(byteCount: Int) { self.byteCount = byteCount }

    /// Inflates a zlib stream twice: first to find its size, which is not stored, then into memory of that
    /// size.
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
