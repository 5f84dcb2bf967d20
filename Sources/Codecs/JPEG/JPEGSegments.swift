import TintypeImaging
import TintypeMetadata

// Conversion between a JPEG's segments and metadata.
extension JPEGSegments {
    struct Segment: Hashable {
        /// 0xE0 + n for APPn, 0xFE for a comment.
        let marker: UInt8
        /// Without marker and length.
        let bytes: [UInt8]
    }

    /// The segments that replace a photo's own.
    struct Replacement {
        var metadata: PhotoMetadata
        /// Whether the photo has a JFIF segment. If not, none is added, because it determines the components'
        /// meaning.
        var hasJFIF: Bool
    }

    /// The metadata in `segments`, in order. A profile takes the place of its first part.
    static func items(of segments: [Segment]) -> [PhotoMetadata.Item] {
        let profile = iccProfile(in: segments)
        var hasProfile = false
        return segments.compactMap { segment in
            let bytes = segment.bytes
            switch segment.marker {
            // JFIF (with its thumbnail) and Adobe describe the coding: the encoder writes its own.
            case app0: return nil
            case _ where isAdobe(segment.marker, bytes): return nil
            case app1 where bytes.starts(with: exifPrefix):
                return .exif(Array(bytes.dropFirst(exifPrefix.count)))
            case app1 where bytes.starts(with: xmpPrefix):
                return .xmp(Array(bytes.dropFirst(xmpPrefix.count)))
            case app2 where bytes.starts(with: iccPrefix):
                defer { hasProfile = true }
                return hasProfile ? nil : profile.map { .icc($0) }
            case comment: return .comment(bytes)
            default: return .jpegSegment(marker: segment.marker, bytes)
            }
        }
    }

    /// Whether there are parts of a profile that cannot be assembled.
    static func hasDamagedProfile(_ segments: [Segment]) -> Bool {
        segments.contains(where: isProfilePart) && iccProfile(in: segments) == nil
    }

    private static func isProfilePart(_ segment: Segment) -> Bool {
        segment.marker == app2 && segment.bytes.starts(with: iccPrefix)
    }

    /// Assembles a profile. Its parts have a number, from 1, and the count of parts (ICC.1:2022, annex B.4).
    /// Nil if a part is missing, if two have the same number and different bytes, or if counts differ.
    private static func iccProfile(in segments: [Segment]) -> ICCProfile? {
        var parts: [UInt8: ArraySlice<UInt8>] = [:]
        var count: UInt8?
        for segment in segments where isProfilePart(segment) {
            let rest = segment.bytes.dropFirst(iccPrefix.count)
            guard let number = rest.first, let total = rest.dropFirst().first, total == count ?? total else {
                return nil
            }
            let part = rest.dropFirst(2)
            guard number > 0, number <= total, part == parts[number] ?? part else { return nil }
            parts[number] = part
            count = total
        }
        guard let count, parts.count == count else { return nil }
        return ICCProfile(bytes: (1...count).flatMap { parts[$0] ?? [] })
    }

    /// The segments for `metadata`, as far as a JPEG can express it.
    ///
    /// - Throws: an error if a profile is too large: without it, colours would change.
    static func segments(for metadata: PhotoMetadata) throws(CodecError) -> [Segment] {
        var segments: [Segment] = []
        for item in metadata.items {
            switch item {
            case .exif(let bytes): segments.append(Segment(marker: app1, bytes: exifPrefix + bytes))
            case .xmp(let bytes): segments += xmpSegments(bytes)
            case .icc(let profile): segments += try split(profile)
            case .comment(let bytes): segments.append(Segment(marker: comment, bytes: bytes))
            case .jpegSegment(let marker, let bytes): segments.append(Segment(marker: marker, bytes: bytes))
            default: break
            }
        }
        // `JPEGFormat.metadata(from:)` has already reported larger ones.
        return segments.filter { $0.bytes.count <= maxByteCount }
    }

    static func fits(exif bytes: [UInt8]) -> Bool { bytes.count <= maxByteCount - exifPrefix.count }

    /// One packet. The rest of a large one is in segments of its own.
    private static func xmpSegments(_ packet: [UInt8]) -> [Segment] {
        if packet.count <= maxXMPByteCount {
            return [Segment(marker: app1, bytes: xmpPrefix + packet)]
        }
        let extended = ExtendedXMP(packet)
        return ([xmpPrefix + extended.standIn] + extended.parts).map { Segment(marker: app1, bytes: $0) }
    }

    /// IPTC data, or Photoshop's image resources with it, in a JPEG's form; nil if it is too large.
    static func photoshop(_ bytes: [UInt8]) -> PhotoMetadata.Item? {
        let resources =
            PhotoshopResources.isResource(bytes) ? bytes : PhotoshopResources.resources(ofIPTC: bytes)
        let content = PhotoshopResources.segmentPrefix + resources
        return content.count <= maxByteCount ? .jpegSegment(marker: app13, content) : nil
    }

    /// Photoshop's image resources, in as many segments as they need.
    static func photoshopSegments(_ resources: [UInt8]) -> [PhotoMetadata.Item] {
        let prefix = PhotoshopResources.segmentPrefix, step = maxByteCount - prefix.count
        return stride(from: 0, to: resources.count, by: step).map { start in
            .jpegSegment(marker: app13, prefix + resources[start..<min(start + step, resources.count)])
        }
    }

    /// Adobe's segment without what follows the colour transform, the last byte that has a meaning.
    static func adobe(_ content: some Collection<UInt8>) -> Segment {
        Segment(marker: app14, bytes: Array(content.prefix(12)))
    }

    /// JFIF 1.01 without a thumbnail, as libjpeg writes it.
    static func jfif(_ density: PixelDensity?) -> Segment {
        let (unit, x, y) = (density ?? .unknown).jfif
        let sizes = [x, y].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let bytes = Array("JFIF\0".utf8) + [1, 1, UInt8(truncatingIfNeeded: unit)] + sizes + [0, 0]
        return Segment(marker: app0, bytes: bytes)
    }

    private static func split(_ profile: ICCProfile) throws(CodecError) -> [Segment] {
        let partByteCount = maxByteCount - iccPrefix.count - 2
        let starts = stride(from: 0, to: profile.bytes.count, by: partByteCount)
        let count = profile.bytes.count.dividedRoundingUp(by: partByteCount)
        guard let total = UInt8(exactly: count) else {
            throw .unsupported(detail: "its colour profile is too large for a JPEG; write a PNG instead")
        }
        return zip(1..., starts).map { number, start in
            let part = profile.bytes[start..<min(start + partByteCount, profile.bytes.count)]
            return Segment(marker: app2, bytes: iccPrefix + [UInt8(number), total] + part)
        }
    }
}

extension JPEGSegments.Segment {
    /// The bytes in a file, with marker and length.
    var fileBytes: [UInt8] {
        let length = bytes.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + bytes
    }
}

extension JPEGSegments.Replacement {
    /// The bytes in a file, after SOI.
    var bytes: [UInt8] {
        get throws(CodecError) {
            let segments = try JPEGSegments.segments(for: metadata)
            return ((hasJFIF ? [JPEGSegments.jfif(metadata.density)] : []) + segments).flatMap(\.fileBytes)
        }
    }
}
