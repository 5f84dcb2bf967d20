import Foundation
import TintypeImaging
import TintypeStages

/// Miniature look: a sharp band across the photo as it is shown, blurred above and below.
///
/// - Colour: the blur works in linear light with premultiplied alpha.
/// - Geometry: y is the centre of a shown row, h the shown height. The row's distance from the band is m =
///   clamp((abs(y/h - focus) - band/2) / falloff, 0, 1). Edges are clamped.
/// - `transition=lens`: each row has a gaussian of its own, with sigma = `radius` m along both axes.
/// - `transition=mix`: one gaussian with sigma = `radius`. A row is m times the blur plus 1 - m times the
///   sharp photo.
/// - Source: a lens blurs in proportion to the distance from its plane of focus. Tutorials for image editors
///   mix. The defaults were chosen by eye, on photos of 12 megapixels.
public struct TiltShift: Filter {
    /// The transition from sharp to blurred.
    public enum Transition: String, CaseIterable, Hashable, Sendable {
        /// Sigma grows with the distance from the band.
        case lens
        /// The share of one blur grows with the distance from the band.
        case mix
    }

    /// The greatest sigma.
    public var radius: Length = .fractionOfHeight(0.007)
    /// Centre of the sharp band, from the top (0) to the bottom (1).
    public var focus: Float = 0.5
    /// Height of the band that stays sharp.
    public var band: Float = 0.2
    /// Distance over which sharp turns into fully blurred.
    public var falloff: Float = 0.25
    /// How sharp turns into blurred.
    public var transition: Transition = .lens

    public static let name = "tilt-shift"
    public static let summary = "Miniature look: a sharp band, blurred above and below"
    public static let group = FilterGroup.detail
    public static let parameters = [
        Parameter<Self>("radius", \.radius, in: 0...100, "sigma of the blur; 0.4% is a share of the height"),
        Parameter<Self>(
            "focus", \.focus, in: 0...1, unit: .fraction, "centre of the sharp band, from the top"),
        Parameter<Self>("band", \.band, in: 0...1, unit: .fraction, "height of the band that stays sharp"),
        Parameter<Self>(
            "falloff", \.falloff, in: 0...1, unit: .fraction, "distance over which sharp turns into blurred"),
        Parameter<Self>(
            "transition", \.transition, "lens lets the radius grow; mix lays one blur over the sharp photo"),
    ]

    public init() {}

    /// - Parameters:
    ///   - radius: the greatest sigma, 0...100 pixels, or 0...1 of the shown height.
    ///   - focus: centre of the sharp band, 0 (top) to 1 (bottom).
    ///   - band: height of the sharp band, 0...1 of the shown height.
    ///   - falloff: distance over which sharp turns into blurred, 0...1 of the shown height.
    public init(
        radius: Length = .fractionOfHeight(0.007), focus: Float = 0.5, band: Float = 0.2,
        falloff: Float = 0.25, transition: Transition = .lens
    ) {
        self.radius = radius
        self.focus = focus
        self.band = band
        self.falloff = falloff
        self.transition = transition
    }

    public var tableBytesPerRow: Int { MaskedBlur.tableBytesPerRow }

    public var gainMapRule: GainMapRule { .kept }

    public func gainMapStages(_ place: GainMapPlace) -> [Stage] {
        var filter = self
        filter.radius = radius.scaled(by: place.scale)
        return filter.stages(for: place.map)
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let sigma = radius.pixels(inHeight: photo.shownHeight)
        let shares = shares(for: photo)
        let axis: MaskedBlur.Axis = photo.orientation.swapsAxes ? .columns : .rows
        switch transition {
        case .lens:
            return MaskedBlur(sigmas: shares.map { sigma * $0 }, axis: axis).map { [.blur($0)] } ?? []
        case .mix:
            let gaussian = Gaussian(sigma: sigma), mask = shares.map { Float($0) }
            guard !gaussian.isIdentity, mask.contains(where: { $0 > 0 }) else { return [] }
            return [.blur(MaskedBlur(gaussian, axis: axis, mask: mask))]
        }
    }

    /// The distance m of each row from the band, 0...1, along the stored axis that corresponds to the shown
    /// height.
    package func shares(for photo: PhotoGeometry) -> [Double] {
        let height = photo.shownHeight
        let shown = (0..<height).map { row in
            let distance = abs((Double(row) + 0.5) / Double(height) - Double(focus)) - Double(band) / 2
            guard falloff > 0 else { return distance > 0 ? 1.0 : 0 }
            return min(max(distance / Double(falloff), 0), 1)
        }
        return photo.orientation.startsAtFarEnd ? shown.reversed() : shown
    }
}
