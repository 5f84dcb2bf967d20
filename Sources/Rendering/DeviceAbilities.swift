import TintypeImaging

/// What a device can do beside rendering the strips of one output. Each is nil unless the device offers it.
public struct DeviceAbilities: Sendable {
    /// Runs stages once with which several outputs begin.
    package let branching: (any BranchingDevice)?
    /// Compiles programs before they are needed.
    package let compiling: (any CompilingDevice)?
    /// Is checked while it works, and answers for what it has rendered.
    package let approving: (any ApprovingDevice)?
    /// Decodes or encodes compressed photos itself.
    package let coding: (any CodingDevice)?
    /// Measures its own work.
    package let measuring: (any MeasurableDevice)?
    /// Finds how its work is divided best.
    package let tuning: (any TunableDevice)?
    /// Lists programs for other processes to compile.
    package let precompiling: (any PrecompilingDevice)?

    package init(
        branching: (any BranchingDevice)? = nil, compiling: (any CompilingDevice)? = nil,
        approving: (any ApprovingDevice)? = nil, measuring: (any MeasurableDevice)? = nil,
        tuning: (any TunableDevice)? = nil, precompiling: (any PrecompilingDevice)? = nil,
        coding: (any CodingDevice)? = nil
    ) {
        self.branching = branching
        self.compiling = compiling
        self.approving = approving
        self.measuring = measuring
        self.tuning = tuning
        self.precompiling = precompiling
        self.coding = coding
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

/// What a device has done for one output.
package struct DeviceWork: Hashable, Sendable {
    package let plan: RenderPlan
    /// The formats that the device itself has decoded and encoded; nil for strips.
    package let input, output: PhotoFormat?

    package init(_ plan: RenderPlan, input: PhotoFormat? = nil, output: PhotoFormat? = nil) {
        self.plan = plan
        self.input = input
        self.output = output
    }

    /// Whether the device has only passed strips on.
    package var isNone: Bool { plan.isIdentity && input == nil && output == nil }
}

/// A device that may be found to give wrong pixels after its test.
package protocol ApprovingDevice: Device {
    /// To be called before an output that this device has rendered gets its name.
    ///
    /// - Parameters:
    ///   - output: its name, to be told if it may be wrong; nil for an image, which has none.
    ///   - work: what the device has done for it; nil for an image.
    /// - Throws: `DeviceError.wrongPixels` or `.wrongFile` if the device has been found to be wrong since.
    func approve(_ output: String?, of work: DeviceWork?) throws

    /// To be called if an output that was approved has not got its name after all.
    func withdraw(_ output: String)
}

/// A device that can find out how its work is divided best.
package protocol TunableDevice: Device {
    /// Measures the fastest division, in about a minute, and saves it for later runs.
    ///
    /// - Returns: the division in words, and whether it was saved, which needs a writable cache folder.
    /// - Throws: what the device reports.
    func tune() throws -> (summary: String, isSaved: Bool)
}

/// A device whose programs other processes can compile, into the cache from which it loads them.
package protocol PrecompilingDevice: Device {
    /// The programs of plans that would have to be compiled now: they are neither in memory nor in the cache.
    ///
    /// None for a driver that has a cache of its own, and for a plan that cannot be rendered.
    func uncompiledPrograms(of plans: [RenderPlan]) -> [ProgramSource]

    /// Compiles programs into the cache, for other processes. A failure is left to the one that needs the program.
    func compile(_ sources: [ProgramSource])
}

/// The source of one program for a device's compiler.
///
/// It contains no parameters, so one source serves all settings of the same filters.
package struct ProgramSource: Hashable, Sendable {
    /// The files that distinguish this program, for messages.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
