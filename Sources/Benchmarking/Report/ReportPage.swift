/// A report as one page of HTML that needs nothing else: no scripts, no fonts, no addresses.
package struct ReportPage {
    private let report: BenchmarkReport
    private let colours: DeviceColours

    package init(_ report: BenchmarkReport) {
        self.report = report
        colours = DeviceColours(report.devices.map(\.device))
    }

    package var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Tintype benchmark, \(report.machine.processor.escapedForHTML)</title>
        <style>
        \(PageStyle.css)</style>
        </head>
        <body>
        <h1>Tintype benchmark</h1>
        \(facts)
        \(deviceSection)
        \(sizeSection)
        \(report.photos.map(photoSection).joined())
        \(startupSection)
        \(report.leftOutSentences.map { "<p>\($0.escapedForHTML)</p>" }.joined())
        <footer>Figures are medians; whiskers and ranges are quartiles. Everything was measured in rounds, \
        beginning with something else each time.</footer>
        </body>
        </html>

        """
    }

    // MARK: Sections

    private var facts: String {
        let machine = report.machine
        let memory = Figures.short(Double(machine.memoryByteCount) / 0x1p30)
        let rows = [
            ("Machine", "\(machine.processor), \(machine.coreCount) cores, \(memory) GiB"),
            ("System", "\(machine.system), \(machine.kernel)"),
            ("Tool", "tintype \(report.version), commit \(report.commit)"),
            ("Date", report.date),
            (
                "Run",
                "\(report.jobs) photos at once, \(report.rounds) rounds in \(Figures.short(report.seconds)) s"
                    + (report.isComplete ? "" : ", not complete")
            ),
        ]
        let cells = rows.map { "<dt>\($0.0)</dt><dd>\($0.1.escapedForHTML)</dd>" }
        return "<dl>\(cells.joined())</dl>"
    }

    private var deviceSection: String {
        var table = HTMLTable(
            ["Device", "Name", "Driver", "Bytes", "Copy GB/s"], wordColumnCount: 4)
        for device in report.devices {
            let status = device.status.word(device.checkedCount) + (device.error.map { ": \($0)" } ?? "")
            table.add(
                [
                    device.device, device.name, device.driver.isEmpty ? "-" : device.driver, status,
                    device.copyGigabytesPerSecond.map(Figures.short) ?? "-",
                ], isAlarming: device.isOut)
        }
        return """
            <section><h2>Devices</h2>
            <p>Each device's bytes are compared with those of the SIMD baseline, for every chain and photo, \
            before it is measured. Copying is of the device's own memory, read and written; a CPU's on one \
            thread.</p>
            \(table.html)</section>
            """
    }

    private var sizeSection: String {
        guard report.photos.count > 1, !report.results.isEmpty else { return "" }
        let charts = report.chains.map { SizeChart(report, chain: $0, colours: colours).html }
        var table = HTMLTable(["Device", "Chain", "Faster end to end"], wordColumnCount: 3)
        for entry in report.breakEvens { table.add([entry.device, entry.chain, entry.text]) }
        return """
            <section><h2>By size</h2>
            <p>End to end, from JPEG to JPEG in memory, \(report.jobs) photos at once. The dashed line is \
            libjpeg alone, through RGB.</p>
            \(colours.legend)
            <div class="grid">\(charts.joined())</div>
            \(report.breakEvens.isEmpty ? "" : "<h3>Break-even</h3>\(table.html)")</section>
            """
    }

    private func photoSection(_ photo: BenchmarkReport.PhotoEntry) -> String {
        let results = report.results.filter { $0.photo == photo.photo }
        guard !results.isEmpty else { return "" }
        let bytesPerPixel = Double(photo.bytes) / Double(photo.width * photo.height)
        let origin = photo.isSynthesised ? "made for the benchmark" : "given"
        return """
            <section><h2>\(photo.photo.escapedForHTML)</h2>
            <p>\(photo.width) × \(photo.height) pixels, \(Figures.short(bytesPerPixel)) bytes a pixel, \
            \(origin).</p>
            \(SpeedChart(report, photo: photo, colours: colours).html)
            \(SplitChart(results).html)
            \(resultTable(results))</section>
            """
    }

    private func resultTable(_ results: [BenchmarkReport.ResultEntry]) -> String {
        var table = HTMLTable(
            [
                "Chain", "Device", "MP/s", "Quartiles", "Of floor", "Of planes floor", "Kernel MP/s", "GB/s",
                "Of copy",
            ], wordColumnCount: 2)
        for result in results {
            table.add([
                result.chain, result.device, Figures.short(result.megapixelsPerSecond.median),
                Figures.range(result.megapixelsPerSecond), Figures.percent(result.shareOfFloor?.median),
                Figures.percent(result.shareOfPlanesFloor?.median),
                Figures.median(result.kernelMegapixelsPerSecond),
                Figures.median(result.kernelGigabytesPerSecond),
                Figures.percent(result.shareOfCopyBandwidth),
            ])
        }
        return table.html
    }

    private var startupSection: String {
        guard !report.startups.isEmpty else { return "" }
        var table = HTMLTable(["Chain", "Device", "Cold ms", "Warm ms"], wordColumnCount: 2)
        for startup in report.startups {
            table.add([
                startup.chain, startup.device, Figures.short(startup.coldSeconds * 1000),
                Figures.short(startup.warmSeconds * 1000),
            ])
        }
        return """
            <section><h2>First photo of a process</h2>
            <p>Cold: no driver has compiled anything yet. Warm: compiled programs are on the disk.</p>
            \(table.html)</section>
            """
    }
}
