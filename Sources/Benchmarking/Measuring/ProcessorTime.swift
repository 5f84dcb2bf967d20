import Foundation

/// Processors' time, of all processes and of this one with its children.
struct ProcessorTime {
    let all: Double
    let own: Double
    private let date = ContinuousClock.now

    /// Nil if the system does not tell.
    init?() {
        let stat = FileManager.default.contents(atPath: "/proc/stat").map {
            String(decoding: $0, as: UTF8.self)
        }
        guard
            let all = stat.flatMap({ Self.busySeconds(in: $0, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK))) })
        else { return nil }
        self.all = all
        own = Self.seconds(RUSAGE_SELF) + Self.seconds(RUSAGE_CHILDREN)
    }

    /// The share of the processors' time since then that other processes took.
    func shareOfOthers(processorCount: Int) -> Double? {
        guard let now = ProcessorTime() else { return nil }
        let seconds = date.duration(to: now.date) / .seconds(1)
        let others = (now.all - all) - (now.own - own)
        return seconds > 0 ? min(max(others / (seconds * Double(processorCount)), 0), 1) : nil
    }

    /// Seconds that are neither idle nor waiting for a disk, from /proc/stat: user, nice, system, idle, iowait, irq, softirq,
    /// steal. What a hypervisor takes is not there for this process either.
    static func busySeconds(in stat: String, ticksPerSecond: Int) -> Double? {
        guard let line = stat.split(separator: "\n").first(where: { $0.hasPrefix("cpu ") }) else {
            return nil
        }
        let ticks = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard ticks.count >= 8, ticksPerSecond > 0 else { return nil }
        return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7]) / Double(ticksPerSecond)
    }

    private static func seconds(_ who: __rusage_who) -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(who.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
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
