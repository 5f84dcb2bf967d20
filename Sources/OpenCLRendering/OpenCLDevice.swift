import CTintypeOpenCL
import TintypeImaging
import TintypeLocking
import TintypeRendering
import TintypeResources
import TintypeStages

/// A device of an OpenCL driver: a GPU, or a CPU through a driver such as PoCL.
// @unchecked: OpenCL's calls on contexts, programs and queues are thread-safe (OpenCL 1.2, appendix A.2).
// Kernels are not thread-safe; each belongs to one render. Everything else is immutable or Locked.
public final class OpenCLDevice: MeasurableDevice, TunableDevice, PrecompilingDevice, @unchecked Sendable {
    public let info: DeviceInfo
    public var abilities: DeviceAbilities {
        DeviceAbilities(measuring: self, tuning: self, precompiling: self, coding: self)
    }
    let device: cl_device_id
    /// True if the device works in the host's memory, so that no copies are needed.
    package let sharesHostMemory: Bool
    /// The most work-items of a work-group, at least 1.
    let groupLimit: Int
    /// The most bytes of one buffer. Limits are the device's, and 2^30: kernels use signed 32-bit offsets, of
    /// which half is left for work-groups that cross an edge.
    let blockLimit: Int
    /// The most bytes of one render: a quarter of the device's memory, so that a few photos fit.
    let memoryLimit: Int
    /// Bytes of local memory of a work-group.
    let localMemoryByteCount: Int
    /// The memory for photos that the device codes; the rest is for strips and programs.
    let codingMemory: MemoryBudget
    /// The default tuning for devices of this kind.
    let usualTuning: DeviceTuning
    let watch: DeviceWatch
    /// By its version, which a layer leaves as it is that gives PoCL another name in tests.
    let isPoCL: Bool
    private let testing: SelfTest
    /// The cache of program binaries. Nil for PoCL: it has a cache of its own, and a query for a binary makes
    /// it compile every kernel twice.
    private let programCache: DeviceCache?
    /// The device, its driver and their versions: all that compiled programs depend on besides their source.
    private let identity: String
    private let state = Locked(State())
    /// Locked while the context is made or a program is built. Used on lanes' threads only, which may be abandoned.
    private let building = Locked<cl_context?>(nil)
    /// Idle lanes, those that have waited longest first. There are as many lanes in all as renders ran at once.
    let freeLanes = Locked<[OpenCLLane]>([])
    /// Locked while a lane is chosen for a photo that the device codes, and memory is freed for it.
    let laneChoice = Locked(())
    private let currentTuning: Locked<DeviceTuning>
    let codingTables = CodingTables()
    let subsequences: Subsequences
    private let currentHostMemory = Locked<(any HostMemory)?>(nil)

    private struct State: ~Copyable {
        var programs: [ProgramSource: OpenCLProgram] = [:]
        var constants: [Constants: OpenCLBuffer] = [:]
        var constantByteCount = 0
    }

    private enum Constants: Hashable {
        case floats([Float])
        case integers([Int32])

        var byteCount: Int {
            switch self {
            case .floats(let values): values.count * MemoryLayout<Float>.stride
            case .integers(let values): values.count * MemoryLayout<Int32>.stride
            }
        }
    }

    /// The most tables of constants that are kept. Photos of one kind need about eight, and ten for each part
    /// of a blur. The value is enough for a few kinds.
    private static let keptConstants = 256
    /// The most bytes of all tables that are kept, which the host and the device have each. Pictures of a filter are
    /// tables, too, of another size for each size of photo.
    private static let keptConstantBytes = 64 << 20
    /// The most bytes of one table that is kept.
    private static let largestKeptConstant = 8 << 20
    private static let platformOfPoCL = "Portable Computing Language"

