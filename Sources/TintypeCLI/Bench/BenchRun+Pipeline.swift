import Foundation
import Tintype
import TintypeBenchmarking

extension BenchRun {
    /// The filter that is measured, unless another is named.
    private static let usualFilter = "sepia"

    /// Measures batches from files to files, and prints the report.
    ///
    /// - Parameter made: gets the folder, to remove it if the process ends at once.
    /// - Returns: the process's exit code.
    func measurePipeline(
        _ photos: [BenchmarkPhoto], _ devices: [any Device], _ progress: BenchProgress,
        _ isStopped: @escaping @Sendable () -> Bool, made: (PipelineFolder) -> Void
    ) throws -> Int32 {
        var settings = PipelineSettings(
            devices: devices,
            chain: try command.filters.isEmpty
                ? BenchmarkChain(parsing: Self.usualFilter) : command.chains()[0],
            photos: photos)
        settings.mostJobs = command.jobs
        settings.jpegCodec = try command.codecs.codec()
        settings.rounds = command.rounds ?? (command.quick ? 2 : 3)
        settings.secondsLimit = command.seconds ?? (command.quick ? 5 : 100)
        var hooks = Benchmark.Hooks()
        hooks.isCancelled = isStopped
        hooks.progress = progress.show
        let report: PipelineReport
        do {
            let folder = try PipelineFolder(in: command.folder)
            made(folder)
            defer { folder.remove() }
            let benchmark = try PipelineBenchmark(settings, in: folder, hooks: hooks)
            try benchmark.run()
            report = benchmark.report(
                version: Version.number, commit: commit, date: Self.date, machine: .current)
        } catch {
            progress.clear()
            terminal.print("\(error)", .failure)
            return ExitStatus(startError: error).rawValue
        }
        progress.clear()
        let isPrinted = print(report, report.text(width: width))
        if !report.areDevicesSound { return ExitStatus.device.rawValue }
        return isPrinted ? ExitStatus.done.rawValue : ExitStatus.photosFailed.rawValue
    }
}
