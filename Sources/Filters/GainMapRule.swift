import TintypeImaging
import TintypeStages

/// What becomes of a photo's HDR gain map when a filter has changed the photo.
///
/// The map tells how much brighter another rendition is at each place. It stays true as long as the filter keeps the order of
/// tones: what was brighter is still brighter. A filter that moves or blurs pixels does the same with the map.
public enum GainMapRule: String, CaseIterable, Encodable, Hashable, Sendable {
    /// Tones keep their order.
    case kept
    /// Tones keep their order, but colours become others, or none: a map that differs between channels becomes grey.
    case keptInGrey = "kept-in-grey"
    /// Dark may become bright, or many tones become one.
    case leftOut = "left-out"
}

/// A gain map between two filters of a chain.
public struct GainMapPlace: Hashable, Sendable {
    /// The photo that the next filter gets.
    public let photo: PhotoGeometry
    /// The map. It shows the same as the photo, mostly in fewer pixels.
    public let map: PhotoGeometry
    /// The map's value where both renditions are equally bright.
    public let neutral: PlainColour

    /// A map of a photo.
    public init(photo: PhotoGeometry, map: PhotoGeometry, neutral: PlainColour) {
        self.photo = photo
        self.map = map
        self.neutral = neutral
    }

    /// Rows of the map for each row of the photo, as shown.
    var scale: Double { Double(map.shownHeight) / Double(photo.shownHeight) }
}

/// What a chain of filters does with a photo's gain map.
public enum GainMapPlan: Hashable, Sendable {
    /// Stages for the map, and whether a map that differs between channels becomes grey.
    case kept([Stage], inGrey: Bool)
    /// The name of the filter after which the map would be wrong.
    case leftOut(filter: String)
}

extension Filter {
    public var gainMapRule: GainMapRule { .leftOut }

    public func gainMapStages(_ place: GainMapPlace) -> [Stage] {
        var map = place.map
        return stages(for: place.photo).compactMap { stage in
            guard case .resample(let resampling) = stage else { return nil }
            let following = Stage.resample(resampling.following(width: map.width, height: map.height))
            map = following.result(of: map)
            if case .resample(let resampling) = following, resampling.isIdentity { return nil }
            return following
        }
    }
}

extension FilterChain {
    /// What the filters do with a photo's gain map.
    ///
    /// - Parameters:
    ///   - photo: the photo before the first filter.
    ///   - map: its gain map, with the photo's orientation.
    ///   - neutral: see `GainMapPlace`.
    public func gainMapPlan(photo: PhotoGeometry, map: PhotoGeometry, neutral: PlainColour) -> GainMapPlan {
        var place = GainMapPlace(photo: photo, map: map, neutral: neutral)
        var mapStages: [Stage] = [], isGrey = false
        for filter in filters {
            let stages = filter.stages(for: place.photo)
            // The settings change nothing.
            guard !stages.isEmpty else { continue }
            if filter.gainMapRule == .leftOut { return .leftOut(filter: filter.name) }
            isGrey = isGrey || filter.gainMapRule == .keptInGrey
            let following = filter.gainMapStages(place)
            mapStages += following
            place = GainMapPlace(
                photo: stages.result(of: place.photo),
                map: following.result(of: place.map), neutral: neutral)
        }
        return .kept(mapStages, inGrey: isGrey)
    }
}

extension Length {
    /// The same share of a photo with `scale` times the rows.
    func scaled(by scale: Double) -> Length {
        switch self {
        case .pixels(let pixels): .pixels(Float(Double(pixels) * scale))
        case .fractionOfHeight: self
        }
    }
}

extension Sequence<Double> {
    /// Whether values rise from the first to the last, and no value is visibly less than one before it.
    var rise: Bool {
        let values = Array(self), visible = 1.0 / 255
        guard let first = values.first, let last = values.last, last > first else { return false }
        var greatest = first
        for value in values {
            if value < greatest - visible { return false }
            greatest = Swift.max(greatest, value)
        }
        return true
    }
}
