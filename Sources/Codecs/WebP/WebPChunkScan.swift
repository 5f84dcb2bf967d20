import CTintypeWebP
import TintypeImaging
import TintypeMetadata

/// A WebP's chunks: its metadata, which may follow the image, and where the image is. Looks ahead from one chunk's head to the
/// next, and does not read the image.
struct WebPChunkScan {
    /// An image, or the first frame of an animation.
    struct Image {
        /// Where its chunks are in the file.
        let bytes: Range<Int>
        let geometry: PhotoGeometry
        let hasAlpha: Bool
        let isLossless: Bool
        /// The place of its first pixel in the photo.
        var origin = (x: 0, y: 0)
    }

    private(set) var metadata = PhotoMetadata()
    /// The frames of an animation; 0 without one.
    private(set) var frameCount = 0
    /// Whether the file ends before its last chunk does.
    private(set) var isCutOff = false
    private(set) var byteCountBehindEnd = 0

    private let limits: DecodeLimits
    private var input: ByteLookAhead
    private var canvas: PhotoGeometry?
    private var found: Image?
    /// Where ALPH begins before an image that was not met yet.
    private var alphaStart: Int?
    private var heldByteCount = 0

    /// More than the head of a chunk and of its image.
    private static let mostHeadBytes = 64
    /// Bytes of the tables of the smallest images.
    private static let imageOverheadByteCount = 64 << 10
    /// No encoder needs more bytes for a pixel: eight times those of an image without compression.
    private static let mostBytesPerPixel = 32

    init(_ bytes: ByteInput, limits: DecodeLimits) throws(CodecError) {
        input = bytes.lookAhead()
        self.limits = limits
        let head = try input.bytes(at: 0, count: WebPChunk.fileHeadByteCount)
        guard head.count == WebPChunk.fileHeadByteCount else { throw .truncated }
        let end = 8 + Self.number(head.dropFirst(4).prefix(4))
        var offset = WebPChunk.fileHeadByteCount
        while offset + WebPChunk.headByteCount <= end, let chunk = try chunk(at: offset) {
            try take(chunk, isFirst: offset == WebPChunk.fileHeadByteCount)
            offset = chunk.end
            if isCutOff { break }
        }
        if found == nil { throw isCutOff ? .truncated : .corrupt(detail: "no image") }
        if let count = input.byteCount { byteCountBehindEnd = max(0, count - end) }
    }

    var image: Image {
        guard let found else { preconditionFailure("`init` fails without an image") }
        return found
    }

    /// The size of the photo.
    var geometry: PhotoGeometry { canvas ?? image.geometry }
    /// Whether the photo is transparent, also where an animation's first frame leaves it free.
    var hasAlpha: Bool { image.hasAlpha || image.geometry != geometry }

    private struct Chunk {
        let name: String
        let start: Int
        let byteCount: Int
        var content: Int { start + WebPChunk.headByteCount }
        var isOfImage: Bool { name == WebPChunk.alphaName || WebPChunk.imageNames.contains(name) }
        var end: Int { start + WebPChunk.paddedByteCount(byteCount) }
    }

    /// Nil if the file ends before there.
    private mutating func chunk(at offset: Int) throws(CodecError) -> Chunk? {
        let head = try input.bytes(at: offset, count: WebPChunk.headByteCount)
        guard head.count == WebPChunk.headByteCount else {
            isCutOff = true
            return nil
        }
        return Chunk(
            name: String(decoding: head.prefix(4), as: UTF8.self), start: offset,
            byteCount: Self.number(head.dropFirst(4)))
    }

    private mutating func take(_ chunk: Chunk, isFirst: Bool) throws(CodecError) {
        switch chunk.name {
        case WebPChunk.extendedName where isFirst:
            let bytes = try content(of: chunk, at: 4, count: 6)
            let size = (Self.number(bytes.prefix(3)) + 1, Self.number(bytes.dropFirst(3)) + 1)
            canvas = PhotoGeometry(width: size.0, height: size.1)
            try limits.check(width: size.0, height: size.1)
        case WebPChunk.profileName: try hold(chunk) { .icc(ICCProfile(bytes: $0)) }
        case WebPChunk.exifName:
            // Some programs write a JPEG's head before it.
            try hold(chunk) { .exif(JPEGSegments.withoutEXIFPrefix($0)) }
        case WebPChunk.xmpName: try hold(chunk) { .xmp($0) }
        case WebPChunk.frameName: try takeFrame(chunk)
        case _ where found == nil && frameCount == 0 && chunk.isOfImage:
            try takeImage(chunk)
            if let found, canvas ?? found.geometry != found.geometry { throw .corrupt(detail: "two sizes") }
        default: try pass(chunk)
        }
    }

