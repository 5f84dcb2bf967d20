import COpenCL
import CPURendering
import Imaging
import Locking
import Rendering

/// A device of an OpenCL driver: a GPU, or a CPU through PoCL and its like.
// @unchecked: OpenCL's calls on contexts, programs and queues are thread-safe (OpenCL 1.2, appendix A.2);
// kernels, which are not, belong to one render each. Everything else is immutable, or Locked.
public final class OpenCLDevice: Device, @unchecked Sendable {
    public let info: DeviceInfo
    let device: cl_device_id
    /// True where the device works in the host's own memory, so that nothing needs to be copied to it.
    let sharesHostMemory: Bool
    /// Work-items that a work-group may have.
    let groupLimit: Int
    /// Bytes of one buffer at most, by the device and by the kernels, which count bytes in 32 bits, with the sign;
    /// half of that leaves room for work-groups that reach over an edge.
    let blockLimit: Int
    /// Bytes that one render may take: a quarter of the device's memory, so that a few photos fit.
    let memoryLimit: Int
    /// What suits devices of this kind, for all that is known without a measurement.
    let usualTuning: DeviceTuning
    let watch: DeviceWatch
    /// Where programs' binaries are kept. Nil for PoCL: it keeps what it has compiled, and a question for a binary has it
    /// compile every kernel twice.
    private let programCache: DeviceCache?
    /// The device, its driver and their versions: what compiled programs depend on besides their source.
    private let identity: String
    /// Held while a program is built: touched on lanes' threads only, which may be given up.
    private let state = Locked(State())
    /// Lanes that no render has. There are as many lanes as renders were at work at once.
    private let freeLanes = Locked<[OpenCLLane]>([])
    private let currentTuning: Locked<DeviceTuning>

    private struct State: ~Copyable {
        var context: cl_context?
        var programs: [ProgramSource: OpenCLProgram] = [:]
        var constants: [[Float]: OpenCLBuffer] = [:]
    }

    /// Tables of constants that are kept. Photos of one kind need about eight, and ten for each part of a blur; chosen for a
    /// few kinds.
    private static let keptConstants = 256
    /// How many times the time for a strip a compilation may take.
    static let patienceToCompile = 4.0

    /// Nil where the device cannot run these kernels: no compiler, not available, or not little-endian.
    ///
    /// - Parameter asGPU: true treats it as a GPU with memory of its own, whatever it is.
    init?(platform: cl_platform_id, device: cl_device_id, identifier: String, asGPU: Bool = false) {
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
        sharesHostMemory = !asGPU && (kind == .openCLCPU || isTrue(CL_DEVICE_HOST_UNIFIED_MEMORY))
        groupLimit = OpenCLInfo.number(of: device, CL_DEVICE_MAX_WORK_GROUP_SIZE, as: Int.self) ?? 1
        usualTuning = DeviceTuning(groupLimit: groupLimit)
        currentTuning = Locked(usualTuning)
        let platformName = OpenCLInfo.text(ofPlatform: platform, CL_PLATFORM_NAME)
        let name = OpenCLInfo.text(of: device, CL_DEVICE_NAME)
        let driverVersion = OpenCLInfo.text(of: device, CL_DRIVER_VERSION)
        identity = [
            platformName, OpenCLInfo.text(ofPlatform: platform, CL_PLATFORM_VERSION), name,
            OpenCLInfo.text(of: device, CL_DEVICE_VERSION), driverVersion,
        ].joined(separator: "\0")
        programCache = platformName == "Portable Computing Language" ? nil : .shared
        watch = DeviceWatch(name: name)
        info = DeviceInfo(
            identifier: identifier, kind: kind, name: name,
            driver: "\(platformName) \(driverVersion)",
            memoryByteCount: OpenCLInfo.number(of: device, CL_DEVICE_GLOBAL_MEM_SIZE, as: cl_ulong.self) ?? 0)
        // OpenCL 1.2 guarantees a quarter of the memory.
        let largestBlock =
            OpenCLInfo.number(of: device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, as: cl_ulong.self)
            ?? info.memoryByteCount / 4
        blockLimit = largestBlock > 0 ? min(Int(clamping: largestBlock), 1 << 30) : 1 << 30
        memoryLimit = info.memoryByteCount > 0 ? Int(clamping: info.memoryByteCount / 4) : .max
        if let cache = DeviceCache.shared { readTuning(from: cache) }
    }

    /// How renders that begin from now on cut their work.
    package var tuning: DeviceTuning {
        get { currentTuning.withLock { $0 } }
        set { currentTuning.withLock { $0 = newValue } }
    }

    /// Measures how work is cut best, which takes a minute or so, and keeps that for later runs.
    ///
    /// - Returns: whether it could be kept: not without a cache folder that can be written.
    /// - Throws: what the device reports.
    package func tune() throws -> Bool {
        _ = try DeviceTuner(device: self).tune()
        return DeviceCache.shared.map(keepTuning) ?? false
    }

    func keepTuning(in cache: DeviceCache) -> Bool { cache.store(tuning.bytes, .tuning, for: tuningKey) }

    /// Takes over what was kept for this device, driver and kernels.
    func readTuning(from cache: DeviceCache) {
        guard let bytes = cache.value(.tuning, for: tuningKey),
            let kept = DeviceTuning(bytes, groupLimit: groupLimit)
        else { return }
        tuning = kept
    }

