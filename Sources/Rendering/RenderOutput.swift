import TintypeImaging

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
