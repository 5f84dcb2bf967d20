import TintypeImaging

/// One step of a filter, as devices run it.
public enum Stage: Hashable, Sendable {
    /// A function of each pixel alone.
    case point(PointStage)
    /// A gaussian blur in linear light, of some or all rows or columns.
    case blur(MaskedBlur)
    /// Another size, or another part of the photo.
    case resample(Resampling)
    /// A function of the pixels around each pixel: a `WINDOW` of `Kernels/`. An area is not used.
    case window(PointStage)

    package var isBlur: Bool {
        switch self {
        case .point, .resample, .window: false
        case .blur: true
        }
    }

    /// Whether the result shows the whole photo, and nothing else.
    package var showsWholePhoto: Bool {
        guard case .resample(let resampling) = self else { return true }
        return resampling.showsWholePhoto
    }

    /// The photo's geometry after the stage.
    package func result(of photo: PhotoGeometry) -> PhotoGeometry {
        guard case .resample(let resampling) = self else { return photo }
        return resampling.result(of: photo)
    }
}

/// A function of `Kernels/`, of a point or a window, with its arguments.
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
    /// The part of the photo that the function changes; nil is all of it. A device may run the function elsewhere
    /// too.
    public let area: ShownArea?
    /// Why no device can run the function; nil if they can.
    package let problem: String?

    /// - Parameters:
    ///   - kernel: the function.
    ///   - arguments: a value for each of its arguments, by name.
    ///   - colourEffect: the function's effect on grey pixels.
    ///   - area: where the function changes pixels; nil is everywhere.
    public init(
        _ kernel: PointKernel, _ arguments: [String: PointArgument], colourEffect: ColourEffect,
        area: ShownArea? = nil
    ) {
        self.kernel = kernel
        self.arguments = arguments
        self.colourEffect = colourEffect
        self.area = area
        problem = nil
    }

    /// A stage that fails when a device renders it.
    ///
    /// - Parameter problem: the sentence of the error.
    package init(failing problem: String, kernel: String) {
        self.kernel = PointKernel(kernel)
        arguments = [:]
        colourEffect = .keepsGrey
        area = nil
        self.problem = problem
    }

    /// The arguments' floats, in the function's own order.
    package func floats() throws(PointKernelError) -> [Float] {
        if let problem { throw .wrongSetting(problem) }
        return try kernel.floats(arguments)
    }
}

/// A rectangle of the photo as it is shown, in pixels from the left and from the top.
public struct ShownArea: Hashable, Sendable {
    /// Columns and rows, as shown.
    public let x, y: Range<Int>

    /// The pixels in the columns `x` and the rows `y`, as shown.
    public init(x: Range<Int>, y: Range<Int>) {
        self.x = x
        self.y = y
    }

    /// The same pixels of the photo as stored. They may lie outside of it.
    package func stored(in photo: PhotoGeometry) -> (columns: Range<Int>, rows: Range<Int>) {
        func places(_ range: Range<Int>) -> Range<Double> {
            Double(range.lowerBound)..<Double(range.upperBound)
        }
        func pixels(_ range: Range<Double>) -> Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }
        let stored = photo.stored(shownX: places(x), shownY: places(y))
        return (pixels(stored.columns), pixels(stored.rows))
    }
}

extension Sequence<Stage> {
    /// The size that a photo has after these stages, one after the other.
    package func result(of photo: PhotoGeometry) -> PhotoGeometry { reduce(photo) { $1.result(of: $0) } }
}
