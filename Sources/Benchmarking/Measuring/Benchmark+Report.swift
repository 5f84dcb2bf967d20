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
        var report = BenchmarkReport(
            version: version, commit: commit, date: date, machine: machine, jobs: settings.jobs,
            rounds: roundCount, seconds: start.duration(to: .now) / .seconds(1), isComplete: isComplete,
            devices: devices, photos: settings.photos.map(BenchmarkReport.PhotoEntry.init), floors: floors(),
            startups: startups, results: results, breakEvens: [],
            leftOut: cases.map(\.key).filter(patience.leftOut.contains)
        )
        .withBreakEvens()
        report.headlines = report.headlineSentences
        report.scalings = scalings(report)
        report.together = together
        report.energies = energies(of: sound)
        report.conditions = conditions
        return report
    }

    /// With the usual number of photos at once last.
    private func scalings(_ report: BenchmarkReport) -> [BenchmarkReport.ScalingEntry] {
        cases.flatMap { key, _ -> [BenchmarkReport.ScalingEntry] in
            guard let byJobs = samples.byJobs[key],
                let usual = report.result(device: key.device, chain: key.chain, photo: key.photo)
            else { return [] }
            let fewer = byJobs.mapValues { Spread($0) }.compactMapValues(\.self)
            return
                (fewer.sorted { $0.key < $1.key } + [(key: settings.jobs, value: usual.megapixelsPerSecond)])
                .map {
                    .init(
                        device: key.device, chain: key.chain, photo: key.photo, jobs: $0.key,
                        megapixelsPerSecond: $0.value)
                }
        }
    }

    private func energies(of sound: Set<String>) -> [BenchmarkReport.EnergyEntry] {
        let largest = settings.largestPhoto?.name
        return cases.map(\.key).filter { sound.contains($0.device) && $0.photo == largest }.compactMap {
            key in
            guard let energy = samples.energy[key] else { return nil }
            let ofProcessors = energy.processors.joulesPerMegapixel,
                ofDevice = energy.device.joulesPerMegapixel
            guard ofProcessors != nil || ofDevice != nil else { return nil }
            return .init(
                device: key.device, chain: key.chain, photo: key.photo,
                processorsJoulesPerMegapixel: ofProcessors, deviceJoulesPerMegapixel: ofDevice)
        }
    }

    private var together: [BenchmarkReport.TogetherEntry] {
        settings.chains.compactMap { chain in
            guard let measured = samples.together[chain.name], let speed = Spread(measured.speeds) else {
                return nil
            }
            let counts = measured.photoCounts
            let devices = settings.devices.map(\.info.identifier).filter { counts[$0] != nil }
            let sum = Double(counts.values.reduce(0, +))
            return .init(
                devices: devices, chain: chain.name, photo: measured.photo, megapixelsPerSecond: speed,
                shares: devices.map { Double(counts[$0] ?? 0) / sum })
        }
    }

    private var conditions: Conditions {
        Conditions(
            timerSeconds: ClockStep.smallest, shareOfOthers: processorTime?.shareOfOthers,
            warmupSeconds: warmup?.seconds, warmupChange: warmup?.change)
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
