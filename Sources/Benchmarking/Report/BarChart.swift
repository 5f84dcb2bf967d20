import Foundation

/// Horizontal bars in groups, all over one axis that begins at 0.
struct BarChart {
    /// A part of a bar; one without a length is a mark across the bar.
    struct Part {
        var start = 0.0
        let end: Double
        let className: String
        /// Shown where the pointer rests.
        var title = ""
    }

    struct Bar {
        let label: String
        let parts: [Part]
        /// Lines that are no part of the bar.
        var marks: [Part] = []
        /// Stands behind the bar.
        let figure: Double

        var end: Double { parts.map(\.end).max() ?? 0 }
    }

    /// What the chart shows, for people who cannot see it.
    let label: String
    let unit: String
    let groups: [(title: String, bars: [Bar])]

    var html: String {
        let axis = Axis(upTo: groups.flatMap(\.bars).map(\.end).max() ?? 1)
        func percent(_ value: Double) -> String { String(format: "%.2f%%", 100 * axis.position(value)) }
        func row(_ bar: Bar) -> String {
            let parts = (bar.parts + bar.marks).map { part in
                "<i class=\"\(part.className)\" title=\"\(part.title.escapedForHTML)\" "
                    + "style=\"left:\(percent(part.start));width:\(percent(part.end - part.start))\"></i>"
            }
            return "<dt>\(bar.label.escapedForHTML)</dt><dd>\(parts.joined())"
                + "<b style=\"left:\(percent(bar.end))\">\(Figures.short(bar.figure))</b></dd>\n"
        }
        let ticks = axis.ticks.map { "<span style=\"left:\(percent($0.value))\">\($0.label)</span>" }
        let sections = groups.map { group in
            "<dt class=\"title\">\(group.title.escapedForHTML)</dt><dd></dd>\n\(group.bars.map(row).joined())"
        }
        return "<dl class=\"bars\" role=\"img\" aria-label=\"\(label.escapedForHTML)\" "
            + "style=\"--step:\(percent(axis.step))\"><dt>\(unit)</dt><dd>\(ticks.joined())</dd>\n"
            + "\(sections.joined())</dl>\n"
    }
}

extension CodecFloor {
    fileprivate var label: String {
        switch self {
        case .rgb: "libjpeg, RGB floor"
        case .planes: "libjpeg, planes floor"
        case .core: "JPEGCore, planes"
        }
    }
}

extension BarChart {
    /// One photo's MP/s end to end: the codec floors, then a group for each chain with a bar for each device.
    init(speedsOf photo: BenchmarkReport.PhotoEntry, in report: BenchmarkReport, colours: DeviceColours) {
        let floors = CodecFloor.allCases.compactMap { floor in
            report.floor(floor, photo: photo.photo).map { (floor, speed: $0.megapixelsPerSecond) }
        }
        let floorBars = floors.map { floor, speed in
            Bar(
                label: floor.label,
                parts: [Part(end: speed.median, className: "codec"), .quartiles(of: speed)],
                figure: speed.median)
        }
        let floorMarks = floors.filter { $0.0 != .core }.map { floor, speed in
            Part(start: speed.median, end: speed.median, className: "floor \(floor.rawValue)")
        }
        let results = report.results.filter { $0.photo == photo.photo }
        label = "MP/s end to end for \(photo.photo), by chain and device"
        unit = "MP/s"
        groups =
            [("codecs alone", floorBars)]
            + results.grouped { result in
                let speed = result.megapixelsPerSecond
                let title =
                    "\(report.label(result.device)), \(result.chain): \(Figures.short(speed.median)) MP/s "
                    + "(\(Figures.range(speed))), "
                    + "\(Figures.percent(result.shareOfFloor?.median)) of the floor"
                let bar = Part(end: speed.median, className: colours.className(result.device), title: title)
                return Bar(
                    label: report.label(result.device), parts: [bar, .quartiles(of: speed)],
                    marks: floorMarks,
                    figure: speed.median)
            }
    }

    /// Where one photo's time goes: a group for each chain, and a stacked bar for each device.
    init(splitsOf results: [BenchmarkReport.ResultEntry], labels: DeviceLabels) {
        label = "Milliseconds to decode, upload, filter, download and encode, by chain and device"
        unit = "ms"
        groups = results.grouped { result in
            var end = 0.0
            let parts = BenchmarkReport.Split.parts.map { part in
                let start = end, time = result.split[keyPath: part.seconds].median * 1000
                end += time
                let title = "\(labels[result.device]), \(part.name): \(Figures.short(time)) ms"
                return Part(start: start, end: end, className: "part-\(part.name)", title: title)
            }
            let total = result.split.totalSeconds.median * 1000
            let mark = Part(start: total, end: total, className: "total")
            return Bar(label: labels[result.device], parts: parts + [mark], figure: total)
        }
    }
}

extension BarChart.Part {
    fileprivate static func quartiles(of spread: Spread) -> Self {
        Self(start: spread.low, end: spread.high, className: "quartiles")
    }
}

extension [BenchmarkReport.ResultEntry] {
    fileprivate func grouped(_ bar: (Element) -> BarChart.Bar) -> [(title: String, bars: [BarChart.Bar])] {
        map(\.chain).uniqued().map { chain in (chain, filter { $0.chain == chain }.map(bar)) }
    }
}
