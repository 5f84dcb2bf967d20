/// One photo's MP/s end to end: a group of bars for each chain, a bar for each device, and the codec floors.
struct SpeedChart {
    private let report: BenchmarkReport
    private let photo: BenchmarkReport.PhotoEntry
    private let colours: DeviceColours
    private let axis: Axis
    private let chains: [String]
    private let devices: [String]

    private static let width = 860.0, left = 56.0, right = 112.0, top = 24.0, plotHeight = 220.0

    init(_ report: BenchmarkReport, photo: BenchmarkReport.PhotoEntry, colours: DeviceColours) {
        self.report = report
        self.photo = photo
        self.colours = colours
        let results = report.results.filter { $0.photo == photo.photo }
        chains = results.map(\.chain).uniqued()
        devices = results.map(\.device).uniqued()
        let speeds = results.map(\.megapixelsPerSecond.high)
        let floors = report.floors.filter { $0.photo == photo.photo }.map(\.megapixelsPerSecond.median)
        axis = Axis(upTo: (speeds + floors).max() ?? 1)
    }

    var html: String {
        var svg = SVG(
            width: Self.width,
            height: Self.top + Self.plotHeight + 16 * Double(chains.map(lines).map(\.count).max() ?? 1) + 12,
            label: "MP/s end to end for \(photo.photo), by chain and device")
        for tick in axis.ticks {
            svg.line(Self.left, y(tick), Self.width - Self.right, y(tick), class: "rule")
            svg.text(axis.text(tick), Self.left - 6, y(tick) + 4, .end)
        }
        svg.text("MP/s", Self.left - 6, 12, .end)
        let groupWidth = (Self.width - Self.left - Self.right) / Double(max(chains.count, 1))
        for (index, chain) in chains.enumerated() {
            draw(chain, at: Self.left + groupWidth * Double(index), width: groupWidth, in: &svg)
        }
        drawFloors(in: &svg)
        return """
            <figure><figcaption>End to end, \(report.jobs) photos at once</figcaption>
            \(colours.legend)\(svg.html)</figure>
            """
    }

    private func draw(_ chain: String, at x: Double, width: Double, in svg: inout SVG) {
        let barWidth = min(width * 0.86 / Double(max(devices.count, 1)), 48)
        let start = x + (width - barWidth * Double(devices.count)) / 2
        for (index, device) in devices.enumerated() {
            guard let result = report.result(device: device, chain: chain, photo: photo.photo) else {
                continue
            }
            let speed = result.megapixelsPerSecond
            let barX = start + barWidth * Double(index), middle = barX + barWidth / 2
            svg.rectangle(
                barX + 1, y(speed.median), barWidth - 2, y(0) - y(speed.median),
                class: colours.className(device),
                title: "\(device), \(chain): \(Figures.short(speed.median)) MP/s (\(Figures.range(speed))), "
                    + "\(Figures.percent(result.shareOfFloor?.median)) of the floor")
            svg.line(middle, y(speed.low), middle, y(speed.high), class: "whisker")
            if barWidth >= 22 {
                svg.text(Figures.short(speed.median), middle, y(speed.high) - 4, .middle, class: "value")
            }
        }
        for (index, line) in lines(of: chain).enumerated() {
            svg.text(line, x + width / 2, y(0) + 16 * Double(index + 1), .middle)
        }
    }

    private func drawFloors(in svg: inout SVG) {
        let names: [(CodecFloor, String)] = [(.rgb, "RGB floor"), (.planes, "planes floor")]
        let floors = names.compactMap { floor, name in
            report.floor(floor, photo: photo.photo).map { (floor, name, $0.megapixelsPerSecond.median) }
        }.sorted { $0.2 > $1.2 }
        var lowest = -Double.infinity
        for (floor, name, speed) in floors {
            svg.line(
                Self.left, y(speed), Self.width - Self.right, y(speed), class: "floor \(floor.rawValue)")
            // Names are kept apart where lines are not.
            lowest = max(y(speed) + 4, lowest + 13)
            svg.text(
                "\(name) \(Figures.short(speed))", Self.width - Self.right + 5, lowest, class: "floor-name")
        }
    }

    /// A chain's name broken at its filters, so that it fits below its bars.
    private func lines(of chain: String) -> [String] {
        chain.split(separator: "+").enumerated().flatMap { index, filter -> [String] in
            let parts = filter.split(separator: ":", maxSplits: 1).map(String.init)
            let first = (index == 0 ? "" : "+ ") + parts[0]
            return parts.count > 1 ? [first] + parts[1].split(separator: ",").map(String.init) : [first]
        }
    }

    private func y(_ speed: Double) -> Double { Self.top + Self.plotHeight * (1 - axis.place(speed)) }
}
