import Foundation

extension BenchmarkReport {
    /// The report for a terminal.
    ///
    /// - Parameter width: columns; where tables do not fit in one piece, they come in two.
    package func text(width: Int) -> String {
        ([heading, deviceTable, floorTable] + chains.flatMap { chainTables($0, width: width) }
            + [startupTable, breakEvenTable, leftOutText])
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var heading: String {
        let memory = Figures.short(Double(machine.memoryByteCount) / 0x1p30)
        var text = "tintype \(version) (\(commit)), \(date)\n"
        text += "\(machine.processor), \(machine.coreCount) cores, \(memory) GiB\n"
        text += "\(machine.system), \(machine.kernel)\n"
        text += "\(jobs) photos at once, \(rounds) rounds in \(Figures.short(seconds)) s"
        return text + (isComplete ? "\n" : ", not complete\n")
    }

    private var deviceTable: String {
        var grid = TextGrid(["DEVICE", "NAME", "BYTES", "COPY GB/s"], wordColumnCount: 3)
        for device in devices {
            grid.add([
                device.device, String(device.name.prefix(40)), device.status.word(device.checkedCount),
                device.copyGigabytesPerSecond.map(Figures.short) ?? "-",
            ])
        }
        let errors = devices.compactMap { device in device.error.map { "\(device.device): \($0)\n" } }
        return grid.text + errors.joined()
    }

    private var floorTable: String {
        guard !floors.isEmpty else { return "" }
        var grid = TextGrid(["CODEC FLOOR", "RGB MP/s", "PLANES MP/s"], wordColumnCount: 1)
        for photo in photos {
            let speeds = CodecFloor.allCases.map { floor in
                self.floor(floor, photo: photo.photo).map { Figures.short($0.megapixelsPerSecond.median) }
                    ?? "-"
            }
            grid.add([photo.photo] + speeds)
        }
        return grid.text
    }

    private func chainTables(_ chain: String, width: Int) -> [String] {
        let results = results.filter { $0.chain == chain }
        let names = ["PHOTO", "DEVICE"]
        let speedHeads = ["MP/s", "QUARTILES", "FLOOR", "KERN MP/s", "GB/s", "COPY"]
        let splitHeads = ["DECODE", "UPLOAD", "KERNEL", "DOWNLOAD", "ENCODE", "TOTAL ms"]
        var all = TextGrid(names + speedHeads + splitHeads, wordColumnCount: 2)
        var speeds = TextGrid(names + speedHeads, wordColumnCount: 2)
        var splits = TextGrid(names + splitHeads, wordColumnCount: 2)
        for result in results {
            let name = [result.photo, result.device]
            all.add(name + result.speedCells + result.split.cells)
            speeds.add(name + result.speedCells)
            splits.add(name + result.split.cells)
        }
        return all.width <= width
            ? ["\(chain)\n" + all.text] : ["\(chain)\n" + speeds.text, splits.text]
    }

    private var startupTable: String {
        guard !startups.isEmpty else { return "" }
        var grid = TextGrid(["FIRST PHOTO", "DEVICE", "COLD ms", "WARM ms"], wordColumnCount: 2)
        for startup in startups {
            grid.add([
                startup.chain, startup.device, Figures.short(startup.coldSeconds * 1000),
                Figures.short(startup.warmSeconds * 1000),
            ])
        }
        return grid.text
    }

    private var breakEvenTable: String {
        guard !breakEvens.isEmpty else { return "" }
        var grid = TextGrid(["BREAK-EVEN", "CHAIN", "END TO END"], wordColumnCount: 3)
        for entry in breakEvens { grid.add([entry.device, entry.chain, entry.text]) }
        return grid.text
    }

    private var leftOutText: String { leftOutSentences.map { $0 + "\n" }.joined() }

    /// One for each case that was left out.
    var leftOutSentences: [String] {
        leftOut.map {
            "\($0.photo) were left out for \($0.chain) on \($0.device): too slow. --seconds raises the limit."
        }
    }
}

extension BenchmarkReport.DeviceEntry.Status {
    func word(_ checkedCount: Int) -> String {
        switch self {
        case .ok: "equal (\(checkedCount) compared)"
        case .wrong: "WRONG: left out"
        case .failed: "FAILED: left out"
        case .unchecked: "not compared"
        }
    }
}

extension BenchmarkReport.ResultEntry {
    fileprivate var speedCells: [String] {
        [
            Figures.short(megapixelsPerSecond.median), Figures.range(megapixelsPerSecond),
            Figures.percent(shareOfFloor?.median), Figures.median(kernelMegapixelsPerSecond),
            Figures.median(kernelGigabytesPerSecond), Figures.percent(shareOfCopyBandwidth),
        ]
    }
}

extension BenchmarkReport.Split {
    /// Parts in the order of a photo's way.
    var parts: [(name: String, seconds: Spread)] {
        [
            ("decode", decodeSeconds), ("upload", uploadSeconds), ("kernel", kernelSeconds),
            ("download", downloadSeconds), ("encode", encodeSeconds),
        ]
    }

    fileprivate var cells: [String] {
        parts.map { Figures.milliseconds($0.seconds) } + [Figures.milliseconds(totalSeconds)]
    }
}
