import Foundation

/// Numbers as people read them in tables.
enum Figures {
    /// Three significant digits: 0.0123, 1.23, 12.3, 123, 1230.
    static func short(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let magnitude = abs(value)
        if magnitude >= 99.95 { return String(format: "%.0f", value) }
        if magnitude >= 9.995 { return String(format: "%.1f", value) }
        if magnitude >= 0.09995 || magnitude == 0 { return String(format: "%.2f", value) }
        return String(format: "%.3g", value)
    }

    static func percent(_ share: Double?) -> String { share.map { String(format: "%.0f%%", $0 * 100) } ?? "-" }

    static func milliseconds(_ seconds: Spread) -> String { short(seconds.median * 1000) }

    /// The quartiles, `158-171`.
    static func range(_ spread: Spread) -> String { "\(short(spread.low))-\(short(spread.high))" }
}

extension BenchmarkReport.BreakEvenEntry {
    /// The end of a sentence about the device.
    package var text: String {
        switch answer {
        case .always: "faster than \(cpu) at every size"
        case .none: "never faster than \(cpu) (none)"
        case .from: "faster than \(cpu) from \(Figures.short(megapixels ?? 0)) MP on"
        }
    }
}
