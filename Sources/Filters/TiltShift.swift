import Foundation
import Imaging

/// Miniature look: sharp along a band across the photo as it is shown, blurred away from it.
///
/// - Colour: the blur works in linear light with premultiplied alpha.
/// - Geometry: a gaussian with sigma = `radius`, edges clamped. With y the centre of a shown row and h the
///   shown height, the blur's share is clamp((abs(y/h - focus) - band/2) / falloff, 0, 1).
/// - Source: the usual definition of a tilt-shift effect; the defaults are chosen by eye.
public struct TiltShift: Filter {
    /// Sigma of the gaussian.
    public var radius: Length = .pixels(3)
    /// Centre of the sharp band, from the top (0) to the bottom (1).
    public var focus: Float = 0.5
    /// Height of the band that stays sharp.
    public var band: Float = 0
    /// Distance over which sharp turns into fully blurred.
    public var falloff: Float = 0.25

    public static let name = "tilt-shift"
    public static let summary = "Miniature look: a sharp band, blurred above and below"
    public static let parameters = [
        Parameter<Self>("radius", \.radius, in: 0...100, "sigma of the blur; 0.4% is a share of the height"),
        Parameter<Self>(
            "focus", \.focus, in: 0...1, unit: .fraction, "centre of the sharp band, from the top"),
        Parameter<Self>("band", \.band, in: 0...1, unit: .fraction, "height of the band that stays sharp"),
        Parameter<Self>(
            "falloff", \.falloff, in: 0...1, unit: .fraction, "distance over which sharp turns into blurred"),
    ]

    public init() {}

    public init(radius: Length, focus: Float = 0.5, band: Float = 0, falloff: Float = 0.25) {
        self.radius = radius
        self.focus = focus
        self.band = band
        self.falloff = falloff
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let gaussian = Gaussian(sigma: radius.pixels(inHeight: photo.shownHeight))
        let mask = mask(for: photo)
        guard !gaussian.isIdentity, mask.contains(where: { $0 > 0 }) else { return [] }
        let axis: MaskedBlur.Axis = photo.orientation.swapsAxes ? .columns : .rows
        return [.blur(MaskedBlur(gaussian, axis: axis, mask: mask))]
    }

    /// The blur's share along the stored axis that the shown height runs along.
    package func mask(for photo: PhotoGeometry) -> [Float] {
        let height = photo.shownHeight
        let shown = (0..<height).map { row in
            let distance = abs((Double(row) + 0.5) / Double(height) - Double(focus)) - Double(band) / 2
            guard falloff > 0 else { return distance > 0 ? Float(1) : 0 }
            return Float(min(max(distance / Double(falloff), 0), 1))
        }
        return photo.orientation.startsAtFarEnd ? shown.reversed() : shown
    }
}
