import Foundation

/// One chain's MP/s end to end over the photo's size: a line for each device, and where one overtakes the
/// CPU.
struct SizeChart {
    private let report: BenchmarkReport
    private let chain: String
    private let colours: DeviceColours
    private let axis: Axis
    private let photos: [BenchmarkReport.PhotoEntry]

    private static let width = 420.0, height = 230.0, left = 44.0, right = 16.0, top = 24.0, bottom = 34.0

    init(_ report: BenchmarkReport, chain: String, colours: DeviceColours) {
        self.report = report
        self.chain = chain
        self.colours = colours
        photos = report.photos.sorted { $0.megapixels < $1.megapixels }
        let speeds = report.results.filter { $0.chain == chain }.map(\.megapixelsPerSecond.median)
        let floors = report.floors.filter { $0.floor == .rgb }.map(\.megapixelsPerSecond.median)
        axis = Axis(upTo: (speeds + floors).max() ?? 1)
    }

    var html: String {
        let right = Self.width - Self.right
        let rules = axis.ticks.map { tick in
            line([(Self.left, y(tick.value)), (right, y(tick.value))], "rule")
                + text(tick.label, Self.left - 6, y(tick.value) + 4, "end")
        }
        let sizes = photos.map { photo in
            text(Figures.plain(photo.megapixels), x(photo.megapixels), Self.height - 18, "middle")
        }
        let names =
            text("MP/s", Self.left - 6, 12, "end")
            + text("megapixels", (Self.left + right) / 2, Self.height - 3, "middle")
        let floor = points { report.floor(.rgb, photo: $0)?.megapixelsPerSecond }
        let devices = report.devices.map { curve(of: $0.device) }
        let breakEvens = report.breakEvens.filter { $0.chain == chain }.map(mark)
        let elements = rules + sizes + [names, line(floor.map(\.place), "floor rgb")] + devices + breakEvens
        return """
            <figure><figcaption>\(chain.escapedForHTML)</figcaption>
            <svg viewBox="0 0 \(Self.width) \(Self.height)" role="img" \
            aria-label="MP/s by size for \(chain.escapedForHTML)">
            \(elements.joined(separator: "\n"))
            </svg></figure>

            """
    }

    private func curve(of device: String) -> String {
        let points = points { report.result(device: device, chain: chain, photo: $0)?.megapixelsPerSecond }
        let dots = points.map { point in
            "<circle cx=\"\(point.place.x)\" cy=\"\(point.place.y)\" r=\"3.5\">"
                + "<title>\(report.label(device).escapedForHTML), \(point.photo.escapedForHTML): "
                + "\(Figures.short(point.speed)) MP/s</title></circle>"
        }
        return
            "<g class=\"\(colours.className(device))\">\(line(points.map(\.place), ""))\(dots.joined())</g>"
    }

    private func mark(_ entry: BenchmarkReport.BreakEvenEntry) -> String {
        guard let megapixels = entry.megapixels else { return "" }
        let name = "\(report.label(entry.device)) from \(Figures.short(megapixels)) MP"
        return line([(x(megapixels), Self.top), (x(megapixels), y(0))], "break-even")
            + text(name, x(megapixels) + 4, Self.top + 10, "start")
    }

    // MARK: Elements

    private typealias Place = (x: Double, y: Double)

    private func points(_ speed: (_ photo: String) -> Spread?) -> [(
        photo: String, speed: Double, place: Place
    )] {
        photos.compactMap { photo in
            speed(photo.photo).map { (photo.photo, $0.median, (x(photo.megapixels), y($0.median))) }
        }
    }

    private func line(_ places: [Place], _ className: String) -> String {
        let points = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        return "<polyline points=\"\(points)\" class=\"\(className)\"/>"
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(text.escapedForHTML)</text>"
    }

    /// The axis of sizes is logarithmic.
    private func x(_ megapixels: Double) -> Double {
        let low = log(photos.first?.megapixels ?? 1), high = log(photos.last?.megapixels ?? 2)
        let share = high > low ? (log(megapixels) - low) / (high - low) : 0.5
        return (Self.left + 12 + (Self.width - Self.left - Self.right - 24) * share).rounded()
    }

    private func y(_ speed: Double) -> Double {
        (Self.top + (Self.height - Self.top - Self.bottom) * (1 - axis.position(speed))).rounded()
    }
}
