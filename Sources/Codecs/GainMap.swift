import TintypeImaging
import TintypeMetadata

/// A photo's HDR gain map: how much brighter another rendition of it is, as a picture that follows the photo in its file.
package struct GainMap: Sendable {
    /// Bytes of a file that shows the map, of the photo's format.
    package let file: [UInt8]
    /// Whether red, green and blue are alike, whatever the file's layout is.
    package let isGrey: Bool
    /// What an output's map says of itself.
    package let metadata: PhotoMetadata
    /// How an output tells of it.
    package let mention: GainMapMention
    /// What the map's values mean.
    package let meaning: GainMapMetadata
    /// Why no output can have it; nil if one can.
    package let obstacle: GainMapObstacle?
}

/// Why a gain map is left out.
public enum GainMapObstacle: Hashable, Sendable, CustomStringConvertible {
    /// The map would be wrong after a filter.
    case filter(name: String)
    /// The map's file is damaged.
    case damaged
    /// It needs more memory than there is for a photo.
    case memory
    /// It would take more than a quarter of the bytes that the output may have.
    case tooLarge
    /// The map has more pixels than the photo along an axis.
    case largerThanPhoto
    /// The values of red, green and blue mean different things, and the photo's colours change.
    case channelsDiffer
    /// What the map's values mean is in the maker note, which the output does not have.
    case meaningLeftOut
    /// The photo's XMP cannot tell of it: it is damaged or too large.
    case xmp
    /// Its values are ratios of the other rendition's primaries, which a JPEG cannot say.
    case otherPrimaries
    /// It leads from the photo to a rendition that is not brighter, and a JPEG is the dark one.
    case notBrighter
    /// Its sides have another ratio than the photo's.
    case otherShape
    /// It has alpha.
    case transparent

    public var description: String {
        switch self {
        case .filter(let name): "it does not fit what \(name) does with bright and dark"
        case .damaged: "it is damaged"
        case .memory: "it needs too much memory"
        case .tooLarge: "it is too large for the bytes that the output may have"
        case .largerThanPhoto: "it is larger than the photo"
        case .channelsDiffer:
            "its red, green and blue have different scales, and the photo has other colours now"
        case .meaningLeftOut: "only the camera's maker note, which was left out, tells how bright it is"
        case .xmp: "the photo's XMP cannot refer to it"
        case .otherPrimaries:
            "its values are for the primaries of the HDR rendition, which a JPEG cannot tell"
        case .notBrighter: "it does not make the photo brighter, and a JPEG's must"
        case .otherShape: "its shape is not the photo's"
        case .transparent: "it is transparent in places"
        }
    }
}

/// A gain map that is written after a photo.
package struct FollowingGainMap: Sendable {
    /// Bytes of its file.
    package let file: [UInt8]
    /// An empty file for reading and writing, open until the photo is finished: the photo's size is known only then, and its
    /// beginning tells where the map is. Nil for a photo in memory.
    package let scratchDescriptor: Int32?

    package init(file: [UInt8], scratchDescriptor: Int32?) {
        self.file = file
        self.scratchDescriptor = scratchDescriptor
    }
}

/// How a format's files have gain maps.
package protocol GainMapCodec: Sendable {
    /// The output of a photo that a map follows.
    ///
    /// - Parameter metadata: the photo's, which tell of the map: see `PhotoMetadata.telling`.
    func makeOutput(
        _ output: ByteOutput, _ map: FollowingGainMap, after metadata: PhotoMetadata
    ) -> any GainMapAppender
}

/// Takes a photo's file, and writes it with the map.
package protocol GainMapAppender: AnyObject {
    /// Gets the photo's file.
    var photo: ByteOutput { get }
    /// Call it once the photo is complete.
    func finish() throws(CodecError)
}

extension PhotoWriter {
    /// Bytes of a part of the photo that is read back.
    static let readBackByteCount = 1 << 18
    /// The most bytes for such parts: one, and the next.
    package static let gainMapBufferByteCount = 2 * readBackByteCount

    /// A file in memory with the photo's compressed image. All of it is decoded, to find damage.
    ///
    /// - Parameter metadata: replaces the photo's own.
    package static func copy(of reader: PhotoReader, metadata: PhotoMetadata) throws -> [UInt8] {
        guard let coded = reader.decoder.coded else { preconditionFailure("the photo cannot be copied") }
        let output = ByteOutput()
        let copier = try coded.makeCopier(output, replacing: metadata)
        let source = try reader.makeReducedSource(layout: reader.layout, by: reader.reductions.max() ?? 1)
        let strip = try Strip(
            layout: source.layout, width: source.geometry.width,
            rowCapacity: source.layout.rowGranularity(width: source.geometry.width))
        repeat { try source.read(into: strip) } while strip.endRow < source.geometry.height
        try copier.finish()
        return output.bytes
    }
}
