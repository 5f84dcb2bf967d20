import Foundation

/// The measurements that are repeated in rounds.
extension Benchmark {
    /// One measurement of a round.
    private enum Step {
        case floor(CodecFloor, BenchmarkPhoto)
        case alone(PhotoPass, Samples.Case, BenchmarkPhoto)
        case together(PhotoPass, Samples.Case, BenchmarkPhoto)
        case fewer(PhotoPass, Samples.Case, BenchmarkPhoto, jobs: Int)

        var megapixels: Double {
            switch self {
            case .floor(_, let photo), .alone(_, _, let photo), .together(_, _, let photo),
                .fewer(_, _, let photo, _):
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
        let largest = settings.photos.max { $0.megapixels < $1.megapixels }?.name
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
                    if settings.measuresScaling, photo.name == largest {
                        steps += settings.fewerJobs.map { .fewer(pass, key, photo, jobs: $0) }
                    }
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
            let speed = try measure(photo) { try floor.run(photo, into: $0) }
            samples.floors[floor, default: [:]][photo.name, default: [:]][round] = speed
        case .alone(let pass, let key, _):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(key.device), \(key.photo)", share)
                let times = try pass.run(
                    into: files[0], profiles: true, isCancelled: hooks.isCancelled)
                samples.passes[key, default: []].append(times)
            }
        case .together(let pass, let key, let photo):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(key.device), \(key.photo)", share)
                let isCancelled = hooks.isCancelled
                samples.endToEnd[key, default: [:]][round] = try measure(photo) { file in
                    _ = try pass.run(into: file, isCancelled: isCancelled)
                }
            }
        case .fewer(let pass, let key, let photo, let jobs):
            try withDevice(key) {
                try tell("\(count): \(key.chain) on \(key.device), \(key.photo), \(jobs) at once", share)
                let isCancelled = hooks.isCancelled
                let speed = try measure(photo, jobs: jobs) { file in
                    _ = try pass.run(into: file, isCancelled: isCancelled)
                }
                samples.byJobs[key, default: [:]][jobs, default: []].append(speed)
            }
        }
    }

    /// - Parameter jobs: the number of workers; nil takes the setting.
    /// - Returns: MP/s of all workers together.
    func measure(
        _ photo: BenchmarkPhoto, jobs: Int? = nil, _ body: @escaping @Sendable (MemoryFile) throws -> Void
    ) throws -> Double {
        // A run of one small photo would mostly measure the start of threads.
        let repeats = settings.isQuick ? 1 : max(1, Int((8 / photo.megapixels).rounded()))
        let files = Array(files.prefix(jobs ?? files.count))
        let seconds = try Workers.run(files.count) { worker in
            for _ in 0..<repeats { try body(files[worker]) }
        }
        return photo.megapixels * Double(files.count * repeats) / seconds
    }
}
