import Foundation

/// What was found of many photos.
struct Counts {
    private var all: [Fuzzer.Verdict: Int] = [:]
    /// Photos as they were drawn.
    private var undamaged = 0, refusedUndamaged = 0

    /// Whether the device did its part: it refused none of the photos without damage.
    var refusedNoSoundPhoto: Bool { refusedUndamaged == 0 }

    mutating func add(_ verdict: Fuzzer.Verdict, isUndamaged: Bool) {
        all[verdict, default: 0] += 1
        guard isUndamaged else { return }
        undamaged += 1
        if verdict == .refused { refusedUndamaged += 1 }
    }

    private func count(_ verdict: Fuzzer.Verdict) -> Int { all[verdict] ?? 0 }

    /// Of the photos that the CPU takes as whole, those that the device left to it.
    private var refusedShare: String {
        let refused = count(.refused), whole = count(.equal) + refused + count(.notOffered)
        return whole > 0
            ? String(format: "%d (%.1f %%)", refused, 100 * Double(refused) / Double(whole)) : "0"
    }

    /// The lines of a table.
    func table(beside short: Counts) -> [String] {
        func row(_ name: String, _ values: [String]) -> String {
            let columns = values.map { String(repeating: " ", count: max(1, 16 - $0.count)) + $0 }
            return name.padding(toLength: 38, withPad: " ", startingAt: 0) + columns.joined()
        }
        func row(_ name: String, _ value: (Counts) -> String) -> String {
            row(name, [value(self), value(short)])
        }
        return [
            row("subsequences", ["usual", "short"]),
            row("equal") { "\($0.count(.equal))" },
            row("damaged for both") { "\($0.count(.damaged))" },
            row("header that neither reads") { "\($0.count(.unreadable))" },
            row("header that the device does not know") { "\($0.count(.notOffered))" },
            row("whole for the CPU, left to it") { $0.refusedShare },
            row("of those without damage") { "\($0.refusedUndamaged) of \($0.undamaged)" },
        ]
    }
}
