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
        var svg = SVG(width: Self.width, height: Self.height, label: "MP/s by size for \(chain)")
        for tick in axis.ticks {
            svg.line(Self.left, y(tick), Self.width - Self.right, y(tick), class: "rule")
            svg.text(axis.text(tick), Self.left - 6, y(tick) + 4, .end)
        }
        svg.text("MP/s", Self.left - 6, 12, .end)
        for photo in photos {
            svg.text(Figures.plain(photo.megapixels), x(photo.megapixels), Self.height - 18, .middle)
        }
        svg.text("megapixels", (Self.left + Self.width - Self.right) / 2, Self.height - 3, .middle)
        let floor = photos.compactMap { photo in
            report.floor(.rgb, photo: photo.photo).map {
                (x: x(photo.megapixels), y: y($0.megapixelsPerSecond.median))
            }
        }
        svg.path(floor, class: "floor rgb")
        for device in report.devices { draw(device.device, in: &svg) }
        for entry in report.breakEvens where entry.chain == chain { draw(entry, in: &svg) }
        return "<figure><figcaption>\(chain.escapedForHTML)</figcaption>\(svg.html)</figure>\n"
    }

    private func draw(_ device: String, in svg: inout SVG) {
        let points = photos.compactMap { photo in
            report.result(device: device, chain: chain, photo: photo.photo).map { result in
                (
                    x: x(photo.megapixels), y: y(result.megapixelsPerSecond.median),
                    title: "\(device), \(photo.photo): "
                        + "\(Figures.short(result.megapixelsPerSecond.median)) MP/s"
                )
            }
        }
        svg.path(points.map { ($0.x, $0.y) }, class: colours.className(device))
        for point in points {
            svg.dot(point.x, point.y, class: colours.className(device), title: point.title)
        }
    }

    private func draw(_ entry: BenchmarkReport.BreakEvenEntry, in svg: inout SVG) {
        guard let megapixels = entry.megapixels else { return }
        svg.line(x(megapixels), Self.top, x(megapixels), y(0), class: "break-even")
        svg.text(
            "\(entry.device) from \(Figures.short(megapixels)) MP", x(megapixels) + 4, Self.top + 10,
            class: "value")
    }

    /// Sizes double from place to place: logarithmic.
    private func x(_ megapixels: Double) -> Double {
        let low = log(photos.first?.megapixels ?? 1), high = log(photos.last?.megapixels ?? 2)
        let share = high > low ? (log(megapixels) - low) / (high - low) : 0.5
        return Self.left + 12 + (Self.width - Self.left - Self.right - 24) * share
    }

    private func y(_ speed: Double) -> Double {
        Self.top + (Self.height - Self.top - Self.bottom) * (1 - axis.place(speed))
    }
}
