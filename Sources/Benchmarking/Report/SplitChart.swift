/// Where one photo's time goes: a stacked bar for each chain and device.
struct SplitChart {
    private let results: [BenchmarkReport.ResultEntry]
    private let axis: Axis

    private static let width = 860.0, left = 112.0, right = 44.0, rowHeight = 20.0, top = 20.0

    init(_ results: [BenchmarkReport.ResultEntry]) {
        self.results = results
        let lengths = results.map { result in
            max(
                result.split.totalSeconds.median,
                result.split.parts.reduce(0) { $0 + $1.seconds.median })
        }
        axis = Axis(upTo: (lengths.max() ?? 1) * 1000)
    }

    var html: String {
        let names = results.first?.split.parts.map(\.name) ?? []
        let items = names.map {
            "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" height=\"12\" "
                + "class=\"part-\($0)\"/></svg> \($0)</li>"
        }
        return """
            <figure><figcaption>One photo alone, in milliseconds</figcaption>
            <p class="note">An OpenCL device works while the host codes, so its bars may be longer than the \
            time that passed, which the upright mark shows.</p>
            <ul class="legend">\(items.joined())</ul>
            \(chart.html)</figure>
            """
    }

    private var chart: SVG {
        let chains = results.map(\.chain).uniqued()
        let rowCount = Double(results.count) + 1.4 * Double(chains.count)
        var svg = SVG(
            width: Self.width, height: Self.top + Self.rowHeight * rowCount + 8,
            label: "Milliseconds to decode, upload, filter, download and encode, by chain and device")
        for tick in axis.ticks {
            svg.line(x(tick), Self.top - 4, x(tick), svg.height, class: "rule")
            svg.text(axis.text(tick), x(tick), 12, .middle)
        }
        var y = Self.top
        for chain in chains {
            svg.text(chain, 0, y + 14, class: "label strong")
            y += Self.rowHeight
            for result in results where result.chain == chain {
                draw(result, at: y, in: &svg)
                y += Self.rowHeight
            }
            y += 0.4 * Self.rowHeight
        }
        return svg
    }

    private func draw(_ result: BenchmarkReport.ResultEntry, at y: Double, in svg: inout SVG) {
        svg.text(result.device, Self.left - 6, y + 14, .end)
        var start = 0.0
        for part in result.split.parts {
            let milliseconds = part.seconds.median * 1000
            svg.rectangle(
                x(start), y + 3, x(start + milliseconds) - x(start), Self.rowHeight - 6,
                class: "part-\(part.name)",
                title: "\(result.device), \(part.name): \(Figures.short(milliseconds)) ms")
            start += milliseconds
        }
        let total = result.split.totalSeconds.median * 1000
        svg.line(x(total), y + 1, x(total), y + Self.rowHeight - 1, class: "total")
        svg.text(Figures.short(total), x(max(total, start)) + 5, y + 14, class: "value")
    }

    private func x(_ milliseconds: Double) -> Double {
        Self.left + (Self.width - Self.left - Self.right) * axis.place(milliseconds)
    }
}
