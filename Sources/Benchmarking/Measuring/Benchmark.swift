import Dispatch
import Foundation
import Tintype

/// Compares the bytes of devices with the CPU's, then measures their speed.
///
/// A round measures every case once. Each round begins with another case, so that a machine that slows down
/// does not always slow down the same device.
package final class Benchmark {
    /// Callbacks of the benchmark.
    package struct Hooks {
        /// What is being measured, and the share of the run that is done, 0...1.
        package var progress: (_ activity: String, _ share: Double) -> Void = { _, _ in }
        package var isCancelled: @Sendable () -> Bool = { false }
        /// Seconds that the first photo of a new process takes; nil if it is not measured. An error is the device's.
        package var startup: (_ device: String, _ chain: String) throws -> (cold: Double, warm: Double)? = {
            _, _ in nil
        }

        package init() {}
    }

    let settings: BenchmarkSettings
    let hooks: Hooks
    private(set) var devices: [BenchmarkReport.DeviceEntry]
    var labels: DeviceLabels { DeviceLabels(devices) }
    var samples = Samples()
    private(set) var startups: [BenchmarkReport.StartupEntry] = []
    private(set) var patience: Patience
    var roundCount = 0
    var isComplete = false
    /// One output file for each worker, which is reused for every photo.
    let files: [MemoryFile]
    let start = ContinuousClock.now
    let processorTime = ProcessorTime()
    let energyMeter: EnergyMeter
    /// Nil before it.
    private(set) var warmup: (seconds: Double, change: Double)?

    /// - Throws: `BenchmarkError.noMemoryFile`.
    package init(_ settings: BenchmarkSettings, hooks: Hooks = Hooks()) throws {
        self.settings = settings
        patience = Patience(secondsLimit: settings.secondsLimit)
        self.hooks = hooks
        energyMeter = EnergyMeter(settings.devices.map(\.info))
        devices = settings.devices.map { BenchmarkReport.DeviceEntry($0.info) }
        let capacity = settings.photos.map(CodecFloor.capacity).max() ?? 0
        files = try (0..<settings.jobs).map { _ in try MemoryFile(capacity: capacity) }
    }

    /// Measures until all rounds are done, time is up, or `isCancelled` returns true.
    ///
    /// - Throws: `CodecError` or `BenchmarkError` if the floor cannot be measured. Errors of devices are in
    ///   the report.
    package func run() throws {
        do {
            try check()
            for index in devices.indices where devices[index].status == .ok { try prepare(index) }
            try startWorkers()
            try warmUp()
            try measureRounds()
        } catch is CancellationError {}
    }

    // MARK: Before the first round

    /// Compares every device's bytes with the SIMD baseline's, for each chain and photo.
    private func check() throws {
        for photo in settings.photos {
            let decoded = try DeviceCheck.decode(photo)
            for chain in settings.chains {
                let check = try DeviceCheck(chain.chain, jpeg: photo.jpeg, decoded: decoded)
                for index in devices.indices where !devices[index].isOut {
                    let label = labels[devices[index].device]
                    try tell("checking \(chain.name) on \(label), \(photo.name)", 0)
                    let key = Samples.Case(
                        device: devices[index].device, chain: chain.name, photo: photo.name)
                    if patience.leavesOut(key, megapixels: photo.megapixels) { continue }
                    attempt(index) { try run(check, key, on: index, photo) }
                }
            }
        }
        for index in devices.indices where !devices[index].isOut { devices[index].status = .ok }
    }

    private func run(_ check: DeviceCheck, _ key: Samples.Case, on index: Int, _ photo: BenchmarkPhoto) throws
    {
        let device = settings.devices[index]
        // Compile all programs before the measured time begins.
        if !patience.knows(key) { try device.selfTest(check.plan) }
        let time = try ContinuousClock().measure {
            try check.run(on: device, isCancelled: hooks.isCancelled)
        }
        patience.learn(key, megapixels: photo.megapixels, seconds: time / .seconds(1))
        devices[index].checkedCount += 1
    }

    /// Measures what needs no rounds: how fast a device copies memory, and the first photo of a process.
    private func prepare(_ index: Int) throws {
        let device = settings.devices[index]
        let identifier = device.info.identifier
        // The CPU's memory is the same at every level.
        let measured = devices.first { !$0.isOpenCL && $0.copyGigabytesPerSecond != nil }?.device
        if let measured, device.info.kind == .simd {
            samples.copyBandwidth[identifier] = samples.copyBandwidth[measured]
        } else {
            try tell("copying memory on \(identifier)", 0)
            // A device may have no room for this and the next copies, and filter all the same.
            samples.copyBandwidth[identifier] = try? CopyBandwidth.measure(
                device, byteCount: settings.copyByteCount, count: settings.copyCount)
        }
        try tell("copying to and from \(identifier)", 0)
        devices[index].transfers = try? TransferSpeeds.measure(
            device, byteCount: settings.copyByteCount, count: settings.copyCount)
        devices[index].copyGigabytesPerSecond = samples.copyBandwidth[identifier].map { $0 / 1e9 }
        guard device.info.kind != .simd else { return }
        for chain in settings.isQuick ? Array(settings.chains.prefix(1)) : settings.chains {
            try tell("starting \(chain.name) on \(identifier)", 0)
            attempt(index) {
                guard let (cold, warm) = try hooks.startup(identifier, chain.name) else { return }
                startups.append(
                    .init(device: identifier, chain: chain.name, coldSeconds: cold, warmSeconds: warm))
            }
        }
    }

    /// Filters a small photo with all workers on each OpenCL device, which makes a queue and memory for each photo that it has at
    /// once: that is no part of a photo's time.
    private func startWorkers() throws {
        guard let photo = settings.photos.min(by: { $0.megapixels < $1.megapixels }),
            let chain = settings.chains.first
        else { return }
        let files = files, isCancelled = hooks.isCancelled
        for device in settings.devices where device.info.kind != .simd {
            let identifier = device.info.identifier
            let key = Samples.Case(device: identifier, chain: chain.name, photo: photo.name)
            if patience.leftOut.contains(key) { continue }
            let pass = PhotoPass(
                jpeg: photo.jpeg, chain: chain.chain, device: device, jpegCodec: settings.jpegCodec)
            try withDevice(key) {
                try tell("starting all workers on \(identifier)", 0)
                try Workers.run(files.count) { worker in
                    _ = try pass.run(into: files[worker], isCancelled: isCancelled)
                }
            }
        }
    }

    /// Works until the processors' speed has settled: the codec alone, with all workers.
    private func warmUp() throws {
        guard let photo = settings.photos.first else { return }
        warmup = try Warmup(secondsLimit: settings.isQuick ? 1 : 5).run {
            try tell("warming up", 0)
            return try measure(photo) { try CodecFloor.core.run(photo, into: $0) }
        }
    }

    // MARK: Failures

    func withDevice(_ key: Samples.Case, _ body: () throws -> Void) throws {
        guard let index = devices.firstIndex(where: { $0.device == key.device }), !devices[index].isOut else {
            return
        }
        attempt(index, body)
        if hooks.isCancelled() { throw CancellationError() }
    }

    /// Calls `body`. If it throws, the device is not measured any more; the others are.
    private func attempt(_ index: Int, _ body: () throws -> Void) {
        do {
            try body()
        } catch is CancellationError {
        } catch {
            devices[index].status = error is DeviceCheck.Difference ? .wrong : .failed
            devices[index].error = "\(error)"
        }
    }

    func tell(_ activity: String, _ share: Double) throws {
        if hooks.isCancelled() { throw CancellationError() }
        hooks.progress(activity, min(share, 1))
    }
}
