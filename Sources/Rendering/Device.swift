import Filters
import Imaging

/// Something that filters photos: an OpenCL device, or this machine's CPU through SIMD kernels.
///
/// Every device gives the same bytes for the same plan. Devices are safe to use from several threads at once.
public protocol Device: AnyObject, Sendable {
    var info: DeviceInfo { get }

    /// Filters one photo: pulls its strips from `source`, and pushes the filtered ones into `sink`, in order.
    ///
    /// - Parameters:
    ///   - source: of the plan's geometry and input layout.
    ///   - sink: of the plan's output layout.
    ///   - isCancelled: asked between strips.
    /// - Throws: what `source` and `sink` throw, unchanged; `DeviceError` for the device's own failures;
    ///   `CancellationError` where `isCancelled` said so.
    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws

    /// The most memory of this machine's that a render of the plan takes.
    func memory(for plan: RenderPlan) -> RenderMemory

    /// Filters a tiny image through every kernel of the plan's stages and compares it with the SIMD baseline.
    ///
    /// - Throws: `DeviceError.failedSelfTest`, or what the driver reports.
    func selfTest(_ plan: RenderPlan) throws
}

/// What a render takes of this machine's memory: an upper estimate, told before anything is allocated.
public struct RenderMemory: Hashable, Sendable {
    /// Rows of the strips that the source is asked for.
    public let stripRows: Int
    /// All strips, and what blurs keep.
    public let byteCount: Int

    public init(stripRows: Int, byteCount: Int) {
        self.stripRows = stripRows
        self.byteCount = byteCount
    }
}

extension Device {
    /// As a device needs it that holds one strip of the input and one of the output.
    public func memory(for plan: RenderPlan) -> RenderMemory {
        let rows = plan.usualStripRows
        return RenderMemory(stripRows: rows, byteCount: plan.byteCount(ofInputRows: rows, outputRows: rows))
    }
}

extension RenderPlan {
    /// Rows of a strip that has about 128 KiB of input: it stays in the second-level cache from decoder to encoder.
    package var usualStripRows: Int {
        let width = geometry.width
        let bytesPerRow = StripShape(layout: input, width: width, rowCapacity: 8).byteCount / 8
        let granularity = max(input.rowGranularity(width: width), output.rowGranularity(width: width))
        return max(granularity, (131_072 / bytesPerRow).roundedUp(toMultipleOf: granularity))
    }

    /// A strip of the input and one of the output.
    package func byteCount(ofInputRows inputRows: Int, outputRows: Int) -> Int {
        StripShape(layout: input, width: geometry.width, rowCapacity: inputRows).byteCount
            + StripShape(layout: output, width: geometry.width, rowCapacity: outputRows).byteCount
    }
}

/// What is known of a device before it is given work.
public struct DeviceInfo: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case gpu
        case accelerator
        /// OpenCL on a CPU, such as PoCL.
        case openCLCPU = "opencl-cpu"
        /// This machine's CPU, without OpenCL.
        case simd = "cpu"
    }

    /// What `--device` accepts, and `tintype devices` prints, for this device. SIMD is `cpu`.
    public let identifier: String
    public let kind: Kind
    /// The driver's name for it; for SIMD the processor's instruction-set level.
    public let name: String
    /// Driver and OpenCL version; empty for SIMD.
    public let driver: String
    /// Bytes of memory it can use.
    public let memoryByteCount: UInt64

    public init(identifier: String, kind: Kind, name: String, driver: String, memoryByteCount: UInt64) {
        self.identifier = identifier
        self.kind = kind
        self.name = name
        self.driver = driver
        self.memoryByteCount = memoryByteCount
    }
}
