import Imaging

/// One result of several that a device makes of a photo.
// @unchecked: one thread uses it at a time.
package final class RenderOutput: @unchecked Sendable {
    package let plan: RenderPlan
    package let sink: any StripSink
    /// Why this result is not complete; the others may be.
    package var failure: (any Error)?

    package init(_ plan: RenderPlan, to sink: any StripSink) {
        self.plan = plan
        self.sink = sink
    }
}

/// A device that runs stages once with which several plans begin.
package protocol BranchingDevice: Device {
    /// Filters one photo in several ways, from one reading of its strips. An output whose sink fails keeps the error,
    /// and the others go on.
    ///
    /// - Parameters:
    ///   - outputs: at least one; their plans have the source's geometry and layout.
    ///   - source: the photo.
    ///   - isCancelled: called between strips.
    /// - Throws: errors of `source`, or of the last sink if all fail; `DeviceError`; `CancellationError`.
    func render(_ outputs: [RenderOutput], from source: any StripSource, isCancelled: () -> Bool) throws
}
