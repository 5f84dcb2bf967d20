import Tintype

/// What a benchmark measures.
package struct BenchmarkSettings: Sendable {
    package var devices: [any Device]
    package var chains: [BenchmarkChain]
    package var photos: [BenchmarkPhoto]
    /// The number of photos that are filtered at once, end to end.
    package var jobs = AvailableMachine.current.processorCount
    /// Whether the largest photo is also measured with 1, 2, 4, ... photos at once.
    package var measuresScaling = false
    /// Whether the CPU and all OpenCL devices are also measured with the largest photo, at once.
    package var measuresTogether = false
    /// The largest number of rounds. Each round measures everything once.
    package var rounds = 5
    /// No measurement starts after this many seconds, except in the first round.
    package var secondsLimit = 120.0
    /// What decodes and encodes the photos; the floors are always libjpeg's.
    package var jpegCodec = JPEGCodec.best
    /// Short measurements, for tests.
    package var isQuick = false

    /// Nil without photos.
    var largestPhoto: BenchmarkPhoto? { photos.max { $0.megapixels < $1.megapixels } }

    /// How often memory is copied to measure its speed.
    var copyCount: Int { isQuick ? 3 : 9 }

    /// Bytes of such a copy: more than the caches of usual processors, so that memory is measured and not the cache.
    var copyByteCount: Int { isQuick ? 32 << 20 : 256 << 20 }

    /// Powers of two below `jobs`, which is measured anyway.
    var fewerJobs: [Int] { Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < jobs }) }

    package init(devices: [any Device], chains: [BenchmarkChain], photos: [BenchmarkPhoto]) {
        self.devices = devices
        self.chains = chains
        self.photos = photos
    }

    /// Every device of this machine: each level of the CPU's instruction set, and every OpenCL device.
    package static func allDevices() -> [any Device] {
        SIMDLevel.supported.map { SIMDDevice(level: $0) }
            + DeviceSelection.all().devices.filter { $0.info.kind != .simd }
    }
}

/// A chain, and its name in the benchmark's tables.
package struct BenchmarkChain: Sendable {
    /// The text that the chain was parsed from.
    package let name: String
    package let chain: FilterChain

    /// - Parameter text: filters as `--filter` takes them.
    /// - Throws: `FilterError`.
    package init(parsing text: String) throws(FilterError) {
        name = text
        chain = try FilterChain(parsing: [text])
    }

    /// Filters of each kind, a chain of point filters, which run fused, and a blur of a usual size.
    package static let standard = [
        "sepia", "noir", "tilt-shift", "sepia+noir+sepia:intensity=0.5",
        "tilt-shift:radius=8,band=0.2,falloff=0.2,transition=mix",
    ]
}
