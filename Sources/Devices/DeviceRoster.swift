import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeResources

/// The tested devices of a run, with notes for the user on how they were chosen.
public struct DeviceRoster: Sendable {
    /// What happens if a device is missing or fails.
    public enum FallbackPolicy: String, CaseIterable, Sendable {
        /// The SIMD device takes over, and a note says so.
        case cpu
        /// The run, or the photo, fails.
        case fail
    }

    /// The devices that passed their tests, or the SIMD device if none did. With the policy `.cpu`, the SIMD
    /// device is also the fallback.
    public let pool: DevicePool
    /// Notes for the user on fallbacks taken and devices not used, of one or more lines each.
    public let notes: [String]
    /// As in `DeviceSelection`.
    package let reason: String?
    /// As in `DeviceSelection`; nil if a device has failed its test.
    package let forecast: Forecast?
    /// Whether one of the notes says all of the reason.
    package let isReasonNoted: Bool
    /// Whether OpenCL shows a GPU, which may not be in the pool.
    package let hasGPU: Bool
    /// Devices of the pool, once those that are tested later have passed.
    package var deviceCount: Int { laterTests?.deviceCount ?? pool.devices.count }
    /// Tests that are to be started beside the run. The pool has the CPU until then.
    package let laterTests: LaterTests?

    /// Finds the devices that `--device` asks for, and tests each on the chain's kernels.
    ///
    /// - Parameters:
    ///   - requests: arguments of `DeviceSelection`; empty is `auto`.
    ///   - policy: nil is `.cpu` for `auto`, and `.fail` for devices requested by name.
    ///   - timeLimit: the longest time that a device may take for a strip, as in `DeviceSelection`.
    ///   - checkedShare: the share of the devices' pixels that is compared with the CPU's, as in `DevicePool`.
    /// - Throws: `DeviceError` if no device matches or one fails its test, and no fallback is allowed; `FilterError` for a
    ///   setting that is out of its range.
    public init(
        _ requests: [String], for chain: FilterChain, policy: FallbackPolicy?, timeLimit: Duration? = nil,
        checkedShare: Double = DevicePool.usualCheckedShare
    ) throws {
        try self.init(
            requests, for: chain, policy: policy, timeLimit: timeLimit, checkedShare: checkedShare,
            drivers: .thisProcess, testsLater: false, workload: { .usual(chain) })
    }

    /// - Parameter drivers: the process that loads OpenCL's drivers.
    package init(_ requests: [String], for chain: FilterChain, drivers: DriverHost) throws {
        try self.init(
            requests, for: chain, policy: nil, timeLimit: nil, checkedShare: DevicePool.usualCheckedShare,
            drivers: drivers, testsLater: false, workload: { .usual(chain) })
    }

    /// - Parameters:
    ///   - drivers: the process that loads OpenCL's drivers.
    ///   - testsLater: whether devices that `auto` chose may be tested beside the run.
    ///   - workload: called if it decides what `auto` chooses.
    package init(
        _ requests: [String], for chain: FilterChain, policy: FallbackPolicy?, timeLimit: Duration?,
        checkedShare: Double, drivers: DriverHost, testsLater: Bool, workload: () -> Workload?
    ) throws {
        let isAutomatic = requests.allSatisfy { $0 == "auto" }
        let policy = policy ?? (isAutomatic ? .cpu : .fail)
        let simd = try DeviceSelection(["cpu"]).devices[0]
        try self.init(
            selecting: {
                try DeviceSelection(
                    requests, timeLimit: timeLimit, drivers: drivers, store: SpeedStore.shared,
                    replacesMissing: policy == .cpu, workload: workload)
            },
            simd: simd, chain: chain, policy: policy, checkedShare: checkedShare,
            testsLater: testsLater && isAutomatic && policy == .cpu)
    }

    package init(
        selecting select: () throws -> DeviceSelection, simd: any Device, chain: FilterChain,
        policy: FallbackPolicy, checkedShare: Double = DevicePool.usualCheckedShare, testsLater: Bool = false
    ) throws {
        try chain.check()
        let selection = try select()
        if testsLater, selection.devices.contains(where: { $0.info.kind != .simd }) {
            try Self.test(simd, chain)
            let pool = DevicePool([simd], fallback: simd, checkedShare: checkedShare)
            self.init(pool, LaterTests(selection, chain, pool), selection)
            return
        }
        try self.init(
            testing: selection.devices, selection.alternatives, notes: selection.notes, simd: simd,
            chain: chain, policy: policy, checkedShare: checkedShare, reason: selection.reason,
            forecast: selection.forecast, isReasonNoted: selection.isReasonNoted, hasGPU: selection.hasGPU)
    }

