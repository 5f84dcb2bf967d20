import CTintypeRAW
import TintypeImaging
import TintypeMetadata

/// What LibRaw says of a RAW photo, which it develops.
struct RAWHead: IsolatedHead {
    static let library = IsolatedLibrary(name: "LibRaw", codec: { craw_codec() }, package: "libraw-bin")

    let values: LibraryHead
    let metadata: PhotoMetadata
    let notes: [PhotoNote]

    init(_ file: [UInt8], limits: DecodeLimits) throws(CodecError) {
        values = try LibraryHead(file, Self.library, of: .raw, limits: limits)
        let contents = try RAWContents(
            of: RAWFile(ByteInput(bytes: file), limits: limits), limits: limits)
        if contents.endsBeforeImage, !limits.toleratesDamage { throw .truncated }
        let description = RAWDescription(
            ofDeveloped: contents, Self.preview(contents, file, limits),
            PhotoGeometry(width: Int(values.common.width), height: Int(values.common.height)), limits: limits)
        (metadata, notes) = (description.metadata, description.notes)
    }

    private static func preview(
        _ contents: RAWContents, _ file: [UInt8], _ limits: DecodeLimits
    ) -> JPEGDecoder? {
        guard contents.mayBeDescribedByPreview else { return nil }
        do throws(CodecError) {
            let largest = try RAWPreview.largest(of: contents.candidates, in: contents.file)
            guard let range = largest?.range else { return nil }
            return try RAWPreview.decoder(of: Array(file[range]), limits: limits).decoder
        } catch {
            return nil
        }
    }

    /// The sensor's values, four samples a pixel, the image and the pixels: 24 bytes a pixel, and 28 where a file has three values
    /// for each.
    static func memoryByteCount(pixelCount: Int) -> Int { pixelCount * 28 + LibraryHead.constantByteCount }
    var memoryByteCount: Int { Self.memoryByteCount(pixelCount: values.pixelCount) }
}
