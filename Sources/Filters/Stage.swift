import Imaging

/// One step of a filter, as devices run it.
public enum Stage: Hashable, Sendable {
    /// A function of each pixel alone.
    case point(PointStage)
    /// A gaussian blur in linear light, of some or all rows or columns.
    case blur(MaskedBlur)
    /// Another size, or another part of the photo.
    case resample(Resampling)

    package var isBlur: Bool {
        switch self {
        case .point, .resample: false
        case .blur: true
        }
    }

    /// The photo's geometry after the stage.
    package func result(of photo: PhotoGeometry) -> PhotoGeometry {
        guard case .resample(let resampling) = self else { return photo }
        return resampling.result(of: photo)
    }
}

/// A point function of `Kernels/`, with its arguments.
public struct PointStage: Hashable, Sendable {
    /// The function's effect on grey pixels.
    public enum ColourEffect: Hashable, Sendable {
        /// Grey pixels stay grey.
        case keepsGrey
        /// All pixels become grey.
        case makesGrey
        /// Grey pixels may become coloured.
        case makesColour
    }

    /// The function.
    public let kernel: PointKernel
    /// The function's arguments, by name.
    public let arguments: [String: PointArgument]
    /// The function's effect on grey pixels. It decides whether a grey photo's result may have colour.
    public let colourEffect: ColourEffect

    /// - Parameters:
    ///   - kernel: the function.
    ///   - arguments: a value for each of its arguments, by name.
    ///   - colourEffect: the function's effect on grey pixels.
    public init(
        _ kernel: PointKernel, _ arguments: [String: PointArgument], colourEffect: ColourEffect
    ) {
        self.kernel = kernel
        self.arguments = arguments
        self.colourEffect = colourEffect
    }

    /// The arguments' floats, in the function's own order.
    package func floats() throws(PointKernelError) -> [Float] { try kernel.floats(arguments) }
}
