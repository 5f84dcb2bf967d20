extension Benchmark {
    /// The figures that were measured so far.
    ///
    /// - Parameters:
    ///   - commit: the commit that the tool was built from.
    ///   - date: the date of the run, ISO 8601.
    package func report(version: String, commit: String, date: String, machine: Machine) -> BenchmarkReport {
        let sound = Set(devices.filter { $0.status == .ok }.map(\.device))
        let results = cases.filter { sound.contains($0.key.device) }.compactMap { key, photo in
            samples.result(key, megapixels: photo.megapixels)
        }
        return BenchmarkReport(
            version: version, commit: commit, date: date, machine: machine, jobs: settings.jobs,
            rounds: roundCount, seconds: start.duration(to: .now) / .seconds(1), isComplete: isComplete,
            devices: devices, photos: settings.photos.map(BenchmarkReport.PhotoEntry.init), floors: floors(),
            startups: startups, results: results, breakEvens: [],
            leftOut: cases.map(\.key).filter(patience.leftOut.contains)
        )
        .withBreakEvens()
    }

    private func floors() -> [BenchmarkReport.FloorEntry] {
        settings.photos.flatMap { photo in
            CodecFloor.allCases.compactMap { floor in
                samples.floors[floor]?[photo.name].flatMap { Spread(Array($0.values)) }
                    .map { .init(floor: floor, photo: photo.name, megapixelsPerSecond: $0) }
            }
        }
    }

    /// Each photo with each chain on each device, in the order of the report.
    private var cases: [(key: Samples.Case, photo: BenchmarkPhoto)] {
        settings.photos.flatMap { photo in
            settings.chains.flatMap { chain in
                devices.map { (.init(device: $0.device, chain: chain.name, photo: photo.name), photo) }
            }
        }
    }
}
