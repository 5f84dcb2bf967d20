import TintypeImaging
import TintypeStages

/// The photo at another size, as large as all given limits allow.
///
/// - Colour: linear light, premultiplied alpha, so that fine detail keeps its brightness and transparent pixels have no
///   effect on the colour of others.
/// - Definition: `ResamplingKernel`.
public struct Resize: Filter {
    /// How a photo fits into `width` and `height`, if both are given.
    public enum Fit: String, CaseIterable, Hashable, Sendable {
        /// The whole photo, within both.
        case inside
        /// Exactly this size: the photo covers it, and what is too long is cropped on both ends.
        case fill
        /// Exactly this size, with another aspect ratio.
        case stretch
    }

    /// Whether small photos become larger.
    public enum Enlargement: String, CaseIterable, Hashable, Sendable {
        /// A photo within the limits stays as it is.
        case no
        /// A smaller photo is enlarged up to the limits.
        case yes
    }

    /// The longer side in pixels; 0 sets no limit. Without any limit it is 2048.
    public var long: Float = 0
    /// The shorter side in pixels; 0 sets no limit.
    public var short: Float = 0
    /// The width in pixels, as shown; 0 sets no limit.
    public var width: Float = 0
    /// The height in pixels, as shown; 0 sets no limit.
    public var height: Float = 0
    /// A share of the photo's size; 0 sets no limit. Above 1, the photo is enlarged.
    public var scale: Float = 0
    /// How the photo fits into a width and a height.
    public var fit = Fit.inside
    /// Whether small photos become larger.
    public var enlarge = Enlargement.no
    /// The interpolation.
    public var kernel = ResamplingKernel.lanczos

    public static let name = "resize"
    public static let summary = "Another size, such as 2048 pixels on the long side"
    public static let group = FilterGroup.size
    public static let parameters = [
        Parameter<Self>(
            "long", \.long, in: sides, unit: .pixels, "the longer side; 2048 if no size is given"),
        Parameter<Self>("short", \.short, in: sides, unit: .pixels, "the shorter side"),
        Parameter<Self>("width", \.width, in: sides, unit: .pixels, "the width as shown"),
        Parameter<Self>("height", \.height, in: sides, unit: .pixels, "the height as shown"),
        Parameter<Self>("scale", \.scale, in: 0...16, unit: .fraction, "a share of the size, such as 50%"),
        Parameter<Self>(
            "fit", \.fit, "within width and height; fill crops, stretch changes the aspect ratio"),
        Parameter<Self>("enlarge", \.enlarge, "whether small photos become larger"),
        Parameter<Self>("kernel", \.kernel, "lanczos is the sharpest, box the mean of the area"),
    ]
    public static let example = "resize:long=1024"
    private static let sides: ClosedRange<Float> = 0...65535
    private static let usualLong: Float = 2048

    public init() {}

    /// - Parameters:
    ///   - long: the longer side, 1...65535 pixels; 0 sets no limit.
    ///   - short: the shorter side, 1...65535 pixels; 0 sets no limit.
    ///   - width: 1...65535 pixels, as shown; 0 sets no limit.
    ///   - height: 1...65535 pixels, as shown; 0 sets no limit.
    ///   - scale: a share of the photo's size; 0 sets no limit.
    ///   - fit: how the photo fits into a width and a height.
    ///   - enlarge: whether small photos become larger.
    ///   - kernel: the interpolation.
    public init(
        long: Float = 0, short: Float = 0, width: Float = 0, height: Float = 0, scale: Float = 0,
        fit: Fit = .inside, enlarge: Enlargement = .no, kernel: ResamplingKernel = .lanczos
    ) {
        self.long = long
        self.short = short
        self.width = width
        self.height = height
        self.scale = scale
        self.fit = fit
        self.enlarge = enlarge
        self.kernel = kernel
    }

    /// A resize of a smaller copy whose whole photo gets the size `result`, as shown.
    func fitted(to result: PhotoGeometry, atMost longSide: Int) -> Resize {
        let share = min(1, Double(longSide) / Double(result.longSide))
        func side(_ length: Int) -> Float { Float(max(1, (share * Double(length)).rounded())) }
        guard fit != .inside else {
            return Resize(long: side(result.longSide), enlarge: enlarge, kernel: kernel)
        }
        return Resize(
            width: side(result.width), height: side(result.height), fit: fit, enlarge: .yes, kernel: kernel)
    }

    public func check() throws(FilterError) {
        guard fit == .inside || (width > 0 && height > 0) else {
            throw .unusable(
                filter: Self.name,
                problem: "fit=\(fit.rawValue) needs a width and a height, such as width=800,height=600")
        }
        guard fit != .stretch || (long == 0 && short == 0 && scale == 0) else {
            throw .unusable(
                filter: Self.name, problem: "fit=stretch takes its size from width and height alone")
        }
    }

    public var tableBytesPerRow: Int { Resampling.tableBytesPerRow }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let (width, height) = (Double(photo.shownWidth), Double(photo.shownHeight))
        let factors = factors(width, height)
        // The part of the photo that is shown, and its size in the result.
        func axis(_ length: Double, _ factor: Double, limit: Float) -> (part: Range<Double>, count: Double) {
            let whole = (length * factor).rounded(), limit = Double(max(limit.rounded(), limit > 0 ? 1 : 0))
            guard fit == .fill, limit > 0, whole > limit else { return (0..<length, max(whole, 1)) }
            let part = limit / factor, middle = (length - part) / 2
            // At the photo's own scale pixels are kept, as `crop` keeps them.
            let start = factor == 1 ? middle.rounded() : middle
            return (max(start, 0)..<min(start + part, length), limit)
        }
        let x = axis(width, factors.x, limit: self.width), y = axis(height, factors.y, limit: self.height)
        let stored = photo.stored(shownX: x.part, shownY: y.part)
        let (columns, rows) = photo.orientation.swapsAxes ? (y.count, x.count) : (x.count, y.count)
        let resampling = Resampling(
            columns: ResamplingAxis(
                photo.width, range: stored.columns, count: Int(columns), kernel: kernel),
            rows: ResamplingAxis(photo.height, range: stored.rows, count: Int(rows), kernel: kernel))
        return resampling.isIdentity ? [] : [.resample(resampling)]
    }

    /// The factors along x and y, as shown.
    private func factors(_ photoWidth: Double, _ photoHeight: Double) -> (x: Double, y: Double) {
        let most = enlarge == .yes ? Double.infinity : 1
        // A narrow photo with a width would become as high as it likes.
        let longest = max(Double(Self.sides.upperBound) / max(photoWidth, photoHeight), 1)
        func factor(_ limit: Float, _ length: Double) -> Double? {
            limit > 0 ? Double(limit.rounded()) / length : nil
        }
        let x = factor(width, photoWidth), y = factor(height, photoHeight)
        var factors = [
            factor(long, max(photoWidth, photoHeight)), factor(short, min(photoWidth, photoHeight)),
        ]
        var bound = min(most, longest)
        if let x, let y, fit != .inside {
            guard fit == .fill else { return (min(x, most), min(y, most)) }
            factors.append(max(x, y))
            bound = most
        } else {
            factors += [x, y]
        }
        let limited = factors.compactMap { $0 }.min().map { min($0, bound) }
        let usual = min(Double(Self.usualLong) / max(photoWidth, photoHeight), most)
        let scale = self.scale > 0 ? min(Double(self.scale), longest) : .infinity
        let all = min(limited ?? (scale.isFinite ? .infinity : usual), scale)
        return (all, all)
    }
}
