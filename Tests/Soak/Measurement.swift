import CTintypeMalloc
import Foundation

/// Prints a line at once, into pipes too.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// What the process holds at one moment.
struct Measurement {
    /// What is allocated with malloc, in bytes. Leaks show here first.
    let heap: Int
    /// Memory of its own, in bytes: neither programs nor files. It includes what malloc keeps free between pieces in
    /// use.
    let memory: Int
    let fileCount: Int
    let threadCount: Int

    /// Measures once what ends by itself has ended, within some seconds.
    ///
    /// - Parameter least: what is waited for.
    static func settled(least: Measurement?) -> Measurement {
        var now = Measurement()
        for _ in 0..<40 {
            guard let least, now.fileCount > least.fileCount || now.threadCount > least.threadCount else {
                break
            }
            usleep(25_000)
            now = Measurement()
        }
        return now
    }

    /// Measures after Dispatch has ended its idle threads: it keeps them for five seconds, so that a busy process has as
    /// many as it ever needed at once.
    static func idle() -> Measurement {
        sleep(8)
        return Measurement()
    }

    init() {
        // Memory that was freed goes back to the system first.
        malloc_trim(0)
        let allocated = mallinfo2()
        heap = allocated.uordblks + allocated.hblkhd
        let rollup = (try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)) ?? ""
        let anonymous = rollup.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
        memory = (anonymous?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
        fileCount = Self.openFiles()
        threadCount = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    var text: String {
        "heap \(heap >> 10) KiB, memory \(memory >> 10) KiB, \(fileCount) files, \(threadCount) threads"
    }

    /// Without Dispatch's timers: it opens a descriptor for each clock on first use, and keeps it.
    private static func openFiles() -> Int {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count {
            // The listing's own descriptor is closed by now.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            return target != nil && target != "anon_inode:[timerfd]"
        }
    }
}

/// The measurements of a run, and whether they grow.
struct Trend {
    /// How much the median of the last third may exceed that of the first one, after the warm-up. Without a leak, some
    /// hundred KiB were measured on the CPU: blocks that Dispatch keeps for each thread. An OpenCL device's buffers for
    /// strips, 10 MiB, come and go.
    let heapTolerance: Int
    /// Memory in pages that are partly in use comes on top.
    var memoryTolerance: Int { heapTolerance + (8 << 20) }
    static let fileTolerance = 1
    /// Dispatch's threads, those that idle too; see `Measurement.idle`.
    static let threadTolerance = 4 * ProcessInfo.processInfo.activeProcessorCount

    private var samples: [(photos: Int, Measurement)] = []

    init(usesOpenCL: Bool) { heapTolerance = usesOpenCL ? 12 << 20 : 1 << 20 }

    mutating func add(_ measurement: Measurement, after photos: Int) { samples.append((photos, measurement)) }

    /// The least of all so far.
    var least: Measurement? { samples.map(\.1).min { $0.fileCount < $1.fileCount } }

    /// Compares the idle process after the warm-up with the one at the end.
    static func problems(between first: Measurement, and last: Measurement) -> [String] {
        let text = "idle: \(first.text) -> \(last.text)"
        say(text)
        let hasGrown =
            last.threadCount > first.threadCount + 1 || last.fileCount > first.fileCount + fileTolerance
        return hasGrown ? [text] : []
    }

    /// The measurements after the warm-up, a fifth of the run.
    private var warm: ArraySlice<(photos: Int, Measurement)> { samples.dropFirst(samples.count / 5) }

    private func medians(_ value: (Measurement) -> Int) -> (first: Int, last: Int) {
        let values = warm.map { value($0.1) }, third = max(1, values.count / 3)
        func median(_ part: ArraySlice<Int>) -> Int { part.sorted()[part.count / 2] }
        return (median(values.prefix(third)), median(values.suffix(third)))
    }

    /// What has grown.
    var problems: [String] {
        guard warm.count >= 3 else { return ["only \(samples.count) measurements"] }
        let checks: [(String, (Measurement) -> Int, Int)] = [
            ("bytes allocated", \.heap, heapTolerance),
            ("bytes of memory", \.memory, memoryTolerance),
            ("open files", \.fileCount, Self.fileTolerance), ("threads", \.threadCount, Self.threadTolerance),
        ]
        return checks.compactMap { name, value, tolerance in
            let (first, last) = medians(value)
            return last > first + tolerance ? "\(name) grew from \(first) to \(last)" : nil
        }
    }

    var summary: String {
        let heap = medians(\.heap), memory = medians(\.memory)
        let files = medians(\.fileCount), threads = medians(\.threadCount)
        let photos = (warm.last?.photos ?? 0) - (warm.first?.photos ?? 0)
        let perPhoto = Double(heap.last - heap.first) / Double(max(1, photos * 2 / 3))
        return "heap \(heap.first >> 10) -> \(heap.last >> 10) KiB (\(Int(perPhoto)) bytes a photo), "
            + "memory \(memory.first >> 10) -> \(memory.last >> 10) KiB, "
            + "open files \(files.first) -> \(files.last), threads \(threads.first) -> \(threads.last)"
    }
}
