import TintypeImaging

/// What a device can do beside rendering the strips of one output. Each is nil unless the device offers it.
public struct DeviceAbilities: Sendable {
    /// Runs stages once with which several outputs begin.
    package let branching: (any BranchingDevice)?
    /// Compiles programs before they are needed.
    package let compiling: (any CompilingDevice)?
    /// Is checked while it works, and answers for what it has rendered.
    package let approving: (any ApprovingDevice)?

    package init(
        branching: (any BranchingDevice)? = nil, compiling: (any CompilingDevice)? = nil,
        approving: (any ApprovingDevice)? = nil
    ) {
        self.branching = branching
        self.compiling = compiling
        self.approving = approving
    }
}

extension Device {
    /// None.
    public var abilities: DeviceAbilities { DeviceAbilities() }
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

/// A device that compiles programs at the same time, if it is told early which it will need.
package protocol CompilingDevice: Device {
    /// Compiles the programs of plans that are not compiled yet, and waits for the end. A failure is left to the render.
    ///
    /// - Parameter isCancelled: called ten times a second.
    func compile(_ plans: [RenderPlan], isCancelled: () -> Bool)
}

/// A device that may be found to give wrong pixels after its test.
package protocol ApprovingDevice: Device {
    /// To be called before an output that this device has rendered gets its name.
    ///
    /// - Parameters:
    ///   - output: its name, to be told if it may be wrong; nil for an image, which has none.
    ///   - plan: what the device has rendered; nil for an image.
    /// - Throws: `DeviceError.wrongPixels` if the device has been found to be wrong since.
    func approve(_ output: String?, of plan: RenderPlan?) throws

    /// To be called if an output that was approved has not got its name after all.
    func withdraw(_ output: String)
}
