extension Benchmark {
    /// What was measured so far.
    ///
    /// - Parameters:
    ///   - date: of the run, ISO 8601.
    ///   - commit: what the tool was built from.
    package func report(version: String, commit: String, date: String, machine: Machine) -> BenchmarkReport {
        var results: [BenchmarkReport.ResultEntry] = []
        for photo in settings.photos {
            for chain in settings.chains {
                for device in devices where device.status == .ok {
                    let key = Samples.Case(device: device.device, chain: chain.name, photo: photo.name)
                    if let result = samples.result(key, megapixels: photo.megapixels) {
                        results.append(result)
                    }
                }
            }
        }
        return BenchmarkReport(
            version: version, commit: commit, date: date, machine: machine, jobs: settings.jobs,
            rounds: roundCount, seconds: start.duration(to: .now) / .seconds(1), isComplete: isComplete,
            devices: devices, photos: settings.photos.map(BenchmarkReport.PhotoEntry.init), floors: floors(),
            startups: startups, results: results, breakEvens: [], leftOut: leftOut
        )
        .withBreakEvens()
    }

    private func floors() -> [BenchmarkReport.FloorEntry] {
        settings.photos.flatMap { photo in
            CodecFloor.allCases.compactMap { floor in
                samples.floors[Samples.FloorCase(floor: floor, photo: photo.name)]
                    .flatMap { Spread(Array($0.values)) }
                    .map { .init(floor: floor, photo: photo.name, megapixelsPerSecond: $0) }
            }
        }
    }

    /// In the order of the results.
    private var leftOut: [BenchmarkReport.LeftOutEntry] {
        settings.photos.flatMap { photo in
            settings.chains.flatMap { chain in
                devices.compactMap { device in
                    let key = Samples.Case(device: device.device, chain: chain.name, photo: photo.name)
                    return patience.leftOut.contains(key)
                        ? .init(device: key.device, chain: key.chain, photo: key.photo) : nil
                }
            }
        }
    }
}
