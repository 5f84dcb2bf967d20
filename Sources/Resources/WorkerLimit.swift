import CTintypeMalloc
import Foundation
import Glibc
import TintypeImaging

/// The number of photos that this process's limits allow at once: open files, threads, address space.
///
/// It is computed before a run begins, because later neither limit can be reported: Dispatch retries forever
/// to create a thread, and Swift ends the process if an allocation fails.
public struct WorkerLimit: Sendable {
    /// Photos at once: the wanted number or fewer, at least 1.
    public let workerCount: Int
    /// Why there are fewer than wanted; nil otherwise.
    public let note: String?
    /// Bytes of address space left for photos once all threads run; nil without a limit.
    public let memoryByteCount: Int?

    /// Whether OpenCL drivers may be loaded. PoCL needs 330 MiB of address space; 512 MiB leaves a margin for
    /// other drivers.
    public var fitsOpenCL: Bool { memoryByteCount ?? .max >= 512 << 20 }

    /// Raises the soft limit of open files to the hard limit, has large blocks of memory returned to the system when they are
    /// freed, then checks all limits.
    ///
    /// - Parameters:
    ///   - wanted: photos at once, at least 1.
    ///   - outputs: outputs of each photo that are made at once.
    /// - Throws: `ProcessLimitError` if the limits do not allow a single photo.
    public init(for wanted: Int, outputs: Int = 1) throws(ProcessLimitError) {
        ResourceLimit.openFiles.raise()
        // By default, malloc raises this threshold to the largest block that was freed, up to 32 MiB, and keeps smaller ones:
        // 80 MiB, measured with progressive photos that had a budget of 40 MiB.
        mallopt(M_MMAP_THRESHOLD, Self.largeBlock)
        let filesEach = Self.filesEach + Self.filesOfFurtherOutput * (outputs - 1)
        let threadsEach = Self.threadsEach + Self.threadsOfFurtherOutput * (outputs - 1)
        let files = try Self.workers(within: ResourceLimit.openFiles.soft, filesEach)
        let memory = try Self.workersWithinAddressSpace(threadsEach)
        let fitting = min(wanted, files ?? wanted, memory ?? wanted)
        let threads = ThreadProbe(Self.usualThreads + threadsEach * fitting).count
        guard threads >= Self.usualThreads + threadsEach else {
            throw .threads(got: threads, least: Self.usualThreads + threadsEach)
        }
        workerCount = min(fitting, (threads - Self.usualThreads) / threadsEach)
        memoryByteCount = Self.addressSpaceLeft(
            besides: Self.usualThreads + threadsEach * workerCount
        ).map { max($0, 0) }
        let limit =
            workerCount < fitting
            ? "processes (ulimit -u)" : fitting == files ? "open files (ulimit -n)" : "memory (ulimit -v)"
        note =
            workerCount < wanted
            ? "\(workerCount) instead of \(wanted) photos are filtered at once, because of the limit of \(limit)."
            : nil
    }

    /// Photos for which files may still be opened, at least 1; nil without a limit. Changes no limit.
    package static var photosWithinFilesLeft: Int? {
        guard let limit = ResourceLimit.openFiles.soft else { return nil }
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        return max(1, (limit - open - usualFiles) / filesEach)
    }

    /// Larger blocks are mapped, and unmapped when they are freed. Photos have few of them, so that the time for it is not measurable.
    private static let largeBlock: Int32 = 1 << 20
    /// Files open in every run: standard streams, the journal and its lock, Dispatch's and drivers' files.
    private static let usualFiles = 24
    /// Files of each photo: the photo, its copy if it came from a pipe, its output, and the output's folder.
    private static let filesEach = 4
    /// An output and its folder.
    private static let filesOfFurtherOutput = 2
    /// Threads of every run: the main thread's helpers, Foundation's queues, downloads, and two photos whose
    /// outputs are written to disk.
    private static let usualThreads = 12
    /// Threads of each worker: its own, one that reads ahead, and one for driver calls.
    private static let threadsEach = 3
    /// One that renders it, and one for driver calls.
    private static let threadsOfFurtherOutput = 2
    /// The smallest budget of the photos, plus libraries and messages: 10 MiB measured, doubled.
    private static let leastMemory = MemoryBudget.leastByteCount + 20 << 20

    private static func workers(within openFiles: Int?, _ filesEach: Int) throws(ProcessLimitError) -> Int? {
        guard let openFiles else { return nil }
        let least = usualFiles + filesEach
        guard openFiles >= least else { throw .openFiles(limit: openFiles, least: least) }
        return (openFiles - usualFiles) / filesEach
    }

    private static func workersWithinAddressSpace(_ threadsEach: Int) throws(ProcessLimitError) -> Int? {
        guard let limit = ResourceLimit.addressSpace.soft, let left = addressSpaceLeft(besides: usualThreads)
        else {
            return nil
        }
        // Otherwise malloc reserves 64 MiB of address space for each thread.
        mallopt(M_ARENA_MAX, 1)
        let each = threadsEach * stackByteCount
        guard left >= leastMemory + each else {
            // From run to run, the size of a process differs by some pages.
            let margin = 1 << 20
            throw .memory(limit: limit, least: limit - left + leastMemory + each + margin)
        }
        return (left - leastMemory) / each
    }

    /// Bytes of address space left once `threadCount` threads run; nil without a limit.
    private static func addressSpaceLeft(besides threadCount: Int) -> Int? {
        guard let limit = ResourceLimit.addressSpace.soft else { return nil }
        let pages = TextFile.lines("/proc/self/statm").first?.split(separator: " ").first.flatMap { Int($0) }
        return limit - (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)) - threadCount * stackByteCount
    }

    /// Stack of a new thread: the C library reserves the main thread's stack limit and a guard page.
    private static var stackByteCount: Int {
        // Capped at 1 TiB, so that sums do not overflow.
        min(ResourceLimit.stack.soft ?? 2 << 20, 1 << 40) + 4096
    }
}

/// The process limit that is too low for a single photo.
public enum ProcessLimitError: Error, Hashable, Sendable {
    /// Only `limit` files may be open at once (`ulimit -n`), and one photo needs `least`.
    case openFiles(limit: Int, least: Int)
    /// Only `got` threads can be started, and one photo needs `least`.
    case threads(got: Int, least: Int)
    /// Address space in bytes.
    case memory(limit: Int, least: Int)
    /// The machine or its container has too little memory, in bytes, for the tool and one photo; perhaps because OpenCL's
    /// drivers need much of it.
    case machineMemory(available: Int, least: Int, withDrivers: Bool)
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
        case .machineMemory(let available, let least, let withDrivers):
            "This machine or container has \(available.mebibytes) MiB of memory, and Tintype needs \(least.mebibytes) MiB"
                + (withDrivers
                    ? " with OpenCL's drivers. Give it more, or filter on the CPU: -d cpu."
                    : ". Give it more.")
        }
    }
}

/// Counts how many idle threads can be started at once, up to a number; then ends them.
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
