/// SplitMix64: the same numbers on every run.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// The bytes that `UInt8.random` gives one by one, which takes long without optimisation.
    package mutating func bytes(count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { fill($0) }
        return bytes
    }

    /// Fills memory with these bytes.
    package mutating func fill(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        var offset = 0
        while offset < memory.count {
            start.storeBytes(of: UInt8(truncatingIfNeeded: next()), toByteOffset: offset, as: UInt8.self)
            offset += 1
        }
    }
}
