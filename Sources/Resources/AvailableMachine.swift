import Files
import Foundation

/// What this process may use of its machine: less than there is where it runs in a container, under a batch
/// system, or under `taskset` or `ulimit`.
public struct AvailableMachine: Hashable, Sendable {
    /// Cores that it may run on, at least 1.
    public let processorCount: Int
    /// Bytes of memory that it may have.
    public let memoryByteCount: Int

    /// As it was when the program first asked.
    public static let current = AvailableMachine(
        physicalProcessors: ProcessInfo.processInfo.processorCount,
        physicalMemory: Int(clamping: ProcessInfo.processInfo.physicalMemory),
        addressSpace: ResourceLimit.addressSpace.soft)

    /// The most memory that this process has had at once.
    public static var peakMemoryByteCount: Int {
        // Not getrusage's: that counts what the process was before it became this program.
        let line = TextFile.lines("/proc/self/status").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) << 10
    }

    /// - Parameter root: what the files of `/proc` and `/sys` are below; tests have folders of their own.
    init(physicalProcessors: Int, physicalMemory: Int, addressSpace: Int?, root: String = "") {
        let groups = ControlGroups(root: root)
        // A part of a core is used best by a thread of its own.
        let quota = groups.processors.map { Int($0.rounded(.up)) }
        let affinity = Self.affinity(TextFile.lines(root + "/proc/self/status"))
        processorCount = max(1, [affinity ?? physicalProcessors, quota].compactMap(\.self).min() ?? 1)
        memoryByteCount =
            [physicalMemory, groups.memoryByteCount, addressSpace].compactMap(\.self).min() ?? 0
    }

    /// Cores on which the scheduler may put this process: what sched_getaffinity(2) tells, which Swift does not see.
    private static func affinity(_ status: [String]) -> Int? {
        let key = "Cpus_allowed:"
        guard let line = status.first(where: { $0.hasPrefix(key) }) else { return nil }
        let count = line.dropFirst(key.count).compactMap(\.hexDigitValue).reduce(0) {
            $0 + $1.nonzeroBitCount
        }
        return count > 0 ? count : nil
    }
}
