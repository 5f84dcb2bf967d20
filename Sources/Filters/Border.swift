import TintypeImaging
import TintypeStages

/// A frame of one colour around the photo.
///
/// - Colour: pixels of the photo stay as they are; the frame is opaque.
/// - Definition: the frame has `size` on every side. With an aspect ratio, two opposite sides grow until the result
///   has it; what is left over of an odd difference is at the right or at the bottom.
public struct Border: Filter {
    /// The width of the frame.
    public var size = Length.fractionOfHeight(0.05)
    /// The frame's colour.
    public var colour = PlainColour(0xff, 0xff, 0xff)
    /// Width divided by height of the result; 0 keeps the frame equally wide on all sides.
    public var aspect: Float = 0

    public static let name = "border"
    public static let summary = "A frame of one colour, or a photo filled up to an aspect ratio"
    public static let group = FilterGroup.size
    public static let parameters = [
        Parameter<Self>("size", \.size, in: 0...10000, "the frame's width on every side"),
        Parameter<Self>("colour", \.colour, "the frame's colour"),
        Parameter<Self>(
            "aspect", \.aspect, in: 0...100, unit: .ratio,
            "width to height of the result, such as 1:1; 0 leaves all sides equal"),
    ]

    public static let example = "border:size=3%,colour=#111"

    public init() {}

    /// - Parameters:
    ///   - size: 0...10000 pixels, or 0...1 of the shown height.
    ///   - colour: the frame's colour.
    ///   - aspect: width divided by height of the result; 0 keeps the frame equally wide on all sides.
    public init(
        size: Length = .fractionOfHeight(0.05), colour: PlainColour = PlainColour(0xff, 0xff, 0xff),
        aspect: Float = 0
    ) {
        self.size = size
        self.colour = colour
        self.aspect = aspect
    }

    public var tableBytesPerRow: Int { Resampling.tableBytesPerRow }

    public var gainMapRule: GainMapRule { .kept }

    /// The frame is as bright in both renditions.
    public func gainMapStages(_ place: GainMapPlace) -> [Stage] {
        let photo = place.photo, map = place.map
        let area = area(around: photo)
        func scaled(_ range: Range<Int>, _ length: Int, to mapLength: Int) -> Range<Int> {
            let scale = Double(mapLength) / Double(length)
            let before = Int((Double(range.lowerBound) * scale).rounded())
            let after = Int((Double(range.upperBound - length) * scale).rounded())
            return before..<mapLength + after
        }
        let mapArea = ShownArea(
            x: scaled(area.x, photo.shownWidth, to: map.shownWidth),
            y: scaled(area.y, photo.shownHeight, to: map.shownHeight))
        return Self.stages(for: map, in: mapArea, place.neutral)
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        Self.stages(for: photo, in: area(around: photo), colour)
    }

    private static func stages(
        for photo: PhotoGeometry, in area: ShownArea, _ colour: PlainColour
    ) -> [Stage] {
        let padding = Resampling(of: photo, in: area)
        guard !padding.isIdentity else { return [] }
        let inside: [(String, Int)] = [
            ("left", -area.x.lowerBound), ("top", -area.y.lowerBound),
            ("right", photo.shownWidth - area.x.lowerBound),
            ("bottom", photo.shownHeight - area.y.lowerBound),
        ]
        var arguments = Dictionary(uniqueKeysWithValues: inside.map { ($0, PointArgument.value(Float($1))) })
        arguments["colour"] = .table(colour.values.map { Float($0) })
        let isGrey = colour.red == colour.green && colour.green == colour.blue
        let paint = PointStage("border", arguments, colourEffect: isGrey ? .keepsGrey : .makesColour)
        return [.resample(padding), .point(paint)]
    }

    private static let longestSide = 65535.0
    /// Frames around frames grow to this side, and longer photos by so many pixels.
    private static let longestFramedSide = 1 << 20, greatestGrowth = 20_000

    /// The result, in places of the photo: the frame is outside of it.
    private func area(around photo: PhotoGeometry) -> ShownArea {
        let longer = max(photo.shownWidth, photo.shownHeight)
        let widest = max(Self.longestFramedSide - longer, Self.greatestGrowth) / 2
        let frame = Int(min(size.pixels(inHeight: photo.shownHeight), Double(widest)).rounded())
        let width = Double(photo.shownWidth + 2 * frame), height = Double(photo.shownHeight + 2 * frame)
        func range(_ length: Int, atLeast least: Double) -> Range<Int> {
            // The shape of a narrow photo may need more than files can have.
            let count = max(length + 2 * frame, Int(min(least, Self.longestSide).rounded()))
            let before = (count - length) / 2
            return -before..<count - before
        }
        return ShownArea(
            x: range(photo.shownWidth, atLeast: height * Double(aspect)),
            y: range(photo.shownHeight, atLeast: aspect > 0 ? width / Double(aspect) : 0))
    }
}
