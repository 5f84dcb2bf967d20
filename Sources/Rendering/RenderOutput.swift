import TintypeImaging

/// Where a device gets a photo.
package enum RenderInput {
    case strips(any StripSource)
    /// A photo that the device decodes.
    case compressed(CompressedImage, reducedBy: Int, any CompressedSource)
}

extension RenderInput {
    /// The format that the device decodes; nil for strips.
    package var format: PhotoFormat? {
        guard case .compressed(let image, _, _) = self else { return nil }
        return image.format
    }
}

/// Where a device's result goes.
package enum RenderTarget {
    case strips(any StripSink)
    /// An output that the device encodes.
    case compressed(CompressedImage, any CompressedSink)
}

extension RenderTarget {
    /// The format that the device encodes; nil for strips.
    package var format: PhotoFormat? {
        guard case .compressed(let image, _) = self else { return nil }
        return image.format
    }
}

/// One result of several that a device makes of a photo.
// @unchecked: one thread uses it at a time.
package final class RenderOutput: @unchecked Sendable {
    package let plan: RenderPlan
    package let target: RenderTarget
    /// Why this result is not complete; the others may be.
    package var failure: (any Error)?

    package init(_ plan: RenderPlan, to target: RenderTarget) {
        self.plan = plan
        self.target = target
    }

    package convenience init(_ plan: RenderPlan, to sink: any StripSink) {
        self.init(plan, to: .strips(sink))
    }

    /// What takes the strips.
    ///
    /// - Precondition: the device does not encode the output.
    package var sink: any StripSink {
        guard case .strips(let sink) = target else { preconditionFailure("the output is not of strips") }
        return sink
    }
}
