import TintypeImaging
import TintypeStages

/// A device that filters photos: an OpenCL device, or this machine's CPU through SIMD kernels.
///
/// Every device gives the same bytes for the same plan. Several threads may use a device at once.
public protocol Device: AnyObject, Sendable {
    var info: DeviceInfo { get }

    /// What it can do beside that; nothing by default.
    var abilities: DeviceAbilities { get }

    /// Filters one photo: reads its strips from `source`, and writes filtered strips to `sink`, in order.
    ///
    /// - Parameters:
    ///   - source: has the plan's geometry and input layout.
    ///   - sink: has the plan's output layout.
    ///   - isCancelled: called between strips.
    /// - Throws: errors of `source` and `sink`, unchanged; `DeviceError` for failures of the device;
    ///   `CancellationError` if `isCancelled` returned true.
    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws

    /// An upper estimate of the host memory that a render of the plan takes.
    func memory(for plan: RenderPlan) -> RenderMemory

    /// Filters a tiny image with every kernel of the plan, and compares it with the SIMD baseline.
    ///
    /// - Throws: `DeviceError.failedSelfTest`, or what the driver reports.
    func selfTest(_ plan: RenderPlan) throws
}

/// Host memory of a render: an upper estimate, made before anything is allocated.
public struct RenderMemory: Hashable, Sendable {
    /// Height in pixels of the strips that the source fills.
    public let stripRows: Int
    /// Bytes of all strips, and of the rows that blurs keep.
    public let byteCount: Int

    public init(stripRows: Int, byteCount: Int) {
        self.stripRows = stripRows
        self.byteCount = byteCount
    }
}

extension Device {
    /// The memory of a device that holds one strip of the input and one of the output.
    public func memory(for plan: RenderPlan) -> RenderMemory { plan.memoryOfStrips }
}

extension RenderPlan {
    /// Rows of a strip with about 128 KiB of input. It stays in the second-level cache from decoder to
    /// encoder.
    package var usualStripRows: Int {
        let bytesPerRow = StripShape(layout: input, width: geometry.width, rowCapacity: 8).byteCount / 8
        let granularity = rowGranularity
        return max(granularity, (131_072 / bytesPerRow).roundedUp(toMultipleOf: granularity))
    }

    /// Rows of the input's and the output's strips are multiples of this number.
    package var rowGranularity: Int {
        max(
            input.rowGranularity(width: geometry.width), output.rowGranularity(width: outputGeometry.width))
    }

    /// Bytes of a strip of the input and a strip of the output.
    package func byteCount(ofInputRows inputRows: Int, outputRows: Int) -> Int {
        StripShape(layout: input, width: geometry.width, rowCapacity: inputRows).byteCount
            + StripShape(layout: output, width: outputGeometry.width, rowCapacity: outputRows).byteCount
    }
}

/// Properties of a device.
public struct DeviceInfo: Hashable, Identifiable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case gpu
        case accelerator
        /// OpenCL on a CPU, such as PoCL.
        case openCLCPU = "opencl-cpu"
        /// This machine's CPU, without OpenCL.
        case simd = "cpu"
    }

    /// The name for `--device`, as printed by `tintype devices`. SIMD is `cpu`.
    public let identifier: String
    public var id: String { identifier }
    public let kind: Kind
    /// The driver's name for the device; for SIMD, the processor's instruction-set level.
    public let name: String
    /// Driver and OpenCL version; empty for SIMD.
    public let driver: String
    /// Bytes of memory that the device can use.
    public let memoryByteCount: UInt64
    /// Which hardware it is, as far as its driver tells; nil for SIMD.
    public let hardware: HardwareIdentity?

    public init(
        identifier: String, kind: Kind, name: String, driver: String, memoryByteCount: UInt64,
        hardware: HardwareIdentity? = nil
    ) {
        self.identifier = identifier
        self.kind = kind
        self.name = name
        self.driver = driver
        self.memoryByteCount = memoryByteCount
        self.hardware = hardware
    }
}
