import Tintype

/// What a benchmark of whole batches, from files to files, measures.
package struct PipelineSettings: Sendable {
    package var devices: [any Device]
    package var chain: BenchmarkChain
    /// Each is filtered equally often.
    package var photos: [BenchmarkPhoto]
    /// The most photos at once; nil chooses for each device.
    package var mostJobs: Int?
    /// The largest number of rounds. Each round measures everything once.
    package var rounds = 3
    /// No measurement starts after this many seconds, except in the first round.
    package var secondsLimit = 100.0
    package var jpegCodec = JPEGCodec.best

    package init(devices: [any Device], chain: BenchmarkChain, photos: [BenchmarkPhoto]) {
        self.devices = devices
        self.chain = chain
        self.photos = photos
    }

    /// The CPU's best level, and every OpenCL device.
    package static func allDevices() -> [any Device] {
        BenchmarkSettings.allDevices().filter { $0.info.kind != .simd || $0.info.identifier == "cpu" }
    }

    /// Numbers of photos at once: powers of two up to the processors. A device that decodes and encodes gets twice as many, because
    /// their workers mostly wait.
    func jobs(on device: any Device) -> [Int] {
        let isCoding = device.abilities.coding != nil && DeviceCodec.auto.includes(device.info.kind)
        let processors = AvailableMachine.current.processorCount
        let most = mostJobs ?? (isCoding ? 2 * processors : processors)
        return sequence(first: 1) { $0 * 2 }.prefix { $0 < most } + [most]
    }
}
