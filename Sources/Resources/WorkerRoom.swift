import CMalloc
import Foundation
import Glibc
import Imaging

/// How many photos can be at work at once under this process's limits: open files, threads, address space.
///
/// It is asked before a run begins. Dispatch tries for ever to make a thread that it cannot have, and Swift ends the
/// process where it gets no memory, so neither would be told later.
public struct WorkerRoom: Sendable {
    /// Photos at once: as many as were wanted, or fewer.
    public let workerCount: Int
    /// Why there are fewer; nil where there are not.
    public let note: String?
    /// Bytes of memory that are left for photos once all threads are there; nil where nothing limits them but the
    /// machine.
    public let memoryByteCount: Int?

    /// Whether drivers may be loaded: PoCL's take 330 MiB of address space, half as much again is left for others'.
    public var fitsOpenCL: Bool { memoryByteCount ?? .max >= 512 << 20 }

    /// Raises the limit of open files as far as it may be.
    ///
    /// - Parameter wanted: photos at once, at least 1.
    /// - Throws: where not even one photo at once is possible.
    public init(for wanted: Int) throws(ProcessLimitError) {
        ResourceLimit.openFiles.raise()
        let files = try Self.workers(within: ResourceLimit.openFiles.soft)
        let memory = try Self.workersWithinAddressSpace()
        let fitting = min(wanted, files ?? wanted, memory ?? wanted)
        let threads = ThreadProbe(Self.usualThreads + Self.threadsEach * fitting).count
        guard threads >= Self.usualThreads + Self.threadsEach else {
            throw .threads(got: threads, least: Self.usualThreads + Self.threadsEach)
        }
        workerCount = min(fitting, (threads - Self.usualThreads) / Self.threadsEach)
        memoryByteCount = Self.addressSpaceLeft(
            besides: Self.usualThreads + Self.threadsEach * workerCount
        ).map { max($0, 0) }
        let limit =
            workerCount < fitting
            ? "processes (ulimit -u)" : fitting == files ? "open files (ulimit -n)" : "memory (ulimit -v)"
        note =
            workerCount < wanted
            ? "\(workerCount) instead of \(wanted) photos are filtered at once, because of the limit of \(limit)."
            : nil
    }

    /// Open whatever the run does: standard streams, the journal and its lock, Dispatch's own, drivers'.
    private static let usualFiles = 24
    /// The photo, its copy where it came through a pipe, its output, and the output's folder.
    private static let filesEach = 4
    /// The main thread's helpers, Foundation's queues, downloads, and two photos whose outputs a disk takes.
    private static let usualThreads = 12
    /// A worker's own, one that reads ahead for it, and one for a driver's calls.
    private static let threadsEach = 3
    /// The least that photos share, and what libraries and messages take besides: measured as 10 MiB, and doubled.
    private static let leastMemory = MemoryBudget.leastByteCount + 20 << 20

    private static func workers(within openFiles: Int?) throws(ProcessLimitError) -> Int? {
        guard let openFiles else { return nil }
        let least = usualFiles + filesEach
        guard openFiles >= least else { throw .openFiles(limit: openFiles, least: least) }
        return (openFiles - usualFiles) / filesEach
    }

    private static func workersWithinAddressSpace() throws(ProcessLimitError) -> Int? {
        guard let limit = ResourceLimit.addressSpace.soft, let left = addressSpaceLeft(besides: usualThreads)
        else {
            return nil
        }
        // Each thread would else have 64 MiB of address space to allocate from.
        mallopt(M_ARENA_MAX, 1)
        let each = threadsEach * stackByteCount
        guard left >= leastMemory + each else {
            throw .memory(limit: limit, least: limit - left + leastMemory + each)
        }
        return (left - leastMemory) / each
    }

    /// Bytes that may still be mapped once there are so many threads; nil without a limit.
    private static func addressSpaceLeft(besides threadCount: Int) -> Int? {
        guard let limit = ResourceLimit.addressSpace.soft else { return nil }
        let pages = TextFile.lines("/proc/self/statm").first?.split(separator: " ").first.flatMap { Int($0) }
        return limit - (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)) - threadCount * stackByteCount
    }

    /// Of a new thread: the C library takes the limit of the main thread's stack, and a page that is never touched.
    private static var stackByteCount: Int {
        // No limit that is set in earnest comes near a tebibyte; larger ones would overflow sums.
        min(ResourceLimit.stack.soft ?? 2 << 20, 1 << 40) + 4096
    }
}

/// What of this process's limits is too low for any work.
public enum ProcessLimitError: Error, Hashable, Sendable {
    case openFiles(limit: Int, least: Int)
    case threads(got: Int, least: Int)
    /// In bytes, of address space.
    case memory(limit: Int, least: Int)
}

extension ProcessLimitError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .openFiles(let limit, let least):
            "Only \(limit) files may be open at once, and Tintype needs \(least). Raise the limit: ulimit -n \(least)."
        case .threads(let got, let least):
            "Only \(got) threads can be started, and Tintype needs \(least). "
                + "Raise the limit of processes (ulimit -u), or end other programs."
        case .memory(let limit, let least):
            "The limit of \(limit.mebibytes) MiB of memory is too low: Tintype needs \(least.mebibytes) MiB. "
                + "Raise it: ulimit -v \(least / 1024)."
        }
    }
}

/// Starts threads that do nothing, and ends them, to see how many there can be at once.
private struct ThreadProbe {
    let count: Int

    init(_ wanted: Int) {
        let release = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(release, 0, 0)
        var threads: [pthread_t] = []
        while threads.count < wanted {
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { release in
                    while let release, sem_wait(release.assumingMemoryBound(to: sem_t.self)) != 0 {}
                    return nil
                }, release)
            guard code == 0 else { break }
            threads.append(thread)
        }
        count = threads.count
        for _ in threads { sem_post(release) }
        for thread in threads { pthread_join(thread, nil) }
        sem_destroy(release)
        release.deallocate()
    }
}
