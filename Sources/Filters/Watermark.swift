import TintypeImaging
import TintypeStages

/// A picture over the photo, such as a name or a logo.
///
/// - Colour: composited on sRGB-encoded values, as browsers do; alpha becomes that of both together.
/// - Definition: W3C Compositing and Blending Level 1, "source over". The picture is resized in linear light with
///   Lanczos 3, and its orientation is followed. Its colour profile is not.
public struct Watermark: Filter {
    /// Where in the photo the picture is.
    public enum Position: String, CaseIterable, Hashable, Sendable {
        case topLeft = "top-left"
        case top
        case topRight = "top-right"
        case left, centre, right
        case bottomLeft = "bottom-left"
        case bottom
        case bottomRight = "bottom-right"

        /// The share of the free space that is before the picture, along x and y.
        fileprivate var share: (x: Double, y: Double) {
            let index = Self.allCases.firstIndex(of: self) ?? 0
            return (Double(index % 3) / 2, Double(index / 3) / 2)
        }
    }

    /// The picture's file, a PNG, JPEG or WebP. It is read when a chain is parsed.
    public internal(set) var file = FilterFile("")
    /// The picture's width as a share of the photo's. A picture that would be too high becomes smaller.
    public var size: Float = 0.2
    /// Where in the photo the picture is.
    public var position = Position.bottomRight
    /// The distance from the photo's edges.
    public var margin = Length.fractionOfHeight(0.03)
    /// The picture's opacity, beside its own alpha.
    public var opacity: Float = 0.7

    /// Nil without a file.
    private var picture: Picture?

    public static let name = "watermark"
    public static let summary = "A picture over the photo, such as a name or a logo"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("file", \.file, "the picture, a PNG, JPEG or WebP"),
        Parameter<Self>(
            "size", \.size, in: 0.001...1, unit: .fraction, "the picture's width as a share of the photo's"),
        Parameter<Self>("position", \.position, "where in the photo the picture is"),
        Parameter<Self>("margin", \.margin, in: 0...10000, "the distance from the photo's edges"),
        Parameter<Self>("opacity", \.opacity, in: 0...1, unit: .fraction, "beside the picture's own alpha"),
    ]

    public static let example = "watermark:file=logo.png,size=15%,position=bottom-right"

    public init() {}

    /// Reads a picture.
    ///
    /// - Parameter files: what may be read.
    /// - Throws: `FilterError` if the file cannot be read or is not a picture.
    public init(contentsOf path: String, reading files: FilterFiles) throws(FilterError) {
        file = FilterFile(path)
        try readFiles(files)
    }

    /// A picture that is not from a file.
    public init(_ picture: Picture) {
        self.picture = picture
        file = FilterFile(contentHash: picture.contentHash)
    }

    public mutating func readFiles(_ files: FilterFiles) throws(FilterError) {
        let (contents, path) = try files.read(&file, for: Self.name)
        do {
            picture = try Picture(files.picture(contents), contentHash: FilterFile.hash(of: contents))
        } catch {
            throw FilterError(unreadable: path, of: Self.name, error)
        }
    }

    /// Its tables do not depend on the photo's length.
    public var tableBytesPerRow: Int { 0 }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard opacity > 0, let picture else { return [] }
        let margin = Int(self.margin.pixels(inHeight: photo.shownHeight).rounded())
        func free(_ length: Int) -> Int { max(length - 2 * margin, 1) }
        let scale = min(
            Double(size) * Double(photo.shownWidth) / Double(picture.width),
            Double(free(photo.shownWidth)) / Double(picture.width),
            Double(free(photo.shownHeight)) / Double(picture.height))
        let width = max(1, Int((Double(picture.width) * scale).rounded()))
        let height = max(1, Int((Double(picture.height) * scale).rounded()))
        func range(_ length: Int, of whole: Int, at share: Double) -> Range<Int> {
            let margin = min(margin, max(whole - length, 0) / 2)
            let start = margin + Int((Double(whole - length - 2 * margin) * share).rounded())
            return start..<start + length
        }
        let area = ShownArea(
            x: range(width, of: photo.shownWidth, at: position.share.x),
            y: range(height, of: photo.shownHeight, at: position.share.y))
        let arguments: [String: PointArgument] = [
            "left": .value(Float(area.x.lowerBound)), "top": .value(Float(area.y.lowerBound)),
            "width": .value(Float(width)), "height": .value(Float(height)), "opacity": .value(opacity),
            "pixels": .table(picture.pixels(width: width, height: height)),
        ]
        let effect: PointStage.ColourEffect = picture.hasColour ? .makesColour : .keepsGrey
        return [.point(PointStage("watermark", arguments, colourEffect: effect, area: area))]
    }

    public static func == (one: Self, other: Self) -> Bool { one.recipe == other.recipe }
    public func hash(into hasher: inout Hasher) { hasher.combine(recipe) }
}
