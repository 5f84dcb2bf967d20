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

    /// Filters a tiny image through every kernel of the plan's stages and compares it with the SIMD baseline.
    ///
    /// - Throws: `DeviceError.failedSelfTest`, or what the driver reports.
    func selfTest(_ plan: RenderPlan) throws
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
