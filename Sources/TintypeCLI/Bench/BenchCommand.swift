import ArgumentParser
import Foundation
import Tintype
import TintypeBenchmarking

/// `tintype bench`: measures this machine's devices.
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Check and measure the devices of this machine.",
        discussion: """
            First, every device's bytes are compared with the CPU's, for every filter and photo. A device \
            that differs is named and left out, and the exit code is 4. Then the benchmark measures where a \
            photo's time goes, how fast kernels are compared with copying the device's memory, and how fast \
            JPEGs are filtered in memory compared with libjpeg alone (FLOOR). Figures are medians with their \
            quartiles.

            Without photos the benchmark makes its own, which are always the same.

            --pipeline measures batches from files to files instead, as 'tintype apply' runs them: where \
            a photo's time goes, and what binds. Its files are in memory unless --folder names a disk. By \
            default, it takes sepia, 12 megapixels, the CPU, all OpenCL devices, and three rounds.

            EXAMPLES
              tintype bench
              tintype bench --quick
              tintype bench -d cpu -d gpu -f sepia+noir --size 24 --report report.html
              tintype bench --json photo.jpg > bench.json
              tintype bench --pipeline --folder /mnt/photos
            """)

    @Argument(
        help: ArgumentHelp(
            "JPEGs to measure with. (default: photos that the benchmark makes)", valueName: "photo"),
        completion: .file())
    var photos: [String] = []

    @Option(
        help: ArgumentHelp(
            "Megapixels of a made photo; may repeat. (default: 2, 12 and 50)", valueName: "megapixels"))
    var size: [Double] = []

    @Option(
        name: [.customShort("f", allowingJoined: true), .customLong("filter")],
        help: ArgumentHelp(
            "A filter, or a chain joined by +, as 'tintype apply' takes it; may repeat, and each is measured. "
                + "(default: every filter, and two chains)", valueName: "filter"), completion: .filters)
    var filters: [String] = []

    @OptionGroup
    var kernels: KernelFlags

    @Option(
        name: [.customShort("d", allowingJoined: true), .customLong("device")],
        help: ArgumentHelp(
            "A device as 'tintype apply' takes it, or cpu.LEVEL; may repeat. (default: all, and every "
                + "instruction-set level of the CPU)", valueName: "device"), completion: .devices)
    var devices: [String] = []

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp(
            "Photos that are filtered at once. (default: the number of CPU cores)", valueName: "number"))
    var jobs: Int?

    @Option(help: ArgumentHelp("Measure at most this many rounds. (default: 5)", valueName: "number"))
    var rounds: Int?

    @Option(
        help: ArgumentHelp(
            "Start no measurement after this time; the first round is always completed. (default: 100)",
            valueName: "number"))
    var seconds: Double?

    @Flag(help: "Measure the largest photo also with 1, 2, 4, ... photos at once, up to --jobs.")
    var scaling = false

    @Flag(
        help:
            "Measure the largest photo also on the CPU and all OpenCL devices at once, which share the photos."
    )
    var together = false

    @Flag(
        help: """
            Measure batches from files to files, with 1, 2, 4, ... photos at once, up to --jobs, with a journal and \
            without, and tell what binds: the processors, the device, reading or writing.
            """)
    var pipeline = false

    @Option(
        help: ArgumentHelp(
            "Where --pipeline keeps its photos and outputs meanwhile, to measure that disk. (default: in memory)",
            valueName: "folder"), completion: .directory)
    var folder: String?

    @Flag(help: "Use small photos and two rounds, for a trial in seconds.")
    var quick = false

    @Flag(help: "Print the report as one JSON document on standard output.")
    var json = false

    @Option(
        help: ArgumentHelp("Write the report as a page with charts, replacing it.", valueName: "file.html"),
        completion: .file(extensions: ["html"]))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "The commit to name in the report. (default: that of --version)",
            valueName: "text"))
    var commit: String?

    @Option(help: MessageFlags.progressHelp)
    var progress: ProgressStyle = .auto

    @OptionGroup
    var codecs: CodecFlags

    @Option(help: .hidden)
    var startupOf: String?

    func validate() throws {
        if !photos.isEmpty, !size.isEmpty {
            throw ValidationError("--size is for synthesised photos; leave it out when you name photos.")
        }
        for size in size where !(0.01...1000).contains(size) {
            throw ValidationError("--size expects megapixels from 0.01 to 1000, got \(size).")
        }
        if let jobs, !(1...1024).contains(jobs) {
            throw ValidationError("--jobs expects a number from 1 to 1024, got \(jobs).")
        }
        if let rounds, !(1...10_000).contains(rounds) {
            throw ValidationError("--rounds expects a number from 1 to 10000, got \(rounds).")
        }
        if let seconds, !(seconds >= 0) {
            throw ValidationError("--seconds expects a number from 0 on, got \(seconds).")
        }
        try validatePipeline()
        try kernels.register()
        for chain in try chains() { try chain.chain.tryKernels() }
        guard let report else { return }
        guard ["html", "htm"].contains(URL(fileURLWithPath: report).pathExtension.lowercased()) else {
            throw ValidationError("--report writes a page: give it a name that ends in .html, not \(report).")
        }
        let folder = URL(fileURLWithPath: report).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw ValidationError("--report cannot write to \(folder); name a folder that exists.")
        }
    }

    private func validatePipeline() throws {
        guard pipeline else {
            if folder != nil { throw ValidationError("--folder is for --pipeline; add that.") }
            return
        }
        if let folder, !FileManager.default.isWritableFile(atPath: folder) {
            throw ValidationError("--folder cannot write to \(folder); name a folder that exists.")
        }
        for (flag, isGiven) in [
            ("--scaling", scaling), ("--together", together), ("--report", report != nil),
        ] where isGiven {
            throw ValidationError("\(flag) is no part of --pipeline; leave it out.")
        }
        if filters.count > 1 {
            throw ValidationError("--pipeline measures one chain; name its filters in one, joined by +.")
        }
    }

    func chains() throws -> [BenchmarkChain] {
        do {
            // Each chain once: results are found by their chain's text.
            return try (filters.isEmpty ? BenchmarkChain.standard : filters).uniqued()
                .map(BenchmarkChain.init)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() throws {
        if let startupOf { return try StartupProbe.runChild(device: startupOf, chain: chains()[0]) }
        let status = try BenchRun(self).run()
        if status != 0 { throw ExitCode(status) }
    }
}