    /// Nil if the device cannot run these kernels: without a compiler, not available, or not little-endian.
    ///
    /// - Parameters:
    ///   - testing: compares the device's pixels with others before it gets photos.
    ///   - subsequences: how the bits of JPEGs are cut.
    ///   - repeats: the identifier of an earlier device with the same handle.
    ///   - asGPU: true treats any device as a GPU with memory of its own.
    init?(
        platform: cl_platform_id, device: cl_device_id, identifier: String, testing: SelfTest,
        subsequences: Subsequences, repeats: String? = nil, asGPU: Bool = false
    ) {
        func isTrue(_ name: Int32) -> Bool {
            OpenCLInfo.number(of: device, name, as: cl_bool.self) == cl_bool(CL_TRUE)
        }
        guard isTrue(CL_DEVICE_AVAILABLE), isTrue(CL_DEVICE_COMPILER_AVAILABLE),
            isTrue(CL_DEVICE_ENDIAN_LITTLE)
        else {
            return nil
        }
        let type = OpenCLInfo.number(of: device, CL_DEVICE_TYPE, as: cl_device_type.self) ?? 0
        let kind: DeviceInfo.Kind =
            type & cl_device_type(CL_DEVICE_TYPE_GPU) != 0
            ? .gpu : type & cl_device_type(CL_DEVICE_TYPE_CPU) != 0 ? .openCLCPU : .accelerator
        self.device = device
        self.testing = testing
        self.subsequences = subsequences
        sharesHostMemory = !asGPU && (kind == .openCLCPU || isTrue(CL_DEVICE_HOST_UNIFIED_MEMORY))
        groupLimit = max(OpenCLInfo.number(of: device, CL_DEVICE_MAX_WORK_GROUP_SIZE, as: Int.self) ?? 1, 1)
        localMemoryByteCount =
            OpenCLInfo.number(of: device, CL_DEVICE_LOCAL_MEM_SIZE, as: cl_ulong.self).map {
                Int(clamping: $0)
            }
            ?? 0
        usualTuning = DeviceTuning(groupLimit: groupLimit)
        currentTuning = Locked(usualTuning)
        let platformName = OpenCLInfo.text(ofPlatform: platform, CL_PLATFORM_NAME)
        let platformVersion = OpenCLInfo.text(ofPlatform: platform, CL_PLATFORM_VERSION)
        let name = OpenCLInfo.text(of: device, CL_DEVICE_NAME)
        let driverVersion = OpenCLInfo.text(of: device, CL_DRIVER_VERSION)
        identity = [
            platformName, platformVersion, name,
            OpenCLInfo.text(of: device, CL_DEVICE_VERSION), driverVersion,
        ].joined(separator: "\0")
        isPoCL = platformVersion.lowercased().contains("pocl")
        programCache = platformName == Self.platformOfPoCL ? nil : .shared
        watch = DeviceWatch(name: name)
        info = DeviceInfo(
            identifier: identifier, kind: kind, name: name,
            driver: "\(platformName) \(driverVersion)",
            memoryByteCount: OpenCLInfo.number(of: device, CL_DEVICE_GLOBAL_MEM_SIZE, as: cl_ulong.self) ?? 0,
            hardware: HardwareIdentity(platform: platform, device: device, repeats: repeats))
        // OpenCL 1.2 guarantees a quarter of the memory.
        let largestBlock =
            OpenCLInfo.number(of: device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, as: cl_ulong.self)
            ?? info.memoryByteCount / 4
        blockLimit = largestBlock > 0 ? min(Int(clamping: largestBlock), 1 << 30) : 1 << 30
        memoryLimit = info.memoryByteCount > 0 ? Int(clamping: info.memoryByteCount / 4) : .max
        codingMemory = MemoryBudget(byteCount: memoryLimit < .max ? 3 * memoryLimit : .max)
        if let cache = DeviceCache.shared { readTuning(from: cache) }
    }

    /// How renders that start from now on divide their work.
    package var tuning: DeviceTuning {
        get { currentTuning.withLock { $0 } }
        set { currentTuning.withLock { $0 = newValue } }
    }

    /// Where strips are, instead of memory that the driver chooses. Nil is the driver's.
    var hostMemory: (any HostMemory)? { currentHostMemory.withLock { $0 } }

    /// Places the strips of renders that start from now on.
    package func useHostMemory(_ memory: any HostMemory) { currentHostMemory.withLock { $0 = memory } }

    package func tune() throws -> (summary: String, isSaved: Bool) {
        let tuning = try DeviceTuner(device: self).tune()
        return (tuning.summary, DeviceCache.shared.map(keepTuning) ?? false)
    }

    func keepTuning(in cache: DeviceCache) -> Bool { cache.store(tuning.bytes, .tuning, for: tuningKey) }

    /// Reads the tuning that was saved for this device, driver and kernels.
    func readTuning(from cache: DeviceCache) {
        guard let bytes = cache.value(.tuning, for: tuningKey),
            let kept = DeviceTuning(bytes, groupLimit: groupLimit)
        else { return }
        tuning = kept
    }

    private var tuningKey: String {
        [KernelSources.version, identity, "\(sharesHostMemory)"].joined(separator: "\0")
    }

