/// Horizontal bars in groups, over one axis that begins at 0.
struct BarChart {
    struct Bar {
        let label: String
        /// Laid end to end. The title is shown where the pointer rests.
        let parts: [(length: Double, className: String, title: String)]
        /// Stands behind the bar.
        let figure: String
        /// A line along the bar's middle, such as quartiles.
        var range: ClosedRange<Double>?
        /// A line across the bar.
        var mark: Double?

        var end: Double { max(parts.reduce(0) { $0 + $1.length }, range?.upperBound ?? 0, mark ?? 0) }
    }

    /// What the chart shows, for those who cannot see it.
    let label: String
    let unit: String
    let groups: [(title: String, bars: [Bar])]
    /// Lines across all groups.
    var limits: [(name: String, value: Double, className: String)] = []

    private static let width = 860.0, left = 112.0, right = 52.0, rowHeight = 20.0, lineHeight = 14.0

    var svg: SVG {
        let axis = Axis(upTo: (groups.flatMap(\.bars).map(\.end) + limits.map(\.value)).max() ?? 1)
        func x(_ value: Double) -> Double {
            Self.left + (Self.width - Self.left - Self.right) * axis.place(value)
        }
        let top = 20 + Self.lineHeight * Double(limits.count)
        let rowCount = groups.reduce(0) { $0 + Double($1.bars.count) + 1.4 }
        var svg = SVG(width: Self.width, height: top + Self.rowHeight * rowCount + 8, label: label)
        svg.text(unit, Self.left - 14, 12, .end)
        for tick in axis.ticks {
            svg.line(x(tick), top - 4, x(tick), svg.height, class: "rule")
            svg.text(axis.text(tick), x(tick), 12, .middle)
        }
        var y = top
        for group in groups {
            svg.text(group.title, 0, y + 14, class: "label strong")
            y += Self.rowHeight
            for bar in group.bars {
                draw(bar, at: y, x, in: &svg)
                y += Self.rowHeight
            }
            y += 0.4 * Self.rowHeight
        }
        for (index, limit) in limits.enumerated() {
            let nameY = 14 + Self.lineHeight * Double(index + 1)
            svg.line(x(limit.value), nameY + 4, x(limit.value), svg.height, class: limit.className)
            svg.text(limit.name, x(limit.value), nameY, .middle, class: "floor-name")
        }
        return svg
    }

    private func draw(_ bar: Bar, at y: Double, _ x: (Double) -> Double, in svg: inout SVG) {
        let middle = y + Self.rowHeight / 2
        svg.text(bar.label, Self.left - 6, y + 14, .end)
        var start = 0.0
        for part in bar.parts {
            let end = start + part.length
            svg.rectangle(
                x(start), y + 3, x(end) - x(start), Self.rowHeight - 6, class: part.className,
                title: part.title)
            start = end
        }
        if let range = bar.range {
            svg.line(x(range.lowerBound), middle, x(range.upperBound), middle, class: "whisker")
        }
        if let mark = bar.mark { svg.line(x(mark), y + 1, x(mark), y + Self.rowHeight - 1, class: "total") }
        svg.text(bar.figure, x(bar.end) + 5, y + 14, class: "value")
    }
}

extension BarChart {
    /// One photo's MP/s end to end, with the codec floors: a group for each chain, and a bar for each device.
    init(speedsOf photo: BenchmarkReport.PhotoEntry, in report: BenchmarkReport, colours: DeviceColours) {
        let results = report.results.filter { $0.photo == photo.photo }
        label = "MP/s end to end for \(photo.photo), by chain and device"
        unit = "MP/s"
        groups = results.grouped { result in
            let speed = result.megapixelsPerSecond
            let title =
                "\(result.device), \(result.chain): \(Figures.short(speed.median)) MP/s "
                + "(\(Figures.range(speed))), \(Figures.percent(result.shareOfFloor?.median)) of the floor"
            return Bar(
                label: result.device, parts: [(speed.median, colours.className(result.device), title)],
                figure: Figures.short(speed.median), range: speed.low...speed.high)
        }
        limits = CodecFloor.allCases.compactMap { floor in
            report.floor(floor, photo: photo.photo).map { entry in
                let speed = entry.megapixelsPerSecond.median
                return ("\(floor.name) \(Figures.short(speed))", speed, "floor \(floor.rawValue)")
            }
        }
    }

    /// Where one photo's time goes: a group for each chain, and a stacked bar for each device.
    init(splitsOf results: [BenchmarkReport.ResultEntry]) {
        label = "Milliseconds to decode, upload, filter, download and encode, by chain and device"
        unit = "ms"
        groups = results.grouped { result in
            let parts = BenchmarkReport.Split.parts.map { part in
                let time = result.split[keyPath: part.seconds].median * 1000
                let title = "\(result.device), \(part.name): \(Figures.short(time)) ms"
                return (length: time, className: "part-\(part.name)", title: title)
            }
            let total = result.split.totalSeconds.median * 1000
            return Bar(label: result.device, parts: parts, figure: Figures.short(total), mark: total)
        }
    }
}

extension [BenchmarkReport.ResultEntry] {
    fileprivate func grouped(_ bar: (Element) -> BarChart.Bar) -> [(title: String, bars: [BarChart.Bar])] {
        map(\.chain).uniqued().map { chain in (chain, filter { $0.chain == chain }.map(bar)) }
    }
}

extension CodecFloor {
    fileprivate var name: String {
        switch self {
        case .rgb: "RGB floor"
        case .planes: "planes floor"
        }
    }
}
