/// One step of a filter, as devices run it.
public enum Stage: Hashable, Sendable {
    /// A function of each pixel alone.
    case point(PointStage)
    /// A gaussian blur in linear light, of some or all rows or columns.
    case blur(MaskedBlur)

    package var isBlur: Bool {
        switch self {
        case .point: false
        case .blur: true
        }
    }
}

/// A pixel function of `Kernels/`, with its arguments.
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

    /// Name of the pixel function and stem of its `.cl` file, with underscores.
    public let kernel: String
    /// The function's `arguments`: scalars, then tables.
    public let arguments: [Float]
    /// The function's effect on grey pixels. It decides whether a grey photo's result may have colour.
    public let colourEffect: ColourEffect

    /// - Parameters:
    ///   - kernel: name of the pixel function.
    ///   - arguments: scalars, then tables, in the order that the function expects.
    public init(kernel: String, arguments: [Float], colourEffect: ColourEffect) {
        self.kernel = kernel
        self.arguments = arguments
        self.colourEffect = colourEffect
    }
}