    private init(_ pool: DevicePool, _ laterTests: LaterTests?, _ selection: DeviceSelection) {
        self.pool = pool
        self.laterTests = laterTests
        notes = selection.notes
        reason = selection.reason
        forecast = selection.forecast
        isReasonNoted = selection.isReasonNoted
        hasGPU = selection.hasGPU
    }

    /// - Parameter alternatives: as in `DeviceSelection`.
    package init(
        testing candidates: [any Device], _ alternatives: [String: [any Device]] = [:], notes: [String],
        simd: any Device, chain: FilterChain, policy: FallbackPolicy,
        checkedShare: Double = DevicePool.usualCheckedShare, reason: String? = nil, forecast: Forecast? = nil,
        isReasonNoted: Bool = false, hasGPU: Bool = false
    ) throws {
        var notes = notes
        var passed = try Self.usable(candidates, alternatives, chain, policy, &notes)
        if passed.isEmpty {
            try Self.test(simd, chain)
            if !candidates.isEmpty { notes.append(Self.note(of: simd)) }
            passed = [simd]
        }
        pool = DevicePool(
            passed, fallback: policy == .cpu ? simd : nil, checkedShare: checkedShare)
        self.notes = notes
        let isLeft =
            candidates.contains { $0.info.kind != .simd } && !passed.contains { $0.info.kind != .simd }
        self.reason = reason.map { isLeft ? Self.reasonWithoutGPU : $0 }
        self.forecast = passed.count == candidates.count ? forecast : nil
        self.isReasonNoted = isReasonNoted && !isLeft
        self.hasGPU = hasGPU
        laterTests = nil
    }

    package static let reasonWithoutGPU = "CPU: no GPU has passed its test"

    static func note(of simd: any Device) -> String { "The CPU is used instead: \(simd.info.name)." }

    /// The devices that pass their tests; each that fails is noted, and replaced by the same hardware under another
    /// platform.
    static func usable(
        _ candidates: [any Device], _ alternatives: [String: [any Device]], _ chain: FilterChain,
        _ policy: FallbackPolicy, _ notes: inout [String]
    ) throws -> [any Device] {
        var passed: [any Device] = []
        for device in candidates {
            let others = alternatives[device.info.identifier] ?? []
            if let usable = try firstUsable([device] + others, chain, policy, &notes) {
                passed.append(usable)
            }
        }
        return passed
    }

    /// The first device that passes its test.
    ///
    /// - Parameter devices: the same hardware, as several platforms show it.
    /// - Returns: nil if all failed and the policy allows it.
    private static func firstUsable(
        _ devices: [any Device], _ chain: FilterChain, _ policy: FallbackPolicy, _ notes: inout [String]
    ) throws -> (any Device)? {
        var failure: DeviceError?
        var failed: [String] = []
        for device in devices {
            do {
                try test(device, chain)
                notes += failed
                return device
            } catch let error as DeviceError where device.info.kind != .simd {
                failure = failure ?? error
                failed.append("\(error) \(device.info.identifier) is not used.")
            }
        }
        if policy == .fail, let failure { throw failure }
        notes += failed
        return nil
    }

    /// Tests the chain's kernels on the layouts that most photos have: a JPEG's planes, and RGB.
    package static func test(_ device: any Device, _ chain: FilterChain) throws {
        // The device draws its own test image of this size. It must not be tiny, because the radius of a
        // relative blur scales with it.
        let geometry = PhotoGeometry(width: 256, height: 256)
        let plans = [PixelLayout.yCbCr(.s420), .interleaved(.rgb, .eight)].map {
            RenderPlan(chain, for: geometry, input: $0, output: $0)
        }
        device.abilities.compiling?.compile(plans, isCancelled: { false })
        for plan in plans { try device.selfTest(plan) }
    }
}

extension Workload {
    /// A chain over many photos of a usual camera, where nothing is known of them.
    static func usual(_ chain: FilterChain) -> Workload {
        Workload(
            [chain], megapixels: usualMegapixels, photoCount: nil,
            workerCount: AvailableMachine.current.processorCount)
    }

    /// The size that is assumed where photos have not been seen.
    package static let usualMegapixels = 12.0
}