    public func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        try render(plan, from: source, to: sink, stripRows: nil, isCancelled: isCancelled)
    }

    @discardableResult
    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, stripRows: Int?,
        profiles: Bool = false, isCancelled: () -> Bool
    ) throws -> DeviceTimings? {
        if plan.isIdentity {
            // No sample changes, so the device is not needed.
            try plan.passOn(source, to: sink, isCancelled: isCancelled)
            return profiles ? DeviceTimings() : nil
        }
        return try withRenderer(plan, stripRows: stripRows, profiles: profiles, isCancelled) { renderer in
            if !renderer.programs.areProven { try selfTest(plan, isCancelled) }
            try renderer.run(from: source, to: sink, isCancelled: isCancelled)
            return profiles ? renderer.timings : nil
        }
    }

    package func secondsOfKernels(_ plan: RenderPlan, isCancelled: () -> Bool) throws -> Double? {
        guard !plan.isIdentity else { return nil }
        return try withRenderer(plan, stripRows: nil, isCancelled) {
            try $0.runKernels(isCancelled: isCancelled)
        }
    }

    /// Renders without a test of its own.
    ///
    /// - Parameter waitForUse: called before the memory of strips changes that `sink` has taken since the last strip was read
    ///   from `source`. Until then, or until that reading, the sink may use them.
    /// - Returns: the programs, which the caller may mark as proven. Nil, and nothing was read, if `onlyProven` and one
    ///   of them is not.
    package func renderUntested(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, onlyProven: Bool,
        waitForUse: () throws -> Void = {}, isCancelled: () -> Bool
    ) throws -> OpenCLPrograms? {
        try withRenderer(plan, stripRows: nil, isCancelled) { renderer in
            guard !onlyProven || renderer.programs.areProven else { return nil }
            try renderer.run(from: source, to: sink, waitForUse: waitForUse, isCancelled: isCancelled)
            return renderer.programs
        }
    }

    /// Tests the plan's programs. They need no further test before a photo.
    public func selfTest(_ plan: RenderPlan) throws { try selfTest(plan, { false }) }

    func selfTest(_ plan: RenderPlan, _ isCancelled: () -> Bool) throws {
        var programs: OpenCLPrograms?
        try testing.run(plan, deviceName: info.name) { plan, source, sink in
            programs = try renderUntested(
                plan, from: source, to: sink, onlyProven: false, isCancelled: isCancelled)
        }
        programs?.markProven()
    }

    /// The device's context, made on first use.
    func context() throws(DeviceError) -> cl_context {
        try building.withLock { (made) throws(DeviceError) in try context(&made) }
    }

    private func context(_ made: inout cl_context?) throws(DeviceError) -> cl_context {
        if let made { return made }
        var code: cl_int = 0
        var identifier: cl_device_id? = device
        let context = clCreateContext(nil, 1, &identifier, nil, nil, &code)
        guard let context, code == CL_SUCCESS else { throw failure("clCreateContext", code) }
        made = context
        return context
    }

    /// The program for a source. It is built once, kept for the device's life, and cached on disk as the
    /// driver's binary.
    ///
    /// - Throws: `DeviceError.buildFailed` with the compiler's log.
    func program(_ source: ProgramSource) throws(DeviceError) -> OpenCLProgram {
        if let program = builtProgram(source) { return program }
        return try building.withLock { (made) throws(DeviceError) in
            // Another render may have built it meanwhile.
            if let program = builtProgram(source) { return program }
            let program = try OpenCLProgram(
                source, device: self, context: try context(&made), cache: programCache,
                cacheKey: cacheKey(for: source))
            state.withLock { $0.programs[source] = program }
            return program
        }
    }

    private func builtProgram(_ source: ProgramSource) -> OpenCLProgram? {
        state.withLock { $0.programs[source] }
    }

    /// Whether programs are kept on disk, by their binaries.
    var keepsPrograms: Bool { programCache != nil }

    func isCompiled(_ source: ProgramSource) -> Bool {
        builtProgram(source) != nil
            || programCache?.value(.program, for: cacheKey(for: source)) != nil
    }

    /// The sources of all programs that were built.
    var builtSources: [ProgramSource] { state.withLock { Array($0.programs.keys) } }

    /// The values in the device's memory. They are kept, unless there are very many, and copied on first use.
    func constants(_ values: [Float]) throws(DeviceError) -> OpenCLBuffer { try buffer(of: .floats(values)) }

    func integerConstants(_ values: [Int32]) throws(DeviceError) -> OpenCLBuffer {
        try buffer(of: .integers(values))
    }

    private func buffer(of constants: Constants) throws(DeviceError) -> OpenCLBuffer {
        let byteCount = constants.byteCount, isKept = byteCount <= Self.largestKeptConstant
        if isKept, let buffer = state.withLock({ $0.constants[constants] }) { return buffer }
        let buffer =
            switch constants {
            case .floats(let values): try OpenCLBuffer(self, copying: values)
            case .integers(let values): try OpenCLBuffer(self, copying: values)
            }
        guard isKept else { return buffer }
        state.withLock { state in
            if state.constants.count >= Self.keptConstants
                || state.constantByteCount + byteCount > Self.keptConstantBytes
            {
                state.constants = [:]
                state.constantByteCount = 0
            }
            // Another render may have made the same meanwhile.
            if state.constants.updateValue(buffer, forKey: constants) == nil {
                state.constantByteCount += byteCount
            }
        }
        return buffer
    }

    /// All that a program's binary depends on.
    private func cacheKey(for source: ProgramSource) -> String {
        [source.text, OpenCLProgram.options, identity].joined(separator: "\0")
    }

    func failure(_ call: String, _ code: cl_int) -> DeviceError {
        .callFailed(call: call, code: code, device: info.name)
    }

    /// Throws if an OpenCL call failed.
    func check(_ code: cl_int, _ call: String) throws(DeviceError) {
        guard code == CL_SUCCESS else { throw failure(call, code) }
    }
}
