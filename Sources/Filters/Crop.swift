import TintypeImaging
import TintypeStages

/// A part of the photo.
///
/// - Colour: pixels stay as they are.
public struct Crop: Filter {
    /// The width in pixels, as shown; 0 keeps it.
    public var width: Float = 0
    /// The height in pixels, as shown; 0 keeps it.
    public var height: Float = 0
    /// Width divided by height: the largest such part is kept. 0 keeps it; without any size it is 1.
    public var aspect: Float = 0
    /// Where the part is: 0 at the left, 0.5 in the centre, 1 at the right.
    public var x: Float = 0.5
    /// Where the part is: 0 at the top, 0.5 in the centre, 1 at the bottom.
    public var y: Float = 0.5

    public static let name = "crop"
    public static let summary = "A part of the photo, of a size or an aspect ratio"
    public static let group = FilterGroup.size
    public static let parameters = [
        Parameter<Self>("width", \.width, in: 0...65535, unit: .pixels, "the width as shown; 0 keeps it"),
        Parameter<Self>("height", \.height, in: 0...65535, unit: .pixels, "the height as shown; 0 keeps it"),
        Parameter<Self>(
            "aspect", \.aspect, in: 0...100, unit: .ratio,
            "width to height, such as 3:2; 1 if no size is given"),
        Parameter<Self>("x", \.x, in: 0...1, unit: .fraction, "0 keeps the left part, 1 the right part"),
        Parameter<Self>("y", \.y, in: 0...1, unit: .fraction, "0 keeps the top part, 1 the bottom part"),
    ]

    public static let example = "crop:aspect=3:2"

    public init() {}

    /// - Parameters:
    ///   - width: 0...65535 pixels, as shown; 0 keeps the photo's.
    ///   - height: 0...65535 pixels, as shown; 0 keeps the photo's.
    ///   - aspect: width divided by height; 0 keeps it.
    ///   - x: where the part is, 0 (left) to 1 (right).
    ///   - y: where the part is, 0 (top) to 1 (bottom).
    public init(
        width: Float = 0, height: Float = 0, aspect: Float = 0, x: Float = 0.5, y: Float = 0.5
    ) {
        self.width = width
        self.height = height
        self.aspect = aspect
        self.x = x
        self.y = y
    }

    public var tableBytesPerRow: Int { Resampling.tableBytesPerRow }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let (width, height) = size(in: photo)
        func part(_ length: Int, of whole: Int, at place: Float) -> Range<Int> {
            let start = Int((Double(whole - length) * Double(place)).rounded())
            return start..<start + length
        }
        let area = ShownArea(
            x: part(width, of: photo.shownWidth, at: x), y: part(height, of: photo.shownHeight, at: y))
        let resampling = Resampling(of: photo, in: area)
        return resampling.isIdentity ? [] : [.resample(resampling)]
    }

    /// The part's size in pixels, as shown.
    private func size(in photo: PhotoGeometry) -> (width: Int, height: Int) {
        func limited(_ limit: Float, _ length: Int) -> Double {
            limit > 0 ? min(Double(limit.rounded()), Double(length)) : Double(length)
        }
        var width = limited(width, photo.shownWidth), height = limited(height, photo.shownHeight)
        let isEmpty = self.width == 0 && self.height == 0 && aspect == 0
        let aspect = isEmpty ? 1 : Double(aspect)
        if aspect > 0 {
            (width, height) = (min(width, height * aspect), min(height, width / aspect))
        }
        return (max(1, Int(width.rounded())), max(1, Int(height.rounded())))
    }
}
