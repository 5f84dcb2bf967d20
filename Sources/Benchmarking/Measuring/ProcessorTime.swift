import Foundation
import Tintype

/// The time of the processors that this process may run on: of all processes, and of this one with its children.
struct ProcessorTime {
    let all: Double
    let own: Double
    /// How many processors `all` is of.
    let processorCount: Int
    private let date = ContinuousClock.now

    /// Nil if the system does not tell.
    init?() {
        let allowed = Self.text(ofFile: "/proc/self/status").flatMap(Self.allowedProcessors)
        guard
            let busy = Self.text(ofFile: "/proc/stat").flatMap({
                Self.busy(in: $0, of: allowed, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)))
            })
        else { return nil }
        all = busy.seconds
        processorCount = busy.processorCount
        own = AvailableMachine.processorSeconds
    }

    /// The share of the processors' time since then that other processes took.
    var shareOfOthers: Double? {
        guard let now = ProcessorTime() else { return nil }
        let seconds = date.duration(to: now.date) / .seconds(1)
        let others = (now.all - all) - (now.own - own)
        return seconds > 0 ? min(max(others / (seconds * Double(processorCount)), 0), 1) : nil
    }

    /// Seconds that are neither idle nor waiting for a disk, from /proc/stat, whose columns are user, nice, system, idle, iowait,
    /// irq, softirq, steal. What a hypervisor takes is not there for this process either.
    ///
    /// - Parameter allowed: the processors that count, because work on others does not disturb a pinned process; nil counts all.
    static func busy(
        in stat: String, of allowed: [ClosedRange<Int>]?, ticksPerSecond: Int
    ) -> (seconds: Double, processorCount: Int)? {
        // Lines of one processor begin with cpu0, cpu1, ...; the line of all begins with cpu.
        let busy = stat.split(separator: "\n").compactMap { line -> Double? in
            let fields = line.split(separator: " ")
            guard let name = fields.first, name.hasPrefix("cpu"), let number = Int(name.dropFirst(3)),
                allowed?.contains(where: { $0.contains(number) }) ?? true
            else { return nil }
            let ticks = fields.dropFirst().compactMap { Double($0) }
            guard ticks.count >= 8 else { return nil }
            return ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]
        }
        guard !busy.isEmpty, ticksPerSecond > 0 else { return nil }
        return (busy.reduce(0, +) / Double(ticksPerSecond), busy.count)
    }

    /// The processors that a process may run on, which may include some that the machine lacks, from /proc/self/status: `0-3,8`.
    ///
    /// - Returns: nil if they are not told.
    static func allowedProcessors(in status: String) -> [ClosedRange<Int>]? {
        let key = "Cpus_allowed_list:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else { return nil }
        let list = line.dropFirst(key.count).trimmingCharacters(in: .whitespaces)
        let ranges = list.split(separator: ",").compactMap { text -> ClosedRange<Int>? in
            let ends = text.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return nil }
            return first...last
        }
        return ranges.isEmpty ? nil : ranges
    }

    /// This reads to the end: files in /proc report a length of 0.
    private static func text(ofFile path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The clock that measures everything.
enum ClockStep {
    /// The smallest step between two readings, of many.
    static var smallest: Double {
        (0..<10_000).compactMap { _ -> Double? in
            let start = ContinuousClock.now
            var end = ContinuousClock.now
            while end == start { end = .now }
            return start.duration(to: end) / .seconds(1)
        }.min() ?? 0
    }
}
