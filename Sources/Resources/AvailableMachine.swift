import Foundation
import TintypeFiles

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
        addressSpace: ResourceLimit.addressSpace.soft,
        environment: ProcessInfo.processInfo.environment)

    /// The process's peak resident memory in bytes; 0 if it cannot be read.
    public static var peakMemoryByteCount: Int {
        // Not from getrusage(2), whose peak includes the process before exec(3).
        let line = TextFile.lines("/proc/self/status").first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) << 10
    }

    /// Seconds of processors' time that this process has taken, with its children that have ended.
    package static var processorSeconds: Double {
        var sum = 0.0
        for who in [RUSAGE_SELF, RUSAGE_CHILDREN] {
            var usage = rusage()
            getrusage(__rusage_who_t(who.rawValue), &usage)
            for time in [usage.ru_utime, usage.ru_stime] {
                sum += Double(time.tv_sec) + Double(time.tv_usec) / 1e6
            }
        }
        return sum
    }

    /// - Parameters:
    ///   - root: prefix of the paths of `/proc` and `/sys`, for tests.
    ///   - environment: may tell what a cluster's scheduler gave.
    init(
        physicalProcessors: Int, physicalMemory: Int, addressSpace: Int?, root: String = "",
        environment: [String: String] = [:]
    ) {
        let groups = ControlGroups(root: root)
        // Rounded up: a fraction of a core is best used by a thread of its own.
        let quota = groups.processors.map { Int($0.rounded(.up)) }
        let affinity = Self.affinity(TextFile.lines(root + "/proc/self/status"))
        processorCount = max(
            1,
            [affinity ?? physicalProcessors, quota, Self.scheduled(environment)].compactMap(\.self).min() ?? 1
        )
        memoryByteCount =
            [physicalMemory, groups.memoryByteCount, addressSpace].compactMap(\.self).min() ?? 0
    }

    /// Cores that Slurm, PBS, LSF or SGE gave to this task. Not every cluster binds tasks to theirs.
    private static func scheduled(_ environment: [String: String]) -> Int? {
        let names: [(job: String, cores: String)] = [
            ("SLURM_JOB_ID", "SLURM_CPUS_PER_TASK"), ("PBS_JOBID", "NCPUS"),
            ("LSB_JOBID", "LSB_DJOB_NUMPROC"),
            ("SGE_TASK_ID", "NSLOTS"),
        ]
        let given = names.first { environment[$0.job] != nil }.flatMap { environment[$0.cores] }
        if let count = given.flatMap({ Int($0) }), count > 0 { return count }
        // Slurm sets the first name only where it was asked for a number of cores. A job of one task has all of its own.
        guard environment["SLURM_JOB_ID"] != nil, environment["SLURM_NTASKS"] ?? "1" == "1",
            let count = environment["SLURM_CPUS_ON_NODE"].flatMap({ Int($0) }), count > 0
        else { return nil }
        return count
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
