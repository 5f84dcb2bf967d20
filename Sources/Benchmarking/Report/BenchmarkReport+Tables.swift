/// The report's tables, which the terminal and the page share.
extension BenchmarkReport {
    /// A column of figures about results.
    typealias Column = (head: String, cell: (ResultEntry) -> String)

    var deviceColumn: Column {
        let labels = labels
        return ("DEVICE", { labels[$0.device] })
    }

    static var speedColumns: [Column] {
        [
            ("MP/s", { Figures.short($0.megapixelsPerSecond.median) }),
            ("QUARTILES", { Figures.range($0.megapixelsPerSecond) }),
            ("FLOOR", { Figures.percent($0.shareOfFloor?.median) }),
        ]
    }

    static var planesFloorColumn: Column {
        ("PLANES FLOOR", { Figures.percent($0.shareOfPlanesFloor?.median) })
    }

    static var kernelColumns: [Column] {
        [
            ("KERN MP/s", { Figures.median($0.kernelMegapixelsPerSecond) }),
            ("LOOP", { Figures.median($0.residentMegapixelsPerSecond) }),
            ("GB/s", { Figures.median($0.kernelGigabytesPerSecond) }),
            ("COPY", { Figures.percent($0.shareOfCopyBandwidth) }),
        ]
    }

    static var splitColumns: [Column] {
        Split.parts.map { part in
            (part.name.uppercased(), { Figures.milliseconds($0.split[keyPath: part.seconds]) })
        } + [("TOTAL ms", { Figures.milliseconds($0.split.totalSeconds) })]
    }

    /// - Parameter words: columns that name a result.
    func resultTable(_ results: [ResultEntry], words: [Column], figures: [Column]) -> ReportTable {
        let columns = words + figures
        var table = ReportTable(columns.map(\.head), wordColumnCount: words.count)
        for result in results { table.add(columns.map { $0.cell(result) }) }
        return table
    }

    /// - Parameter isBrief: without drivers, and with long names cut.
    func deviceTable(isBrief: Bool) -> ReportTable {
        let words = ["DEVICE", "-d", "NAME"] + (isBrief ? [] : ["DRIVER"]) + ["BYTES"]
        var table = ReportTable(words + ["COPY GB/s"], wordColumnCount: words.count)
        for device in devices {
            let driver = device.driver.isEmpty ? "-" : device.driver
            let error = device.error.map { ": \($0)" } ?? ""
            let cells =
                isBrief
                ? [String(device.name.prefix(40)), device.statusText]
                : [device.name, driver, device.statusText + error]
            let copy = device.copyGigabytesPerSecond.map(Figures.short) ?? "-"
            table.add([label(device.device), device.device] + cells + [copy], isAlarming: device.isOut)
        }
        return table
    }

    var floorTable: ReportTable {
        var table = ReportTable(["CODEC ALONE", "RGB MP/s", "PLANES MP/s", "CORE MP/s"], wordColumnCount: 1)
        guard !floors.isEmpty else { return table }
        for photo in photos {
            let speeds = CodecFloor.allCases.map { floor in
                Figures.median(self.floor(floor, photo: photo.photo)?.megapixelsPerSecond)
            }
            table.add([photo.photo] + speeds)
        }
        return table
    }

    var startupTable: ReportTable {
        var table = ReportTable(["FIRST PHOTO", "DEVICE", "COLD ms", "WARM ms"], wordColumnCount: 2)
        for startup in startups {
            table.add(
                [startup.chain, label(startup.device)]
                    + [startup.coldSeconds, startup.warmSeconds].map { Figures.short($0 * 1000) })
        }
        return table
    }

    var breakEvenTable: ReportTable {
        var table = ReportTable(["BREAK-EVEN", "CHAIN", "END TO END"], wordColumnCount: 3)
        for entry in breakEvens { table.add([label(entry.device), entry.chain, entry.text]) }
        return table
    }