    private var tuningKey: String {
        [ProgramSource.version, identity, "\(sharesHostMemory)"].joined(separator: "\0")
    }

    public func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        _ = try render(plan, from: source, to: sink, stripRows: nil, isCancelled: isCancelled)
    }

    /// - Parameter stripRows: height of the strips in pixels; any gives the same bytes. Nil chooses by width.
    /// - Returns: what the device spent its time on.
    @discardableResult
    package func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, stripRows: Int?,
        isCancelled: () -> Bool
    ) throws -> DeviceTimings {
        if plan.isIdentity {
            // No sample changes: nothing for a device to do.
            try SIMDDevice().render(plan, from: source, to: sink, isCancelled: isCancelled)
            return DeviceTimings()
        }
        return try withRenderer(plan, stripRows: stripRows, isCancelled) { renderer in
            if !renderer.programs.allSatisfy({ $0.isProven.load(ordering: .relaxed) }) {
                try selfTest(plan, isCancelled)
            }
            try renderer.run(from: source, to: sink, isCancelled: isCancelled)
            return renderer.timings
        }
    }

    /// Tests the plan's programs, which from then on need no test before a photo.
    public func selfTest(_ plan: RenderPlan) throws { try selfTest(plan, { false }) }

    private func selfTest(_ plan: RenderPlan, _ isCancelled: () -> Bool) throws {
        var programs: [OpenCLProgram] = []
        try SelfTest.run(plan, deviceName: info.name) { plan, source, sink in
            try withRenderer(plan, stripRows: nil, isCancelled) { renderer in
                programs = renderer.programs
                try renderer.run(from: source, to: sink, isCancelled: isCancelled)
            }
        }
        for program in programs { program.isProven.store(true, ordering: .relaxed) }
    }

    /// Runs `body` with a renderer of its own, on a lane that the next may have where `body` does not throw.
    private func withRenderer<Result>(
        _ plan: RenderPlan, stripRows: Int?, _ isCancelled: () -> Bool,
        _ body: (OpenCLRenderer) throws -> Result
    ) throws -> Result {
        watch.renderBegins()
        defer { watch.renderEnds() }
        let lane = takeLane()
        var renderer: OpenCLRenderer?
        do {
            let made = try lane.driver.start {
                (answer: DriverAnswer<OpenCLRenderer>) throws(DeviceError) in
                answer.give(.success(try OpenCLRenderer.make(plan, lane: lane, stripRows: stripRows)))
            }.wait(patience: Self.patienceToCompile, isCancelled: isCancelled)
            renderer = made
            let result = try body(made)
            lane.driver.begin { made.close() }
            giveBack(lane)
            return result
        } catch {
            // Nobody waits for it: behind commands that hang it keeps the memory that they use.
            lane.driver.begin { [renderer] in
                lane.close()
                renderer?.close()
            }
            throw error
        }
    }

    func takeLane() -> OpenCLLane { freeLanes.withLock { $0.popLast() } ?? OpenCLLane(self) }

    func giveBack(_ lane: OpenCLLane) { freeLanes.withLock { $0.append(lane) } }

    /// The device's context, made when first asked for.
    func context() throws(DeviceError) -> cl_context {
        try state.withLock { (state) throws(DeviceError) in try context(in: &state) }
    }

    private func context(in state: inout State) throws(DeviceError) -> cl_context {
        if let context = state.context { return context }
        var code: cl_int = 0
        var identifier: cl_device_id? = device
        let context = clCreateContext(nil, 1, &identifier, nil, nil, &code)
        guard let context, code == CL_SUCCESS else { throw failure("clCreateContext", code) }
        state.context = context
        return context
    }

    /// The program of this source: built once, kept for the device's life, and cached on disk as the driver's
    /// binary.
    ///
    /// - Throws: `DeviceError.buildFailed` with the compiler's log.
    func program(_ source: ProgramSource) throws(DeviceError) -> OpenCLProgram {
        try state.withLock { (state) throws(DeviceError) in
            if let program = state.programs[source] { return program }
            let context = try context(in: &state)
            let program = try OpenCLProgram(
                source, device: self, context: context, cache: programCache, cacheKey: cacheKey(for: source))
            state.programs[source] = program
            return program
        }
    }

    /// The values as the device's own, made when first asked for.
    func constants(_ values: [Float]) throws(DeviceError) -> OpenCLBuffer {
        if let buffer = state.withLock({ $0.constants[values] }) { return buffer }
        let buffer = try OpenCLBuffer(self, copying: values)
        state.withLock { state in
            if state.constants.count >= Self.keptConstants { state.constants = [:] }
            state.constants[values] = buffer
        }
        return buffer
    }

    /// Everything that a program's binary depends on.
    private func cacheKey(for source: ProgramSource) -> String {
        [source.text, OpenCLProgram.options, identity].joined(separator: "\0")
    }

    func failure(_ call: String, _ code: cl_int) -> DeviceError {
        .callFailed(call: call, code: code, device: info.name)
    }

    /// Throws where an OpenCL call did not succeed.
    func check(_ code: cl_int, _ call: String) throws(DeviceError) {
        guard code == CL_SUCCESS else { throw failure(call, code) }
    }
}
