import Foundation
import Tintype

/// The devices of a run, and why it has these.
struct RunDevices {
    let pool: DevicePool
    /// Those of the pool, once all tests have passed.
    let count: Int
    /// Tests that continue beside the run.
    fileprivate let laterTests: LaterTests?
    /// What `auto` decided, or which devices the CPU replaces; nil if all were requested by name, and are there.
    fileprivate let choice: String?
    fileprivate let expected: Forecast?

    /// What `auto` expects of them; nil if it did not decide by measurements, or they are others now.
    var forecast: Forecast? {
        switch laterTests?.state {
        case .passed(let devices): devices.count == count ? expected : nil
        case nil: expected
        case .failed, .running: nil
        }
    }

    /// Why these devices filter the photos, as far as that is known by now; nil as `choice` is.
    var reason: String? {
        guard let choice, let laterTests else { return choice }
        switch laterTests.state {
        case .passed: return choice
        case .failed: return DeviceRoster.reasonWithoutGPU
        case .running: return "\(choice); the run ended before it had started, on the CPU"
        }
    }
}

extension ApplyRun {
    /// So many photos tell the typical size of all.
    private static let sampleCount = 9

    /// Finds the devices. Those that `auto` chose are tested beside the run, which begins on the CPU.
    ///
    /// - Throws: `DeviceError`.
    func makeDevices(_ report: RunReport, for jobs: [PhotoJob], within workerLimit: WorkerLimit) throws
        -> RunDevices
    {
        let limit = limitThatLeavesOpenCLOut(workerLimit)
        let roster = try DeviceRoster(
            limit == nil ? command.deviceChoice.devices : ["cpu"], for: settings.filters,
            policy: command.deviceChoice.fallback,
            timeLimit: command.deviceChoice.deviceTimeout?.duration,
            checkedShare: command.deviceChoice.deviceCheck?.share ?? DevicePool.usualCheckedShare,
            drivers: command.deviceChoice.driverProcess ?? true ? DriverProcessCommand.host() : .thisProcess,
            testsLater: fitsDrivers(beside: workerLimit),
            workload: { workload(jobs) })
        let notes = (limit.map { ["\($0): filtering on the CPU."] } ?? []) + roster.notes
        notes.forEach { report.note($0) }
        if isAutomatic, limit == nil, !roster.hasGPU, GPUHint.current.text != nil {
            report.note(
                "There seems to be a GPU that OpenCL does not show; 'tintype devices' says what to do.")
        }
        let choice = limit.map { "CPU: \($0)" } ?? roster.reason
        if command.messages.verbose > 0, let choice, limit == nil, !roster.isReasonNoted {
            report.note("\(choice).", nil)
        }
        let isVerbose = command.messages.verbose > 0
        roster.laterTests?.start { notes, state in
            notes.forEach { report.note($0) }
            guard isVerbose, case .passed(let devices) = state else { return }
            let names = devices.map { "\($0.identifier) (\($0.name))" }.joined(separator: ", ")
            report.note("From now on, photos go to \(names).", nil)
        }
        return RunDevices(
            pool: roster.pool, count: roster.deviceCount, laterTests: roster.laterTests, choice: choice,
            expected: roster.forecast)
    }

    var isAutomatic: Bool { command.deviceChoice.devices.allSatisfy { $0 == "auto" } }

    /// Whether the run does what `devices --tune` measures, with all processors: its speed then tells of later runs.
    func isUsual(_ jobs: [PhotoJob]) -> Bool {
        let isLocal = jobs.allSatisfy { job in
            guard case .file = job.photo.location, case .file = job.output else { return false }
            return job.photo.format == .jpeg
        }
        return isLocal && !command.watch && command.limits.jobs == nil
            && command.deviceChoice.deviceCheck == nil
            && (command.deviceChoice.deviceCodec ?? .auto) == .auto && command.jpegCodec == .best
            && settings.recipes.allSatisfy {
                $0.recipe.isCodable && !$0.recipe.optimizesCodes
            }
    }

    private func workload(_ jobs: [PhotoJob]) -> Workload {
        let recipes = settings.recipes.map(\.recipe), samples = samples(jobs)
        let sizes = samples.map(\.pixelCount).sorted(), codable = samples.filter(\.isCodable)
        return Workload(
            recipes.map(\.chain),
            megapixels: sizes.isEmpty ? Workload.usualMegapixels : Double(sizes[sizes.count / 2]) / 1e6,
            photoCount: command.watch ? nil : jobs.count / recipes.count,
            workerCount: min(concurrentPhotoCount, AvailableMachine.current.processorCount),
            halvesSize: recipes.allSatisfy(\.halvesSize),
            isCodable: command.deviceChoice.deviceCodec != .never && 2 * codable.count >= samples.count
                && recipes.allSatisfy { $0.isCodable })
    }

    /// A photo's pixels, and whether a device may decode it.
    private typealias Sample = (pixelCount: Int, isCodable: Bool)

    /// Some of the photos, as their headers tell; none if none can be read yet.
    private func samples(_ jobs: [PhotoJob]) -> [Sample] {
        let step = max(1, jobs.count / Self.sampleCount)
        return stride(from: 0, to: jobs.count, by: step).prefix(Self.sampleCount)
            .compactMap { try? sample(jobs[$0].photo) }
    }

    /// - Returns: nil for a photo that is not a file yet.
    private func sample(_ photo: InputPhoto) throws -> Sample? {
        guard case .file(let path) = photo.location else { return nil }
        let file = try OpenFile(reading: path)
        let reader = try PhotoReader(fileDescriptor: file.number, limits: decodeLimits)
        return (reader.geometry.pixelCount, reader.reasonToDecodeHere == nil)
    }
}

extension Recipe {
    /// Whether a device may encode outputs that are made of JPEGs.
    fileprivate var isCodable: Bool {
        outputFormat(for: .jpeg) == .jpeg && !isProgressive && maxByteCount == nil
    }
}
