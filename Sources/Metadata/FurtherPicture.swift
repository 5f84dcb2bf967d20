/// A picture or video behind the photo in a JPEG. It does not fit a filtered photo's size, colours or coding.
public enum FurtherPicture: String, CaseIterable, Hashable, Sendable {
    /// The ratio of a brighter rendition to the photo (Ultra HDR, ISO 21496-1).
    case gainMap = "HDR gain map"
    /// A video of the seconds around the photo (Motion Photo, MicroVideo).
    case video = "motion video"
    /// Other views, frames or depth: the entries of a multi-picture file.
    case picture = "further pictures"

    /// The picture that an XMP property refers to; nil for other properties.
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
        case (.depthItem, "DataURI"):
            guard property.value != "primary_image" else { return nil }
            self = .picture
        default: return nil
        }
    }
}

extension PhotoMetadata {
    /// The pictures behind the photo in a JPEG, according to its metadata, without previews.
    package var furtherPictures: Set<FurtherPicture> { furtherPictures(hasGainMap: false) }

    /// - Parameter hasGainMap: whether there is a gain map, which the photo's metadata need not say.
    package func furtherPictures(hasGainMap: Bool) -> Set<FurtherPicture> {
        var pictures: Set<FurtherPicture> = hasGainMap ? [.gainMap] : []
        var listedCount = 0
        for item in items {
            switch item {
            case .xmp(let bytes):
                let properties =
                    XMPPacket(bytes: bytes).removing(\.describesFurtherPictures)?.properties ?? []
                pictures.formUnion(properties.compactMap(FurtherPicture.init))
            case .jpegSegment(let marker, let bytes) where JPEGSegments.isGainMapVersion(marker, bytes):
                pictures.insert(.gainMap)
            case .jpegSegment(let marker, let bytes) where JPEGSegments.isPictureIndex(marker, bytes):
                listedCount += MultiPictureIndex(segment: bytes)?.pictureCount ?? 0
            default: break
            }
        }
        // The index also lists the gain map, without its kind.
        if listedCount > pictures.subtracting([.video]).count { pictures.insert(.picture) }
        return pictures
    }

    /// The metadata without references to pictures behind the photo.
    package func withoutFurtherPictures() -> PhotoMetadata {
        mapItems { item in
            switch item {
            case .xmp(let bytes):
                .xmp(XMPPacket(bytes: bytes).removing(\.describesFurtherPictures)?.bytes ?? bytes)
            case .jpegSegment(let marker, let bytes)
            where JPEGSegments.isPictureIndex(marker, bytes) || JPEGSegments.isGainMapVersion(marker, bytes):
                nil
            default: item
            }
        }
    }
}
