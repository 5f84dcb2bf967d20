/// One step of a filter, as devices run it.
public enum Stage: Hashable, Sendable {
    /// Each pixel by itself.
    case point(PointStage)
    /// A gaussian blur in linear light, on some of the rows or columns.
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
    /// What the function does to the difference between grey and colour.
    public enum ColourEffect: Hashable, Sendable {
        /// Grey stays grey.
        case keepsGrey
        /// Every pixel comes out grey.
        case makesGrey
        /// Grey may come out coloured.
        case makesColour
    }

    /// Name of the pixel function and stem of its `.cl` file, with underscores.
    public let kernel: String
    /// Scalars, then tables: what the function finds at its `arguments` pointer.
    public let arguments: [Float]
    public let colourEffect: ColourEffect

    public init(kernel: String, arguments: [Float], colourEffect: ColourEffect) {
        self.kernel = kernel
        self.arguments = arguments
        self.colourEffect = colourEffect
    }
}
