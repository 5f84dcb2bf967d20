import Tintype

extension PipelineReport {
    /// The report for a terminal.
    ///
    /// - Parameter width: columns of the terminal. A wider table is split in two.
    package func text(width: Int) -> String {
        func lines(_ sentences: [String]) -> String { TextTable.text(sentences.map { [$0] }, width: width) }
        let errors = devices.compactMap { device in device.error.map { "\(label(device.device)): \($0)\n" } }
        let warnings = lines(conditions?.warnings ?? [])
        return [heading, warnings, errors.joined(), tables(width: width), lines(findings)].filter {
            !$0.isEmpty
        }
        .joined(separator: "\n")
    }

    func label(_ device: String) -> String { DeviceLabels(devices)[device] }

    private var heading: String {
        let names = photos.map {
            $0.isSynthesised ? $0.photo : "\($0.photo) (\(Figures.plain($0.megapixels)) MP)"
        }
        let place = isInMemory ? "\(folder), which is memory: no disk is measured" : folder
        let memory = Figures.short(Double(machine.memoryByteCount) / 0x1p30)
        let run = "\(rounds) rounds in \(Figures.short(seconds)) s" + (isComplete ? "" : ", not complete")
        return """
            tintype \(version) (\(commit)), \(date)
            Machine: \(machine.processor), \(machine.coreCount) cores, \(memory) GiB
            Photos: \(names.joined(separator: ", ")), in \(place)
            Run: \(chain), \(run); times are in ms a photo

            """
    }

    private typealias Column = (head: String, cell: (Row) -> String)

    private func tables(width: Int) -> String {
        let words: [Column] = [("DEVICE", { label($0.device) }), ("JOURNAL", { $0.journal ? "yes" : "no" })]
        let figures: [Column] = [("-j", { "\($0.jobs)" })]
        let speeds: [Column] = [
            ("PHOTOS/s", { Figures.short($0.photosPerSecond.median) }),
            ("MP/s", { Figures.short($0.megapixelsPerSecond.median) }),
            ("QUARTILES", { Figures.range($0.megapixelsPerSecond) }),
            ("CPU ms", { Figures.milliseconds($0.processorSeconds) }),
            ("BUSY", { Figures.percent($0.processorShare) }),
        ]
        let phases = Self.shownPhases.map { head, phase -> Column in
            (head, { Figures.short(1000 * ($0.phaseSeconds[phase.name] ?? 0)) })
        }
        let whole = table(words, figures + speeds + phases)
        if whole.split(separator: "\n").allSatisfy({ $0.count <= width }) { return whole }
        return table(words, figures + speeds) + "\n" + table(words, figures + phases)
    }

    /// Waiting for a turn is no part of a photo's work.
    private static let shownPhases: [(String, PhotoPhase)] = [
        ("READ", .read), ("PLAN", .plan), ("HOST", .host), ("QUEUE", .queue), ("DEVICE", .device),
        ("WRITE", .write), ("HASH", .hash), ("SYNC", .sync), ("RECORD", .journal),
    ]

    private func table(_ words: [Column], _ figures: [Column]) -> String {
        let columns = words + figures
        var table = ReportTable(columns.map(\.head), wordColumnCount: words.count)
        for row in rows { table.add(columns.map { $0.cell(row) }) }
        return table.text
    }
}

// MARK: What binds

extension PipelineReport {
    /// A sentence for each device, of the number of photos at once that is fastest, with a journal as by default.
    var findingSentences: [String] {
        devices.compactMap { device in
            let own = rows.filter { $0.device == device.device && $0.journal }
            guard let best = own.max(by: { $0.photosPerSecond.median < $1.photosPerSecond.median }) else {
                return nil
            }
            return "\(label(device.device)): \(finding(best, most: own.map(\.jobs).max() ?? best.jobs))"
        }
    }

    /// - Parameter most: the most photos at once that were measured.
    private func finding(_ best: Row, most: Int) -> String {
        let busy = Figures.percent(best.processorShare), share = Figures.percent(best.largestShare)
        let atOnce = "with \(best.jobs) at once"
        switch best.bottleneck {
        case .processors:
            return "the processors bind: \(atOnce) they are \(busy) busy. Faster or more processors help."
        case .device:
            return "the device binds: \(atOnce) workers wait for it in \(share) of their time. "
                + "A faster or a further device helps."
        case .reading:
            return "reading binds: \(atOnce) it takes \(share) of the workers' time. "
                + "A faster disk for photos helps."
        case .writing:
            return
                "writing binds: \(atOnce) it takes \(share) of the workers' time, with receipts and waiting "
                + "for the disk. A faster disk for outputs helps."
        // Where more workers were slower, they do not.
        case .workers where best.jobs == most:
            return "the workers bind: \(atOnce) the processors are \(busy) busy. More at once (-j) help."
        case .workers, nil:
            return "nothing binds alone: \(atOnce) the processors are \(busy) busy, and "
                + "\(best.largestPart.noun) takes \(share) of the workers' time."
        }
    }
}

extension Bottleneck {
    /// What workers do in that part of their time.
    fileprivate var noun: String {
        switch self {
        case .processors, .workers: "computing"
        case .device: "waiting for the device"
        case .reading: "reading"
        case .writing: "writing"
        }
    }
}
