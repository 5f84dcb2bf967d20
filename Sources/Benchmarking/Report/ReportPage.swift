/// A report as one page of HTML that needs nothing else: no scripts, no fonts, no addresses.
package struct ReportPage {
    private let report: BenchmarkReport
    private let colours: DeviceColours

    package init(_ report: BenchmarkReport) {
        self.report = report
        colours = DeviceColours(report.devices)
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
        \(sentences)
        \(facts)
        <section><h2>Devices</h2>
        <p>Before a device is measured, its bytes are compared with those of the SIMD baseline, for every \
        chain and photo. COPY is the speed at which it copies its own memory, read and written; a CPU's on \
        one thread.</p>
        \(report.deviceTable(isBrief: false).html)</section>
        \(sizeSection)
        \(report.photos.map(photoSection).joined())
        \(section("Photos at once", report.scalingTable))
        \(section("All devices together", report.togetherTable))
        \(section("Energy", report.energyTable))
        \(section("Between the host's memory and devices", report.transferTable))
        \(startupSection)
        \((report.shareSentences + report.leftOutSentences).map { "<p>\($0.escapedForHTML)</p>" }.joined())
        <footer>Figures are medians; ranges and the lines in bars are quartiles. Everything was measured in \
        rounds, and each round began with another case.</footer>
        </body>
        </html>

        """
    }

    // MARK: Sections

    /// Nothing for a table without rows.
    private func section(_ heading: String, _ table: ReportTable) -> String {
        table.rows.isEmpty ? "" : "<section><h2>\(heading.escapedForHTML)</h2>\(table.html)</section>"
    }

    private var facts: String {
        let rows =
            report.facts + [
                ("Tool", "tintype \(report.version), commit \(report.commit)"), ("Date", report.date),
            ]
        return "<dl>\(rows.map { "<dt>\($0.name)</dt><dd>\($0.text.escapedForHTML)</dd>" }.joined())</dl>"
    }

    /// What disturbed the run, and what came of it.
    private var sentences: String {
        let warnings = (report.conditions?.warnings ?? []).map {
            "<p><strong>\($0.escapedForHTML)</strong></p>"
        }
        return (report.headlines.map { "<p>\($0.escapedForHTML)</p>" } + warnings).joined(separator: "\n")
    }

    private var sizeSection: String {
        guard report.photos.count > 1, !report.results.isEmpty else { return "" }
        let charts = report.chains.map { SizeChart(report, chain: $0, colours: colours).html }
        return """
            <section><h2>By size</h2>
            <p>End to end, from JPEG to JPEG in memory, \(report.jobs) photos at once. The dashed line is \
            libjpeg alone, the RGB floor.</p>
            \(colours.legend)
            <div class="grid">\(charts.joined())</div>
            \(report.breakEvenTable.html)</section>
            """
    }

    private func photoSection(_ photo: BenchmarkReport.PhotoEntry) -> String {
        let results = report.results.filter { $0.photo == photo.photo }
        guard !results.isEmpty else { return "" }
        let bytesPerPixel = Double(photo.bytes) / Double(photo.width * photo.height)
        let origin = photo.isSynthesised ? "made for the benchmark" : "given"
        let figures =
            BenchmarkReport.speedColumns + [BenchmarkReport.planesFloorColumn] + BenchmarkReport.kernelColumns
        let table = report.resultTable(
            results, words: [("CHAIN", \.chain), report.deviceColumn], figures: figures)
        return """
            <section><h2>\(photo.photo.escapedForHTML)</h2>
            <p>\(photo.width) × \(photo.height) pixels, \(Figures.short(bytesPerPixel)) bytes a pixel, \
            \(origin).</p>
            <figure><figcaption>End to end, \(report.jobs) photos at once</figcaption>
            <p>Dashed: the RGB floor. Dotted: the planes floor. Thin lines: quartiles.</p>
            \(BarChart(speedsOf: photo, in: report, colours: colours).html)</figure>
            <figure><figcaption>One photo alone</figcaption>
            <p>An OpenCL device works while the host decodes and encodes, so its bars may be longer than the \
            time that passed, which the upright mark shows.</p>
            \(legend(BenchmarkReport.Split.parts.map { ($0.name, "part-\($0.name)") }))
            \(BarChart(splitsOf: results, labels: report.labels).html)</figure>
            \(table.html)</section>
            """
    }

    private var startupSection: String {
        guard !report.startups.isEmpty else { return "" }
        return """
            <section><h2>First photo of a process</h2>
            <p>Cold: no driver has compiled anything yet. Warm: compiled programs are on the disk.</p>
            \(report.startupTable.html)</section>
            """
    }
}

/// The meaning of a chart's colours: names, and the classes that give them their colours.
func legend(_ items: [(name: String, className: String)]) -> String {
    let entries = items.map {
        "<li><i class=\"\($0.className)\"></i> \($0.name.escapedForHTML)</li>"
    }
    return "<ul class=\"legend\">\(entries.joined())</ul>\n"
}