    /// Keeps the first chunk of a kind.
    private mutating func hold(
        _ chunk: Chunk, _ item: ([UInt8]) -> PhotoMetadata.Item
    ) throws(CodecError) {
        try count(chunk)
        let bytes = try input.bytes(at: chunk.content, count: chunk.byteCount)
        guard bytes.count == chunk.byteCount else {
            isCutOff = true
            return
        }
        let new = item(Array(bytes))
        let isKnown = metadata.items.contains { $0.isOfSameKind(as: new) }
        if !isKnown { metadata.items.append(new) }
    }

    /// A stream keeps what is looked at, so the limit counts what is passed there.
    private mutating func pass(_ chunk: Chunk) throws(CodecError) {
        guard let byteCount = input.byteCount else { return try count(chunk) }
        if chunk.content + chunk.byteCount > byteCount { isCutOff = true }
    }

    private mutating func count(_ chunk: Chunk) throws(CodecError) {
        heldByteCount += WebPChunk.paddedByteCount(chunk.byteCount)
        guard heldByteCount <= limits.maxMetadataByteCount else {
            throw .tooMuchMetadata(limit: limits.maxMetadataByteCount)
        }
    }

    /// Takes ALPH, which the image follows, or the image.
    private mutating func takeImage(_ chunk: Chunk) throws(CodecError) {
        guard WebPChunk.imageNames.contains(chunk.name) else {
            // Without a canvas, libwebp does not look at it.
            guard let canvas else { return try pass(chunk) }
            try check(chunk.byteCount, of: canvas)
            alphaStart = alphaStart ?? chunk.start
            return
        }
        let head = try input.bytes(at: chunk.start, count: Self.mostHeadBytes)
        var features = cwebp_features()
        let status = head.withUnsafeBufferPointer { cwebp_read_features($0.baseAddress, $0.count, &features) }
        guard status == CWEBP_STATUS_OK else { throw CodecError(status) }
        let size = PhotoGeometry(width: Int(features.width), height: Int(features.height))
        try limits.check(width: size.width, height: size.height)
        let image = Image(
            bytes: (alphaStart ?? chunk.start)..<chunk.content + chunk.byteCount, geometry: size,
            hasAlpha: alphaStart != nil || features.has_alpha, isLossless: features.is_lossless)
        try check(image.bytes.count, of: size)
        if let byteCount = input.byteCount, image.bytes.upperBound > byteCount { isCutOff = true }
        found = image
    }

    /// Limits the memory for an image's data.
    private func check(_ byteCount: Int, of size: PhotoGeometry) throws(CodecError) {
        guard byteCount <= Self.imageOverheadByteCount + Self.mostBytesPerPixel * size.pixelCount else {
            throw .corrupt(detail: "more data than pixels")
        }
    }

    /// An animation's frame: its place, and chunks as of an image.
    private mutating func takeFrame(_ chunk: Chunk) throws(CodecError) {
        frameCount += 1
        guard frameCount == 1, found == nil else { return try pass(chunk) }
        guard let canvas else { throw .corrupt(detail: "a frame without a canvas") }
        let headByteCount = 16
        let place = try content(of: chunk, at: 0, count: headByteCount)
        var offset = chunk.content + headByteCount
        while offset + WebPChunk.headByteCount <= chunk.end, found == nil,
            let inner = try self.chunk(at: offset)
        {
            if inner.isOfImage { try takeImage(inner) }
            offset = inner.end
        }
        let origin = (x: 2 * Self.number(place.prefix(3)), y: 2 * Self.number(place.dropFirst(3).prefix(3)))
        found?.origin = origin
        guard let size = found?.geometry, origin.x + size.width <= canvas.width,
            origin.y + size.height <= canvas.height
        else { throw isCutOff ? .truncated : .corrupt(detail: "a frame beyond the canvas") }
    }

    private mutating func content(
        of chunk: Chunk, at offset: Int, count: Int
    ) throws(CodecError) -> ArraySlice<UInt8> {
        guard chunk.byteCount >= offset + count else { throw .corrupt(detail: "a short \(chunk.name)") }
        let bytes = try input.bytes(at: chunk.content + offset, count: count)
        guard bytes.count == count else { throw .truncated }
        return bytes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension PhotoMetadata.Item {
    fileprivate func isOfSameKind(as other: Self) -> Bool {
        switch (self, other) {
        case (.exif, .exif), (.icc, .icc), (.xmp, .xmp): true
        default: false
        }
    }
}
