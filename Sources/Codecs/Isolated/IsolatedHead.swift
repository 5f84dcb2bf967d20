import CTintypeIsolation
import TintypeImaging
import TintypeMetadata

/// What a library says of a file's image, as its format understands it.
protocol IsolatedHead {
    static var library: IsolatedLibrary { get }
    var values: LibraryHead { get }
    /// The most bytes for decoding, without the file.
    var memoryByteCount: Int { get }
    /// Bytes of that which count beside the limit of a photo's pixels, because its library needs them.
    var grantedByteCount: Int { get }
    /// Whether the file's parts are all there, as far as they can be counted.
    var fileIsWhole: Bool { get }
    /// What the metadata lack.
    var notes: [PhotoNote] { get }
    /// What the file has beside the image.
    var furtherPictures: Set<FurtherPicture> { get }
    /// See `PhotoReader.readGainMap`.
    func readGainMap(of file: [UInt8], limits: DecodeLimits) throws(CodecError) -> GainMap?
    /// Whether the image is compressed without loss, in a format that has both.
    var isLossless: Bool { get }
    /// Whether the samples are CMYK.
    var hasInks: Bool { get }
    /// What the values mean if there is no profile.
    var colourMeaning: ColourMeaning { get }
    var metadata: PhotoMetadata { get }
    /// See `CodedImage`.
    var inner: InnerFile? { get }
    func makeInnerCopier(_ output: ByteOutput, of file: [UInt8]) -> any PhotoEncoder
}

extension IsolatedHead {
    var grantedByteCount: Int { 0 }
    var fileIsWhole: Bool { true }
    var notes: [PhotoNote] { [] }
    var furtherPictures: Set<FurtherPicture> { [] }
    func readGainMap(of file: [UInt8], limits: DecodeLimits) -> GainMap? { nil }
    var isLossless: Bool { false }
    var hasInks: Bool { false }
    var colourMeaning: ColourMeaning { .sRGB }
    var inner: InnerFile? { nil }
    func makeInnerCopier(_ output: ByteOutput, of file: [UInt8]) -> any PhotoEncoder {
        preconditionFailure("there is no inner file")
    }
}

/// A library's answer about a file.
final class LibraryHead {
    let pointer: UnsafeMutablePointer<cisolation_head>
    /// In the file's order.
    let items: [(kind: cisolation_metadata, bytes: [UInt8])]

    init(
        _ file: [UInt8], _ library: IsolatedLibrary, of format: PhotoFormat, fileIsWhole: Bool = true,
        limits: DecodeLimits
    ) throws(CodecError) {
        guard fileIsWhole || limits.toleratesDamage else { throw .truncated }
        var status = CISOLATION_STATUS_OK
        let head = file.withUnsafeBufferPointer { file in
            cisolation_head_read(
                library.codec(), cisolation_file(bytes: file.baseAddress, byte_count: file.count),
                limits.maxMetadataByteCount, &status)
        }
        guard let head else {
            throw library.readError(
                cisolation_answer(status), format, fileIsWhole: fileIsWhole, limits: limits)
        }
        guard status == CISOLATION_STATUS_OK else {
            defer { cisolation_head_destroy(head) }
            throw library.readError(head.pointee.answer, format, fileIsWhole: fileIsWhole, limits: limits)
        }
        pointer = head
        items = Self.items(head)
    }

    deinit { cisolation_head_destroy(pointer) }

    /// Memory that a library takes beside an image's samples, as measured: its code, its tables, its threads.
    static let constantByteCount = 32 << 20

    var common: cisolation_head { pointer.pointee }

    /// The format's own head, which begins with the common one.
    func own<Head>(_ type: Head.Type) -> Head {
        UnsafeRawPointer(pointer).assumingMemoryBound(to: type).pointee
    }

    var pixelCount: Int { Int(common.width) * Int(common.height) }

    /// That of the decoded samples. Inks count as RGBA.
    var layout: PixelLayout {
        let channels = PixelLayout.Channels(rawValue: Int(common.channels)) ?? .rgb
        return .interleaved(channels, common.is_16_bit ? .sixteen : .eight)
    }

    func item(_ kind: cisolation_metadata) -> [UInt8]? { items.first { $0.kind == kind }?.bytes }

    private static func items(
        _ head: UnsafeMutablePointer<cisolation_head>
    ) -> [(kind: cisolation_metadata, bytes: [UInt8])] {
        withUnsafeBytes(of: head.pointee.items) { items in
            let items = items.assumingMemoryBound(to: cisolation_item.self)
            return (0..<head.pointee.item_count).map { index in
                let item = items[Int(index)], start = cisolation_head_item(head, index)
                return (item.kind, Array(UnsafeBufferPointer(start: start, count: item.byte_count)))
            }
        }
    }
}