    /// MP/s by the number of photos at once.
    var scalingTable: ReportTable {
        let jobs = Set(scalings.map(\.jobs)).sorted()
        var table = ReportTable(
            ["MP/s AT ONCE", "DEVICE", "PHOTO"] + jobs.map(String.init), wordColumnCount: 3)
        for key in scalings.map({ Case(device: $0.device, chain: $0.chain, photo: $0.photo) }).uniqued() {
            let speeds = jobs.map { jobs in
                scalings.first {
                    $0.jobs == jobs && Case(device: $0.device, chain: $0.chain, photo: $0.photo) == key
                }
            }
            table.add(
                [key.chain, label(key.device), key.photo]
                    + speeds.map { Figures.median($0?.megapixelsPerSecond) })
        }
        return table
    }

    /// MP/s of all devices, which share the photos.
    var togetherTable: ReportTable {
        var table = ReportTable(
            ["MP/s TOGETHER", "PHOTO", "SHARES OF PHOTOS", "MP/s", "QUARTILES"], wordColumnCount: 3)
        for entry in together {
            let shares = zip(entry.devices, entry.shares).map { "\(label($0)) \(Figures.percent($1))" }
            table.add([
                entry.chain, entry.photo, shares.joined(separator: ", "),
                Figures.short(entry.megapixelsPerSecond.median), Figures.range(entry.megapixelsPerSecond),
            ])
        }
        return table
    }

    /// Joules for each megapixel.
    var energyTable: ReportTable {
        var table = ReportTable(["ENERGY J/MP", "DEVICE", "PHOTO", "PROCESSORS", "GPU"], wordColumnCount: 3)
        for entry in energies {
            table.add(
                [entry.chain, label(entry.device), entry.photo]
                    + [entry.processorsJoulesPerMegapixel, entry.deviceJoulesPerMegapixel].map {
                        $0.map(Figures.short) ?? "-"
                    })
        }
        return table
    }

    /// Bytes between the host's memory and the devices', in GB/s.
    var transferTable: ReportTable {
        var table = ReportTable(
            [
                "TRANSFERS GB/s", "UP PINNED", "UP SHARED", "UP PAGEABLE", "DOWN PINNED", "DOWN SHARED",
                "DOWN PAGEABLE",
            ], wordColumnCount: 1)
        for device in devices {
            guard let speeds = device.transfers else { continue }
            let pairs = [speeds.pinned, speeds.shared, speeds.pageable]
            table.add(
                [label(device.device)] + (pairs.map(\.upload) + pairs.map(\.download)).map(Figures.short))
        }
        return table
    }

    /// One for each case that was left out.
    var leftOutSentences: [String] {
        leftOut.map {
            "\($0.photo) were left out for \($0.chain) on \(label($0.device)): too slow. --seconds raises the limit."
        }
    }

    /// The machine and the run, a line each.
    var facts: [(name: String, text: String)] {
        let memory = Figures.short(Double(machine.memoryByteCount) / 0x1p30)
        let run = "\(jobs) photos at once, \(rounds) rounds in \(Figures.short(seconds)) s"
        return [
            ("Machine", "\(machine.processor), \(machine.coreCount) cores, \(memory) GiB"),
            ("System", "\(machine.system), \(machine.kernel)"),
            ("Run", run + (isComplete ? "" : ", not complete")),
        ] + (conditions?.facts ?? [])
    }
}

extension BenchmarkReport.DeviceEntry {
    var statusText: String {
        switch status {
        case .ok: "equal (\(checkedCount) compared)"
        case .wrong: "WRONG: left out"
        case .failed: "FAILED: left out"
        case .unchecked: "not compared"
        }
    }
}

extension BenchmarkReport.Split {
    /// The parts in the order in which a photo passes them.
    static var parts: [(name: String, seconds: KeyPath<Self, Spread>)] {
        [
            ("decode", \.decodeSeconds), ("upload", \.uploadSeconds), ("kernel", \.kernelSeconds),
            ("download", \.downloadSeconds), ("encode", \.encodeSeconds),
        ]
    }
}
