import Foundation
import Tintype
import TintypeLocking

/// The measurements that are repeated in rounds.
extension Benchmark {
    /// One measurement of a round.
    private enum Step {
        case floor(CodecFloor, BenchmarkPhoto)
        case alone(PhotoPass, Samples.Case, BenchmarkPhoto)
        case together(PhotoPass, Samples.Case, BenchmarkPhoto)
        case fewer(PhotoPass, Samples.Case, BenchmarkPhoto, jobs: Int)
        case allDevices(BenchmarkChain, BenchmarkPhoto)

        var megapixels: Double {
            switch self {
            case .floor(_, let photo), .alone(_, _, let photo), .together(_, _, let photo),
                .fewer(_, _, let photo, _), .allDevices(_, let photo):
                photo.megapixels
            }
        }
    }

    func measureRounds() throws {
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
        let largest = settings.largestPhoto
        for photo in settings.photos {
            steps += CodecFloor.allCases.map { .floor($0, photo) }
            for chain in settings.chains {
                for device in settings.devices {
                    let pass = PhotoPass(
                        jpeg: photo.jpeg, chain: chain.chain, device: device, jpegCodec: settings.jpegCodec)
                    let key = Samples.Case(
                        device: device.info.identifier, chain: chain.name, photo: photo.name)
                    if patience.leftOut.contains(key) { continue }
                    samples.traffic[key] = try pass.trafficByteCount()
                    steps += [.alone(pass, key, photo), .together(pass, key, photo)]
                    if settings.measuresScaling, photo.name == largest?.name {
                        steps += settings.fewerJobs.map { .fewer(pass, key, photo, jobs: $0) }
                    }
                }
            }
        }
        if settings.measuresTogether, let largest {
            steps += settings.chains.map { .allDevices($0, largest) }
        }
        return steps
    }

    /// The CPU's best level and all OpenCL devices that can still be measured; empty if these are fewer than two.
    private func devicesTogether(_ chain: BenchmarkChain, _ photo: BenchmarkPhoto) -> [any Device] {
        let usable = zip(settings.devices, devices).filter { device, entry in
            !entry.isOut
                && !patience.leftOut.contains(
                    .init(device: entry.device, chain: chain.name, photo: photo.name))
        }.map(\.0)
        let best = usable.bestLevel(\.info.identifier)?.info.identifier
        let chosen = usable.filter { $0.info.kind != .simd || $0.info.identifier == best }
        return chosen.count > 1 ? chosen : []
    }

    /// Lets the devices share photos as a batch does.
    private func measureTogether(_ chain: BenchmarkChain, _ photo: BenchmarkPhoto) throws {
        let devices = devicesTogether(chain, photo)
        guard !devices.isEmpty else { return }
        let pool = DevicePool(devices, fallback: nil, checkedShare: 0)
        let jpegCodec = settings.jpegCodec, isCancelled = hooks.isCancelled
        let counts = Locked<[String: Int]>([:]), hasFailed = Locked(false)
        let speed = try measure(photo, jobs: settings.jobs) { file in
            try pool.withDevices { device, _ in
                let pass = PhotoPass(
                    jpeg: photo.jpeg, chain: chain.chain, device: device, jpegCodec: jpegCodec)
                _ = try pass.run(into: file, isCancelled: isCancelled)
                counts.withLock { $0[device.info.identifier, default: 0] += 1 }
            } failed: { _ in
                hasFailed.withLock { $0 = true }
            }
        }
        // The others have done the photos of one that failed, so this is not the speed of all.
        guard !hasFailed.withLock({ $0 }) else { return }
        var entry = samples.together[chain.name] ?? Samples.Together(photo: photo.name)
        entry.speeds.append(speed)
        entry.photoCounts.merge(counts.withLock { $0 }, uniquingKeysWith: +)
        samples.together[chain.name] = entry
    }

    private func run(_ step: Step, round: Int, share: Double) throws {
        let count = "round \(round + 1)"
        switch step {
        case .floor(let floor, let photo):
            try tell("\(count): codec floor (\(floor.rawValue)), \(photo.name)", share)
            let speed = try measure(photo) { try floor.run(photo, into: $0) }
            samples.floors[floor, default: [:]][photo.name, default: [:]][round] = speed
        case .alone(let pass, let key, _):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(labels[key.device]), \(key.photo)", share)
                let times = try pass.run(
                    into: files[0], profiles: true, isCancelled: hooks.isCancelled)
                samples.passes[key, default: []].append(times)
                if let seconds = try pass.residentSeconds(isCancelled: hooks.isCancelled) {
                    samples.residentSeconds[key, default: []].append(seconds)
                }
            }
        case .together(let pass, let key, let photo):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(labels[key.device]), \(key.photo)", share)
                let isCancelled = hooks.isCancelled
                let start = energyMeter.read(for: key.device)
                samples.endToEnd[key, default: [:]][round] = try measure(photo) { file in
                    _ = try pass.run(into: file, isCancelled: isCancelled)
                }
                let joules = energyMeter.joules(from: start, to: energyMeter.read(for: key.device))
                samples.energy[key, default: .init()].add(
                    joules, megapixels: photo.megapixels * Double(files.count * repeats(photo)))
            }
        case .fewer(let pass, let key, let photo, let jobs):
            try withDevice(key) {
                try tell(
                    "\(count): \(key.chain) on \(labels[key.device]), \(key.photo), \(jobs) at once", share)
                let isCancelled = hooks.isCancelled
                let speed = try measure(photo, jobs: jobs) { file in
                    _ = try pass.run(into: file, isCancelled: isCancelled)
                }
                samples.byJobs[key, default: [:]][jobs, default: []].append(speed)
            }
        case .allDevices(let chain, let photo):
            try tell("\(count): \(chain.name) on all devices, \(photo.name)", share)
            do {
                try measureTogether(chain, photo)
            } catch is DeviceError {
            } catch PhotoError.noDeviceLeft {}
            if hooks.isCancelled() { throw CancellationError() }
        }
    }

    /// - Parameter jobs: the number of workers; nil takes the setting.
    /// - Returns: MP/s of all workers together.
    func measure(
        _ photo: BenchmarkPhoto, jobs: Int? = nil, _ body: @escaping @Sendable (MemoryFile) throws -> Void
    ) throws -> Double {
        let repeats = repeats(photo)
        let files = Array(files.prefix(jobs ?? files.count))
        let seconds = try Workers.run(files.count) { worker in
            for _ in 0..<repeats { try body(files[worker]) }
        }
        return photo.megapixels * Double(files.count * repeats) / seconds
    }

    /// How often each worker filters a photo: a run of one small photo would mostly measure the start of threads. Photos of a
    /// few pixels take as long as their files' headers.
    private func repeats(_ photo: BenchmarkPhoto) -> Int {
        settings.isQuick ? 1 : max(1, Int(min(8 / photo.megapixels, 200).rounded()))
    }
}

extension Samples.Energy {
    mutating func add(_ joules: (processors: Double?, device: Double?), megapixels: Double) {
        if let more = joules.processors { processors.add(more, megapixels) }
        if let more = joules.device { device.add(more, megapixels) }
    }
}
