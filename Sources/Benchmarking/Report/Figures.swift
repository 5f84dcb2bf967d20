import Foundation

/// Numbers as people read them in tables.
enum Figures {
    /// Three digits, but no more than two decimals: 0.01, 1.23, 12.3, 123, 1230.
    static func short(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        if abs(value) >= 99.95 { return String(format: "%.0f", value) }
        return String(format: abs(value) >= 9.995 ? "%.1f" : "%.2f", value)
    }

    static func median(_ spread: Spread?) -> String { spread.map { short($0.median) } ?? "-" }

    /// Megapixels with one decimal, such as 2, 12 or 0.3: photos of a size have about as many pixels.
    static func plain(_ megapixels: Double) -> String {
        String(format: "%g", (megapixels * 10).rounded() / 10)
    }

    static func percent(_ share: Double?) -> String {
        share.map { String(format: "%.0f%%", $0 * 100) } ?? "-"
    }

    static func milliseconds(_ seconds: Spread) -> String { short(seconds.median * 1000) }

    /// The quartiles, `158-171`; a single measurement has none.
    static func range(_ spread: Spread) -> String {
        spread.count < 2 ? "-" : "\(short(spread.low))-\(short(spread.high))"
    }
}

extension BenchmarkReport.BreakEvenEntry {
    /// The end of a sentence about the device. Larger photos may have been left out on one of both.
    package var text: String {
        switch answer {
        case .always: "faster than the CPU at every size that both were measured with"
        case .none: "slower than the CPU at the largest size that both were measured with"
        case .from: "faster than the CPU from \(Figures.short(megapixels ?? 0)) MP on"
        }
    }
}
