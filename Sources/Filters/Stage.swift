/// One step of a filter, as devices run it.
public enum Stage: Hashable, Sendable {
    /// Each pixel by itself.
    case point(PointStage)
    /// A gaussian blur in linear light, mixed with the sharp photo by a mask.
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

/// A gaussian blur in linear light with premultiplied alpha, edges clamped, mixed with the sharp photo:
/// `m * blur + (1 - m) * sharp`. A pixel whose `m` is 0 keeps its exact value.
public struct MaskedBlur: Hashable, Sendable {
    /// Along what the mask changes, in the photo as stored.
    public enum Axis: Hashable, Sendable {
        /// One value a row.
        case rows
        /// One value a column.
        case columns
    }

    public let gaussian: Gaussian
    public let axis: Axis
    /// Share of the blur, 0...1, for each row or column of the photo.
    public let mask: [Float]

    public init(_ gaussian: Gaussian, axis: Axis, mask: [Float]) {
        self.gaussian = gaussian
        self.axis = axis
        self.mask = mask
    }
}
