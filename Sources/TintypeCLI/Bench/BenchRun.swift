import Foundation
import Tintype
import TintypeBenchmarking
import TintypeLocking

/// One run of `tintype bench`: finds devices and photos, measures, and prints the report.
struct BenchRun {
    let command: BenchCommand
    let terminal = Terminal()

    init(_ command: BenchCommand) { self.command = command }

    /// - Returns: the process's exit code.
    func run() throws -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let folder = Locked<PipelineFolder?>(nil)
        let interruption = Interruption(temporaries: TemporaryFiles()) { [terminal] _ in
            folder.withLock { $0 }?.remove()
            terminal.show("")
        }
        interruption.onSignal {
            terminal.print("Stopping; the report has what was measured. Interrupt again to stop at once.")
        }
        let isStopped: @Sendable () -> Bool = { interruption.exitCode != nil }
        let devices: [any Device]
        do {
            devices = try selectedDevices()
        } catch {
            terminal.print("\(error)")
            return ExitStatus.device.rawValue
        }
        let progress = BenchProgress(terminal, command.progress)
        guard let photos = readPhotos(progress, isStopped) else { return ExitStatus.photosFailed.rawValue }
        if command.pipeline {
            let code = try measurePipeline(photos, devices, progress, isStopped) { made in
                folder.withLock { $0 = made }
            }
            return interruption.exitCode ?? code
        }
        let report: BenchmarkReport
        do {
            report = try measure(photos, devices, progress, isStopped)
        } catch {
            progress.clear()
            terminal.print("\(error)")
            return ExitStatus.photosFailed.rawValue
        }
        progress.clear()
        if command.together, report.together.isEmpty {
            terminal.print("Nothing was measured together: that takes two devices, and both right.")
        }
        let isWritten = try write(report)
        if let code = interruption.exitCode { return code }
        if !report.areDevicesSound { return ExitStatus.device.rawValue }
        return isWritten ? ExitStatus.done.rawValue : ExitStatus.photosFailed.rawValue
    }

    private func measure(
        _ photos: [BenchmarkPhoto], _ devices: [any Device], _ progress: BenchProgress,
        _ isStopped: @escaping @Sendable () -> Bool
    ) throws -> BenchmarkReport {
        var settings = BenchmarkSettings(devices: devices, chains: try command.chains(), photos: photos)
        settings.jobs = command.jobs ?? settings.jobs
        settings.isQuick = command.quick
        settings.measuresScaling = command.scaling
        settings.measuresTogether = command.together
        settings.jpegCodec = try command.codecs.codec()
        settings.rounds = command.rounds ?? (command.quick ? 2 : 5)
        settings.secondsLimit = command.seconds ?? (command.quick ? 5 : 100)
        var hooks = Benchmark.Hooks()
        hooks.isCancelled = isStopped
        hooks.progress = progress.show
        hooks.startup = { device, chain in
            do {
                return try StartupProbe(kernels: command.kernels).measure(device: device, chain: chain)
            } catch  where isStopped() {
                // The terminal sent the signal to the other process too.
                return nil
            }
        }
        let date = Self.date
        let benchmark = try Benchmark(settings, hooks: hooks)
        try benchmark.run()
        return benchmark.report(version: Version.number, commit: commit, date: date, machine: .current)
    }

    /// ISO 8601, in UTC.
    static var date: String { ISO8601DateFormatter().string(from: Date()) }

    /// The commit that reports name.
    var commit: String {
        let commit = command.commit ?? Version.commit
        return commit.isEmpty ? "unknown" : commit
    }

    private func selectedDevices() throws(DeviceError) -> [any Device] {
        guard !command.devices.isEmpty else {
            return command.pipeline ? PipelineSettings.allDevices() : BenchmarkSettings.allDevices()
        }
        let selection = try DeviceSelection(command.devices)
        for note in selection.notes { terminal.print(note) }
        return selection.devices
    }

    /// Nil if a photo cannot be read or made; the error is printed.
    private func readPhotos(_ progress: BenchProgress, _ isStopped: () -> Bool) -> [BenchmarkPhoto]? {
        var photos: [BenchmarkPhoto] = []
        for path in command.photos {
            do {
                photos.append(try BenchmarkPhoto(path: path))
            } catch {
                terminal.print("\(path): \(error)", .failure)
                return nil
            }
        }
        guard command.photos.isEmpty else { return photos.withUniqueNames() }
        let usual = command.pipeline ? [command.quick ? 0.3 : 12] : command.quick ? [0.3, 1.2] : [2, 12, 50]
        let sizes = command.size.isEmpty ? usual : command.size
        for size in Set(sizes).sorted() where !isStopped() {
            progress.show("making a photo of \(size) MP", 0)
            do {
                photos.append(try BenchmarkPhoto(megapixels: size))
            } catch {
                progress.clear()
                terminal.print("\(error)")
                return nil
            }
        }
        return photos
    }

    /// - Returns: false if the report could not be written in full; the error is printed.
    private func write(_ report: BenchmarkReport) throws -> Bool {
        var isWhole = true
        if !print(report, report.text(width: width)) { isWhole = false }
        for device in report.devices where command.json {
            if let error = device.error { terminal.print("\(report.label(device.device)): \(error)") }
        }
        if let path = command.report {
            do {
                try Data(ReportPage(report).html.utf8).write(
                    to: URL(fileURLWithPath: path), options: .atomic)
                terminal.print("The report is in \(path).")
            } catch {
                terminal.print("\(path) could not be written: \(error.localizedDescription)")
                isWhole = false
            }
        }
        return isWhole
    }

    /// - Returns: false if the report could not be printed in full; the error is.
    func print(_ report: some Encodable, _ text: String) -> Bool {
        let text = command.json ? report.jsonText(pretty: true) + "\n" : text.printable
        guard let reason = StandardStream.output.write(text) else { return true }
        let error = StandardStream.OutputError(reason: reason)
        if !error.isReaderGone { terminal.print("\(error) The report is not whole.", .failure) }
        return false
    }

    var width: Int { StandardStream.output.columns ?? .max }
}

extension [BenchmarkPhoto] {
    /// Results are found by their photo's name, which photos of two folders may share.
    fileprivate func withUniqueNames() -> [BenchmarkPhoto] {
        var counts: [String: Int] = [:]
        return map { photo in
            counts[photo.name, default: 0] += 1
            let count = counts[photo.name, default: 1]
            return count == 1 ? photo : photo.renamed("\(photo.name) (\(count))")
        }
    }
}
