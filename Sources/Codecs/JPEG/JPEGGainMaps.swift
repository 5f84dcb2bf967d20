import SystemPackage
import TintypeImaging
import TintypeMetadata

extension JPEGDecoder {
    /// A map is a picture like the others of the file: what it says of itself tells it from them.
    func readGainMap() throws(CodecError) -> GainMap? {
        guard let head, let (index, start) = MultiPictureIndex.first(in: head.bytes),
            let fileByteCount = ahead.byteCount
        else { return nil }
        var ahead = ahead
        for picture in index.pictures.prefix(Self.mostPictures) where !picture.isPreview {
            let place = start + picture.offset
            guard picture.offset > 0, picture.byteCount > 0, place + picture.byteCount <= fileByteCount,
                picture.byteCount <= limits.maxMetadataByteCount
            else { continue }
            let head = try ahead.bytes(at: place, count: min(picture.byteCount, Self.headByteCount))
            guard head.starts(with: JPEGCompressedHeader.startOfImage),
                GainMapMetadata.mayBeIn(Array(head))
            else { continue }
            let bytes = Array(try ahead.bytes(at: place, count: picture.byteCount))
            guard let reader = try? PhotoReader(bytes: bytes, limits: limits),
                let meaning = GainMapMetadata(reader.metadata)
            else { continue }
            return GainMap(
                file: bytes, isGrey: !reader.layout.hasColour, metadata: reader.metadata.ofGainMap,
                mention: metadata.gainMapMention, meaning: meaning, obstacle: nil)
        }
        return nil
    }

    /// Files with more have frames, or views.
    private static let mostPictures = 8
    /// A map's metadata are in these.
    private static let headByteCount = 128 << 10
}

/// JPEGs that a gain map follows: multi-picture files (CIPA DC-007).
struct JPEGGainMaps: GainMapCodec {
    func makeOutput(
        _ output: ByteOutput, _ map: FollowingGainMap, after metadata: PhotoMetadata
    ) -> any GainMapAppender { MultiPictureOutput(output, map, after: metadata) }
}

/// Keeps the photo until its size is known, then writes it, with the index completed, and the map.
private final class MultiPictureOutput: GainMapAppender {
    let photo: ByteOutput
    private let output: ByteOutput
    private let map: FollowingGainMap
    /// More than the bytes of all segments of metadata.
    private let headByteCount: Int

    init(_ output: ByteOutput, _ map: FollowingGainMap, after metadata: PhotoMetadata) {
        self.output = output
        self.map = map
        headByteCount = 2 * metadata.byteCount + 64 * metadata.items.count + 1 << 16
        photo = output.keeping(in: map.scratchDescriptor)
    }

    func finish() throws(CodecError) {
        var written = photo.lookBack()
        do throws(CodecError) {
            var head = Array(try written.bytes(at: 0, count: headByteCount))
            try complete(&head, photo.byteCount)
            try output.writeAll(head)
            for offset in stride(from: head.count, to: photo.byteCount, by: PhotoWriter.readBackByteCount) {
                try output.writeAll(written.bytes(at: offset, count: PhotoWriter.readBackByteCount))
            }
        } catch .readFailed(let cause) {
            // The photo was read.
            throw .writeFailed(cause)
        }
        try output.writeAll(map.file)
    }

    /// - Parameter start: the photo's first bytes, at least all up to the image.
    private func complete(_ start: inout [UInt8], _ photoByteCount: Int) throws(CodecError) {
        guard let content = JPEGSegments.pictureIndex(in: start) else {
            preconditionFailure("the metadata have no index")
        }
        let origin = content.lowerBound + MultiPictureIndex.prefix.count
        guard UInt32(exactly: photoByteCount) != nil else {
            throw .unsupported(detail: "a JPEG of more than 4 GiB with a gain map")
        }
        let index = MultiPictureIndex.segment(
            photoByteCount: photoByteCount, pictureByteCount: map.file.count, offset: photoByteCount - origin)
        precondition(index.count == content.count)
        start.replaceSubrange(content, with: index)
    }
}

extension JPEGSegments {
    /// The place of the index of a multi-picture file, without marker and length; nil if there is none.
    ///
    /// - Parameter file: from its first byte to the image's data or further.
    static func pictureIndex(in file: [UInt8]) -> Range<Int>? {
        for segment in LeadingSegments(file)
        where segment.marker == app2 && file[segment.content].starts(with: MultiPictureIndex.prefix) {
            return segment.content
        }
        return nil
    }
}

extension MultiPictureIndex {
    /// The index in a file's first bytes, and the place from which it counts.
    static func first(in file: [UInt8]) -> (index: MultiPictureIndex, start: Int)? {
        guard let content = JPEGSegments.pictureIndex(in: file),
            let index = MultiPictureIndex(segment: Array(file[content]))
        else { return nil }
        return (index, content.lowerBound + prefix.count)
    }
}
