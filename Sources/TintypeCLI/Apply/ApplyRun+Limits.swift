import Tintype

/// How much of the machine a run takes.
extension ApplyRun {
    /// Workers whose threads and files stand for those of drivers: PoCL starts a thread for each core.
    private static let workersForDrivers = 16

    /// Checks the limits of the process and the memory before drivers are loaded, for which there may be too little.
    func workerLimitAtStart() throws(ProcessLimitError) -> WorkerLimit {
        let workerLimit = try makeWorkerLimit(for: concurrentPhotoCount)
        _ = try memoryByteCount(within: workerLimit)
        return workerLimit
    }

    /// Drivers start threads and take memory, so that fewer workers may fit than at the start; nil without drivers.
    func workerLimit(beside devices: RunDevices) throws(ProcessLimitError) -> WorkerLimit? {
        guard devices.count > 1 || devices.pool.devices.contains(where: { $0.info.kind != .simd })
        else { return nil }
        return try makeWorkerLimit(for: concurrentPhotoCount(on: devices.count))
    }

    private func makeWorkerLimit(for wanted: Int) throws(ProcessLimitError) -> WorkerLimit {
        try WorkerLimit(for: wanted, outputs: settings.outputs.count)
    }

    var concurrentPhotoCount: Int { concurrentPhotoCount(on: 1) }

    /// Workers that wait for a slow device must leave enough others for the fast one.
    func concurrentPhotoCount(on deviceCount: Int) -> Int {
        command.limits.jobs ?? (deviceCount > 1 ? 2 : 1) * AvailableMachine.current.processorCount
    }

    var decodeLimits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxPixels = command.limits.maxPixels { limits.maxPixels = maxPixels }
        limits.memoryByteCount = command.limits.maxPhotoMemory?.byteCount
        limits.maxScans = command.limits.maxScans
        limits.jpegCodec = command.jpegCodec
        return limits
    }

    /// Why `auto` does not look for OpenCL devices; nil if it does.
    func limitThatLeavesOpenCLOut(_ workerLimit: WorkerLimit) -> String? {
        guard isAutomatic else { return nil }
        if !workerLimit.fitsOpenCL {
            return "The limit of memory (ulimit -v) is too low for OpenCL's drivers"
        }
        if !AvailableMachine.current.fitsDrivers {
            return "This machine or container has too little memory for OpenCL's drivers"
        }
        return nil
    }

    /// The memory that all photos at work may take together.
    ///
    /// - Throws: `ProcessLimitError`.
    func memoryByteCount(within workerLimit: WorkerLimit) throws(ProcessLimitError) -> Int {
        if let memory = command.limits.memory { return memory.byteCount }
        let hasDrivers =
            limitThatLeavesOpenCLOut(workerLimit) == nil
            && (command.deviceChoice.devices.isEmpty || command.deviceChoice.devices.contains { $0 != "cpu" })
        let byteCount = try AvailableMachine.current.photoByteCount(withDrivers: hasDrivers)
        return max(min(byteCount, (workerLimit.memoryByteCount ?? .max) / 2), MemoryBudget.leastByteCount)
    }

    /// Whether no limit of the process is near, so that drivers can be loaded while workers run. Otherwise they are
    /// loaded first, and the workers get what is left.
    func fitsDrivers(beside workerLimit: WorkerLimit) -> Bool {
        guard workerLimit.note == nil, workerLimit.memoryByteCount == nil,
            // On several devices there are more workers.
            let more = try? makeWorkerLimit(for: concurrentPhotoCount(on: 2) + Self.workersForDrivers)
        else { return false }
        return more.note == nil
    }
}
