import TintypeImaging
import TintypeMetadata

/// A format's decoder of one photo. It has read the header.
package protocol PhotoDecoder: AnyObject {
    var width: Int { get }
    var height: Int { get }
    var layout: PixelLayout { get }
    var metadata: PhotoMetadata { get }
    /// See `PhotoReader.notes`.
    var notes: [PhotoNote] { get }

    /// Called once, before the first rows.
    func start(_ layout: PixelLayout) throws(CodecError)
    /// Fills the strip's first `count` rows with the photo's next ones. `count` is the strip's capacity, or
    /// less at the photo's end.
    func readRows(_ count: Int, into strip: Strip) throws(CodecError)
    /// Called once, after the last row. Checks that the file is complete.
    func finish() throws(CodecError)

    /// The most bytes for decoding to `layout`, without buffers of constant size.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int

    // MARK: What some photos can do

    /// Whether `start` may have this layout.
    func canDecode(to layout: PixelLayout) -> Bool
    /// By how much both sides may be divided while the photo is decoded: 1, and maybe more.
    var reductions: [Int] { get }
    /// Divides both sides, rounded up. Called before `start`, with one of `reductions`.
    func reduce(by divisor: Int)
    /// Lets other threads help. Called before `start`.
    func use(_ helpers: any CodecHelpers)
    /// The compressed image, if it may be copied.
    var coded: (any CodedImage)? { get }
    /// The compressed image, if a device may decode it: to `layout`, or to the pixels that planes become.
    var compressed: (any CompressedPhoto)? { get }
    /// What makes that impossible ("a progressive JPEG"); nil if it is possible, or if no photo of the format allows it.
    var reasonToDecodeHere: String? { get }
    /// The photo's inks, if it has CMYK instead of RGB or grey. It is decoded to RGB.
    var inks: (any InkedImage)? { get }
    /// How a JPEG is coded.
    var jpegCoding: JPEGCoding? { get }
    /// Whether the photo is a JPEG as most are: grey or YCbCr with whole factors of chroma, Huffman codes, and no damaged profile.
    var isCommonJPEG: Bool { get }
    /// What the pixels' values mean if there is no profile.
    var colourMeaning: ColourMeaning { get }
    /// Whether the photo is compressed without loss, in a format that has both.
    var isLossless: Bool { get }
    /// Why the photo is held as a whole during decoding ("an interlaced PNG"); nil if it is streamed.
    var reasonToHoldAll: String? { get }
    /// Bytes of memory beside the limit of the photo's pixels: a file that is held, which may have other pages and layers, and
    /// what a library needs for any file.
    var grantedByteCount: Int { get }
    /// Whether there are parts of a colour profile that cannot be assembled.
    var hasDamagedProfile: Bool { get }
    /// Whether there is metadata that is not read, because it follows the start of the image; complete after the last row.
    var hasLateMetadata: Bool { get }
    /// See `PhotoReader.readGainMap`.
    func readGainMap() throws(CodecError) -> GainMap?
}

/// A compressed image that may be copied instead of encoded again.
package protocol CodedImage: AnyObject {
    /// The format of a copy; nil is the photo's.
    var codedFormat: PhotoFormat? { get }
    /// Whether a copy can have other metadata.
    var canReplaceMetadata: Bool { get }
    /// The file that the photo was made of without loss, and that can be had back; nil if there is none.
    var inner: InnerFile? { get }
    /// Begins to copy the file. What is decoded from now on is copied, too, so that the copy is checked for damage.
    ///
    /// Called once, before `PhotoDecoder.start`.
    ///
    /// - Parameter metadata: replaces the photo's own; what follows the photo is then left out. Nil copies the whole file.
    /// - Returns: ignores the strips that it gets.
    func makeCopier(
        _ output: ByteOutput, replacing metadata: PhotoMetadata?
    ) throws(CodecError) -> any PhotoEncoder
    /// The same for the inner file. Its `finish` throws `CodecError.imageNotKept` if that cannot be had back.
    func makeInnerCopier(_ output: ByteOutput) -> any PhotoEncoder
}

/// A file within another one.
package struct InnerFile {
    package let format: PhotoFormat
    /// How the file says that it is turned. The photo around it is upright.
    package let orientation: Orientation
    /// The most bytes.
    package let byteCount: Int
}

extension CodedImage {
    package var codedFormat: PhotoFormat? { nil }
    package var canReplaceMetadata: Bool { true }
    package var inner: InnerFile? { nil }
    package func makeInnerCopier(_ output: ByteOutput) -> any PhotoEncoder {
        preconditionFailure("there is no inner file")
    }
}

/// A compressed image that a device may decode.
package protocol CompressedPhoto: AnyObject {
    var compressedImage: CompressedImage { get }
    /// The most bytes of its data; nil if that is not known.
    var compressedByteCount: Int? { get }
    /// Called once, instead of `PhotoDecoder.start`.
    func makeCompressedSource() -> any CompressedSource
}

/// An image of inks, CMYK.
package protocol InkedImage: AnyObject {
    /// How the inks become RGB.
    var inkConversion: SRGBConversion { get }
}

extension InkedImage {
    /// Converts pixels of four inks, in which 255 is no ink.
    func convert(_ inks: UnsafeBufferPointer<UInt8>, toRGB rgb: UnsafeMutableRawPointer) {
        if case .possible(let transform) = inkConversion, let first = inks.baseAddress {
            transform.convert(first, to: rgb, pixelCount: inks.count / 4)
        } else {
            InvertedCMYK.convert(inks, toRGB: rgb)
        }
    }
}

extension PhotoDecoder {
    package func canDecode(to layout: PixelLayout) -> Bool { layout == self.layout }
    package var reductions: [Int] { [1] }
    package func reduce(by divisor: Int) { precondition(divisor == 1, "no such reduction") }
    package func use(_ helpers: any CodecHelpers) {}
    package var coded: (any CodedImage)? { nil }
    package var compressed: (any CompressedPhoto)? { nil }
    package var reasonToDecodeHere: String? { nil }
    package var inks: (any InkedImage)? { nil }
    package var jpegCoding: JPEGCoding? { nil }
    package var isCommonJPEG: Bool { false }
    package var colourMeaning: ColourMeaning { .sRGB }
    package var isLossless: Bool { false }
    package var reasonToHoldAll: String? { nil }
    package var grantedByteCount: Int { 0 }
    package func readGainMap() throws(CodecError) -> GainMap? { nil }
    package var hasDamagedProfile: Bool { false }
    package var hasLateMetadata: Bool { false }
}

/// A format's encoder of one photo. It has written the header.
package protocol PhotoEncoder: AnyObject {
    /// Whether encoding takes so long that threads are better used for it than to decode ahead.
    var needsHelpers: Bool { get }
    /// See `PhotoWriter.use`.
    func use(_ helpers: any CodecHelpers, memory byteCount: Int)
    func write(_ strip: Strip) throws(CodecError)
    func finish() throws(CodecError)
}

extension PhotoEncoder {
    package var needsHelpers: Bool { false }
    package func use(_ helpers: any CodecHelpers, memory byteCount: Int) {}
}
