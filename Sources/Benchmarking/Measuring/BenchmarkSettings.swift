import Tintype

/// What a benchmark measures.
package struct BenchmarkSettings: Sendable {
    package var devices: [any Device]
    package var chains: [BenchmarkChain]
    package var photos: [BenchmarkPhoto]
    /// Photos at once, end to end.
    package var jobs = AvailableMachine.current.processorCount
    /// The most rounds: in each, everything is measured once.
    package var rounds = 5
    /// After this many seconds nothing more is measured, but that the first round is completed.
    package var secondsLimit = 120.0
    /// Short measurements, for tests.
    package var isQuick = false

    package init(devices: [any Device], chains: [BenchmarkChain], photos: [BenchmarkPhoto]) {
        self.devices = devices
        self.chains = chains
        self.photos = photos
    }

    /// Every device of this machine: each level of the CPU's instruction set, and all that OpenCL shows.
    package static func allDevices() -> [any Device] {
        SIMDLevel.supported.map { SIMDDevice(level: $0) }
            + DeviceSelection.all().devices.filter { $0.info.kind != .simd }
    }
}

/// A chain, as the benchmark's tables call it.
package struct BenchmarkChain: Sendable {
    /// As it was written.
    package let name: String
    package let chain: FilterChain

    /// - Parameter text: filters as `--filter` takes them.
    /// - Throws: `FilterError`.
    package init(parsing text: String) throws(FilterError) {
        name = text
        chain = try FilterChain(parsing: [text])
    }

    /// Each filter with its defaults, then a chain that runs fused, and a blur as large as people use it.
    package static let standard: [String] =
        FilterCatalog.all.map { $0.name } + [
            "sepia+noir+sepia:intensity=0.5", "tilt-shift:radius=8,band=0.2,falloff=0.2,transition=mix",
        ]
}
