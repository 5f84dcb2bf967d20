import Compute
import Dispatch
import Foundation
import Imaging

/// Measures devices: first whether they compute what they should, then how fast they are.
///
/// Everything is measured once a round, beginning with something else each time, so that a machine that gets
/// slower does not do so for one device alone.
package final class Benchmark {
    /// What the caller is told, and what it does.
    package struct Hooks {
        /// What is being done, and how much of everything is done (0...1).
        package var progress: (_ activity: String, _ share: Double) -> Void = { _, _ in }
        package var isCancelled: @Sendable () -> Bool = { false }
        /// Seconds that the first photo of a new process takes; nil where that is not to be known.
        package var startup: (_ device: String, _ chain: String) throws -> (cold: Double, warm: Double)? = {
            _, _ in nil
        }

        package init() {}
    }

    let settings: BenchmarkSettings
    private let hooks: Hooks
    private(set) var devices: [BenchmarkReport.DeviceEntry]
    private(set) var samples = Samples()
    private(set) var startups: [BenchmarkReport.StartupEntry] = []
    private(set) var patience: Patience
    private(set) var roundCount = 0
    private(set) var isComplete = false
    private let desks: [Desk]
    let start = ContinuousClock.now

    /// What a worker writes into, photo after photo.
    // @unchecked: one worker at a time uses it.
    private struct Desk: @unchecked Sendable {
        let file: MemoryFile
    }

    /// Something that a round measures.
    private enum Step {
        case floor(CodecFloor, BenchmarkPhoto)
        case alone(PhotoPass, Samples.Case, BenchmarkPhoto)
        case together(PhotoPass, Samples.Case, BenchmarkPhoto)

        var megapixels: Double {
            switch self {
            case .floor(_, let photo), .alone(_, _, let photo), .together(_, _, let photo): photo.megapixels
            }
        }
    }

    /// - Throws: `BenchmarkError.noMemoryFile`.
    package init(_ settings: BenchmarkSettings, hooks: Hooks = Hooks()) throws {
        self.settings = settings
        patience = Patience(secondsLimit: settings.secondsLimit)
        self.hooks = hooks
        devices = settings.devices.map { BenchmarkReport.DeviceEntry($0.info) }
        let capacity = settings.photos.map(CodecFloor.capacity).max() ?? 0
        desks = try (0..<settings.jobs).map { _ in Desk(file: try MemoryFile(capacity: capacity)) }
    }

    /// Measures until everything is done, time is up, or `isCancelled` says so.
    ///
    /// - Throws: `CodecError` or `BenchmarkError` where not even the floor can be measured. What devices throw
    ///   is in the report.
    package func run() throws {
        do {
            try check()
            for index in devices.indices where devices[index].status == .ok { try prepare(index) }
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
                    try tell("checking \(chain.name) on \(devices[index].device), \(photo.name)", 0)
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
        // What has to be compiled is, before the time counts.
        if !patience.knows(key) { try device.selfTest(check.plan) }
        let stopwatch = Stopwatch()
        try stopwatch.measure { try check.run(on: device, isCancelled: hooks.isCancelled) }
        patience.learn(key, megapixels: photo.megapixels, seconds: stopwatch.total / .seconds(1))
        devices[index].checkedCount += 1
    }

    /// What is measured once a device.
    private func prepare(_ index: Int) throws {
        let device = settings.devices[index]
        let identifier = device.info.identifier
        // The CPU's memory is the same at every level.
        let measured = devices.first { !$0.isOpenCL && $0.copyGigabytesPerSecond != nil }?.device
        if let measured, device is SIMDDevice {
            samples.copyBandwidth[identifier] = samples.copyBandwidth[measured]
        } else {
            try tell("copying memory on \(identifier)", 0)
            attempt(index) {
                samples.copyBandwidth[identifier] = try CopyBandwidth.measure(
                    device, rounds: settings.isQuick ? 3 : 9, isQuick: settings.isQuick)
            }
        }
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

    // MARK: Rounds

    private func measureRounds() throws {
        let steps = try steps()
        let pace = Pace(settings, pixels: steps.reduce(0) { $0 + $1.megapixels })
        for round in 0..<settings.rounds {
            roundCount = round + 1
            let first = steps.count * round / settings.rounds
            var pixels = 0.0
            for step in steps[first...] + steps[..<first] {
                if round > 0, pace.isTimeUp { return }
                try run(step, round: round, share: pace.share(rounds: round, pixels: pixels))
                pixels += step.megapixels
            }
            isComplete = true
        }
    }

    private func steps() throws -> [Step] {
        var steps: [Step] = []
        for photo in settings.photos {
            steps += CodecFloor.allCases.map { .floor($0, photo) }
            for chain in settings.chains {
                for device in settings.devices {
                    let pass = PhotoPass(jpeg: photo.jpeg, chain: chain.chain, device: device)
                    let key = Samples.Case(
                        device: device.info.identifier, chain: chain.name, photo: photo.name)
                    if patience.leftOut.contains(key) { continue }
                    samples.traffic[key] = try pass.trafficByteCount()
                    steps += [.alone(pass, key, photo), .together(pass, key, photo)]
                }
            }
        }
        return steps
    }

    private func run(_ step: Step, round: Int, share: Double) throws {
        let count = "round \(round + 1)"
        switch step {
        case .floor(let floor, let photo):
            try tell("\(count): codec floor (\(floor.rawValue)), \(photo.name)", share)
            let speed = try measure(photo) { try floor.run(photo, into: $0.file) }
            samples.floors[Samples.FloorCase(floor, photo: photo.name), default: [:]][round] = speed
        case .alone(let pass, let key, _):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(key.device), \(key.photo)", share)
                let times = try pass.run(into: desks[0].file, isCancelled: hooks.isCancelled)
                samples.passes[key, default: []].append(times)
            }
        case .together(let pass, let key, let photo):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(key.device), \(key.photo)", share)
                let isCancelled = hooks.isCancelled
                samples.endToEnd[key, default: [:]][round] = try measure(photo) { desk in
                    _ = try pass.run(into: desk.file, isCancelled: isCancelled)
                }
            }
        }
    }

    /// - Returns: MP/s of all workers together.
    private func measure(_ photo: BenchmarkPhoto, _ body: @escaping @Sendable (Desk) throws -> Void) throws
        -> Double
    {
        // Short runs would measure threads that start.
        let repeats = settings.isQuick ? 1 : max(1, Int((8 / photo.megapixels).rounded()))
        let desks = desks
        let seconds = try Workers.run(desks.count) { worker in
            for _ in 0..<repeats { try body(desks[worker]) }
        }
        return photo.megapixels * Double(desks.count * repeats) / seconds
    }

    // MARK: Failures

    private func withDevice(_ key: Samples.Case, _ body: () throws -> Void) throws {
        guard let index = devices.firstIndex(where: { $0.device == key.device }), !devices[index].isOut else {
            return
        }
        attempt(index, body)
        if hooks.isCancelled() { throw CancellationError() }
    }

    /// A device that fails is out, and the others go on.
    private func attempt(_ index: Int, _ body: () throws -> Void) {
        do {
            try body()
        } catch is CancellationError {
        } catch {
            devices[index].status = error is DeviceCheck.Difference ? .wrong : .failed
            devices[index].error = "\(error)"
        }
    }

    private func tell(_ activity: String, _ share: Double) throws {
        if hooks.isCancelled() { throw CancellationError() }
        hooks.progress(activity, min(share, 1))
    }
}
