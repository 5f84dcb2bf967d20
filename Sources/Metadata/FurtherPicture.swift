/// What a JPEG may have behind the photo. Another photo's size, colours and coding do not fit it.
public enum FurtherPicture: String, CaseIterable, Hashable, Sendable {
    /// The ratio of a brighter rendition to this one (Ultra HDR, ISO 21496-1).
    case gainMap = "HDR gain map"
    /// Of the seconds around the photo (Motion Photo, MicroVideo).
    case video = "motion video"
    /// Other views, frames, depth: what a multi-picture file lists.
    case picture = "further pictures"

    /// What a property of XMP says is there; nil for those that say nothing new.
    init?(_ property: XMPPacket.Property) {
        switch (property.name.namespace, property.name.local) {
        case (.gainMap, _), (.appleGainMap, _): self = .gainMap
        case (.camera, "MotionPhoto"), (.camera, "MicroVideo"):
            guard property.value != "0" else { return nil }
            self = .video
        case (.containerItem, "Semantic"):
            switch property.value {
            case "Primary": return nil
            case "GainMap": self = .gainMap
            case "MotionPhoto": self = .video
            default: self = .picture
            }
        default: return nil
        }
    }
}

extension PhotoMetadata {
    /// What a JPEG has behind the photo, as its metadata tells. Previews do not count.
    package var furtherPictures: Set<FurtherPicture> {
        var pictures: Set<FurtherPicture> = []
        var listedCount = 0
        for item in items {
            switch item {
            case .xmp(let bytes):
                let properties = XMPPacket(bytes: bytes).removing(\.tellsOfFurtherPictures)?.properties ?? []
                pictures.formUnion(properties.compactMap(FurtherPicture.init))
            case .jpegSegment(let marker, let bytes) where JPEGSegments.isGainMapVersion(marker, bytes):
                pictures.insert(.gainMap)
            case .jpegSegment(let marker, let bytes) where JPEGSegments.isPictureIndex(marker, bytes):
                listedCount += MultiPictureIndex(segment: bytes)?.pictureCount ?? 0
            default: break
            }
        }
        // The index lists the gain map too, without saying what it is.
        if listedCount > pictures.subtracting([.video]).count { pictures.insert(.picture) }
        return pictures
    }

    /// What is true of the photo in a file of its own: nothing tells of pictures behind it.
    package func withoutFurtherPictures() -> PhotoMetadata {
        mapItems { item in
            switch item {
            case .xmp(let bytes):
                .xmp(XMPPacket(bytes: bytes).removing(\.tellsOfFurtherPictures)?.bytes ?? bytes)
            case .jpegSegment(let marker, let bytes)
            where JPEGSegments.isPictureIndex(marker, bytes) || JPEGSegments.isGainMapVersion(marker, bytes):
                nil
            default: item
            }
        }
    }
}
