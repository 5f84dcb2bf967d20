import Files
import Foundation

/// The cores and the memory that this process may use: fewer than the machine's in a container, in a batch
/// system, or under `taskset` or `ulimit`.
public struct AvailableMachine: Hashable, Sendable {
    /// Cores that the process may run on, at least 1. A fraction of a core counts as one.
    public let processorCount: Int
    /// Bytes of memory that the process may use.
    public let memoryByteCount: Int

    /// The values at the first access.
    public static let current = AvailableMachine(
        physicalProcessors: ProcessInfo.processInfo.processorCount,
        physicalMemory: Int(clamping: ProcessInfo.processInfo.physicalMemory),
        addressSpace: ResourceLimit.addressSpace.soft)

    /// The process's peak resident memory in bytes; 0 if it cannot be read.
    public static var peakMemoryByteCount: Int {
        // Not from getrusage(2), whose peak includes the process before exec(3).
        let line = TextFile.lines("/proc/self/status").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) << 10
    }

    /// - Parameter root: prefix of the paths of `/proc` and `/sys`, for tests.
    init(physicalProcessors: Int, physicalMemory: Int, addressSpace: Int?, root: String = "") {
        let groups = ControlGroups(root: root)
        // Rounded up: a fraction of a core is best used by a thread of its own.
        let quota = groups.processors.map { Int($0.rounded(.up)) }
        let affinity = Self.affinity(TextFile.lines(root + "/proc/self/status"))
        processorCount = max(1, [affinity ?? physicalProcessors, quota].compactMap(\.self).min() ?? 1)
        memoryByteCount =
            [physicalMemory, groups.memoryByteCount, addressSpace].compactMap(\.self).min() ?? 0
    }

    /// Cores on which the scheduler may run this process. Swift does not import sched_getaffinity(2).
    private static func affinity(_ status: [String]) -> Int? {
        let key = "Cpus_allowed:"
        guard let line = status.first(where: { $0.hasPrefix(key) }) else { return nil }
        let count = line.dropFirst(key.count).compactMap(\.hexDigitValue).reduce(0) {
            $0 + $1.nonzeroBitCount
        }
        return count > 0 ? count : nil
    }
}
