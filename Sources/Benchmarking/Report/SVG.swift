import Foundation

/// Elements of a chart, drawn one over the other.
struct SVG {
    enum Anchor: String { case start, middle, end }

    private var elements = ""
    let width, height: Double
    /// What the chart shows, for those who cannot see it.
    let label: String

    init(width: Double, height: Double, label: String) {
        self.width = width
        self.height = height
        self.label = label
    }

    var html: String {
        "<svg viewBox=\"0 0 \(Self.text(width)) \(Self.text(height))\" role=\"img\" "
            + "aria-label=\"\(label.escapedForHTML)\">\(elements)</svg>\n"
    }

    /// - Parameter title: shown where the pointer rests.
    mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, class name: String, title: String
    ) {
        elements +=
            "<rect x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" width=\"\(Self.text(max(width, 0)))\" "
            + "height=\"\(Self.text(max(height, 0)))\" class=\"\(name)\">"
            + "<title>\(title.escapedForHTML)</title></rect>\n"
    }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, class name: String) {
        elements +=
            "<line x1=\"\(Self.text(x1))\" y1=\"\(Self.text(y1))\" x2=\"\(Self.text(x2))\" "
            + "y2=\"\(Self.text(y2))\" class=\"\(name)\"/>\n"
    }

    mutating func path(_ points: [(x: Double, y: Double)], class name: String) {
        let steps = points.map { "\(Self.text($0.x)),\(Self.text($0.y))" }
        elements += "<polyline points=\"\(steps.joined(separator: " "))\" class=\"path \(name)\"/>\n"
    }

    mutating func dot(_ x: Double, _ y: Double, class name: String, title: String) {
        elements +=
            "<circle cx=\"\(Self.text(x))\" cy=\"\(Self.text(y))\" r=\"3.5\" class=\"\(name)\">"
            + "<title>\(title.escapedForHTML)</title></circle>\n"
    }

    mutating func text(
        _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, class name: String = "label"
    ) {
        elements +=
            "<text x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" text-anchor=\"\(anchor.rawValue)\" "
            + "class=\"\(name)\">\(text.escapedForHTML)</text>\n"
    }

    private static func text(_ number: Double) -> String {
        number.isFinite ? String(format: "%g", (number * 10).rounded() / 10) : "0"
    }
}
