import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// RAW photos around JPEGs of the fixtures: see Fixtures/raws.py.
struct RAWTests {
    private static let files = [
        "raw-canon.cr2", "raw-canon.cr3", "raw-nikon.nef", "raw-sony.arw", "raw-adobe.dng", "raw-pentax.pef",
        "raw-olympus.orf", "raw-om-system.orf", "raw-panasonic.rw2", "raw-fujifilm.raf",
    ]

    private static func hasOwnEXIF(_ name: String) -> Bool { name.hasSuffix("rw2") || name.hasSuffix("raf") }
    private static func preview(_ name: String) -> String {
        hasOwnEXIF(name) ? "metadata.jpg" : "ycbcr-2x2.jpg"
    }

    private static func reader(_ name: String, _ limits: DecodeLimits = .init()) throws -> PhotoReader {
        try PhotoReader(bytes: Fixture.bytes(name), limits: limits)
    }

    private static func decoded(_ bytes: [UInt8], as layout: PixelLayout? = nil) throws -> Pixels {
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        return try Pixels(reader.makeSource(layout: layout ?? reader.layout.withoutPlanes))
    }

    @Test(arguments: files) func theLargestJPEGIsDecoded(name: String) throws {
        let reader = try Self.reader(name), preview = try Fixture.bytes(Self.preview(name))
        #expect(reader.format == .raw)
        for layout in [PixelLayout.interleaved(.rgb, .eight), .interleaved(.grey, .eight)] {
            #expect(try Self.decoded(Fixture.bytes(name), as: layout) == Self.decoded(preview, as: layout))
        }
        let jpeg = try PhotoReader(bytes: preview, limits: DecodeLimits())
        #expect(reader.jpegCoding == jpeg.jpegCoding && reader.reductions == jpeg.reductions)
        #expect(reader.compressedImage(decodingTo: reader.layout) != nil)
    }

    /// Files are read from their ends to their beginnings; a pipe cannot be.
    @Test(arguments: files) func filesAndPipesGiveTheSame(name: String) throws {
        let bytes = try Fixture.bytes(name), expected = try Self.decoded(bytes), pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: bytes)
        try pipe.fileHandleForWriting.close()
        let file = try FileHandle(
            forReadingFrom: URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "Fixtures/\(name)"))
        for handle in [pipe.fileHandleForReading, file] {
            let observer = CountingObserver()
            let reader = try PhotoReader(
                fileDescriptor: handle.fileDescriptor, limits: DecodeLimits(), observer: observer)
            #expect(try Pixels(reader.makeSource(layout: .interleaved(.rgb, .eight))) == expected)
            #expect(try reader.metadata == Self.reader(name).metadata)
            try reader.readToEnd()
            #expect(observer.bytes == bytes)
        }
    }

    @Test(arguments: [
        ("raw-canon.cr2", "Canon", Orientation.right), ("raw-canon.cr3", "Canon", .right),
        ("raw-nikon.nef", "NIKON CORPORATION", .left), ("raw-sony.arw", "SONY", .up),
        ("raw-adobe.dng", "Maker", .down), ("raw-pentax.pef", "PENTAX", .up),
        ("raw-olympus.orf", "OLYMPUS", .up), ("raw-panasonic.rw2", "Maker", .right),
        ("raw-fujifilm.raf", "Maker", .right),
    ])
    func theCameraDescribesThePhoto(name: String, maker: String, orientation: Orientation) throws {
        let reader = try Self.reader(name)
        #expect(reader.geometry.orientation == orientation)
        let exif = try #require(reader.metadata.exif)
        let text = String(decoding: exif.bytes, as: UTF8.self)
        #expect(text.contains(maker))
        #expect(Self.hasOwnEXIF(name) || text.contains("2024:05:06 07:08:09"))
        // The preview's size, and nothing of the maker note.
        #expect(exif.withPixelSize(width: 35, height: 27) == exif)
        #expect(exif.bytes.count < 700)
    }

    @Test func metadataOfAllKindsAreRead() throws {
        let dng = try Self.reader("raw-adobe.dng").metadata
        #expect(dng.xmp.map { String(decoding: $0, as: UTF8.self).contains("xmp:Rating=\"4\"") } == true)
        #expect(!dng.photoshopResources.isEmpty)
        let canon = try Self.reader("raw-canon.cr3").metadata
        #expect(canon.xmp == dng.xmp)
        #expect(try Self.reader("raw-nikon.nef").metadata.xmp == dng.xmp)
        // Latitude's reference, north.
        for name in ["raw-canon.cr2", "raw-canon.cr3"] {
            let stream = try #require(Self.reader(name).metadata.exif?.stream)
            let first = try #require(stream.firstDirectory)
            #expect(stream.subdirectory(EXIF.Tag.gpsDirectory, of: first)?.entry(1) != nil, "\(name)")
        }
        #expect(try Self.reader("raw-fujifilm.raf").metadata.icc != nil)
    }

    /// The preview of Canon's photo is in Adobe RGB, as its EXIF says; the DNG says of its preview that it is not.
    @Test func thePreviewsColoursAreKnown() throws {
        let canon = try Self.reader("raw-canon.cr2").metadata
        #expect(canon.icc == .adobeRGB && canon.exif?.saysAdobeRGB == true)
        let dng = try Self.reader("raw-adobe.dng").metadata
        #expect(dng.icc?.isSRGB == true && dng.exif?.saysAdobeRGB == false)
        #expect(try Self.reader("raw-sony.arw").metadata.icc == nil)
    }

    @Test func aPreviewThatIsSmallerThanThePhotoIsNoted() throws {
        for name in Self.files {
            let notes = try Self.reader(name).notes
            let note = PhotoNote.smallPreview(width: 35, height: 27, rawWidth: 600, rawHeight: 400)
            #expect(notes == (name == "raw-sony.arw" ? [note] : []), "\(name)")
        }
    }

    /// Without filters, the JPEG's image is copied, and gets the camera's description.
    @Test(arguments: files) func aCopyIsThePreviewWithTheMetadata(name: String) throws {
        let reader = try Self.reader(name)
        #expect(reader.canBeCopied(as: .jpeg, replacingMetadata: true))
        #expect(!reader.canBeCopied(as: .png, replacingMetadata: false))
        let copy = try copied(Fixture.bytes(name), as: .jpeg)
        let preview = try Fixture.bytes(Self.preview(name))
        #expect(try copy.endsLike(preview, fromMarker: 0xDB))
        let copied = try PhotoReader(bytes: copy, limits: DecodeLimits())
        #expect(copied.format == .jpeg && copied.metadata.exif == reader.metadata.exif)
        #expect(copied.metadata.xmp == reader.metadata.xmp && copied.geometry == reader.geometry)
    }

    // MARK: Detection

    @Test(arguments: files) func contentsTellTheFormat(name: String) throws {
        let bytes = try Fixture.bytes(name)
        #expect(PhotoFormat.detect(bytes) == .raw && PhotoFormat.detect(bytes.prefix(4096)) == .raw)
        #expect(PhotoFormat.named(byExtension: String(name.suffix(3)).uppercased()) == .raw)
    }

    @Test func otherTIFFsStayTIFFs() throws {
        for name in try Fixture.names(withExtension: "tif") {
            #expect(try PhotoFormat.detect(Fixture.bytes("\(name).tif")) == .tiff, "\(name)")
        }
        // A directory that is not among the first bytes, or leads beyond the end.
        for offset in [[0xFF, 0xFF, 0, 0], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
            #expect(PhotoFormat.detect(Array("II*\0".utf8) + offset) == .tiff)
        }
    }

    // MARK: Damage

    @Test func aRAWPhotoWithoutAJPEGIsRefused() throws {
        var file = try Fixture.bytes("raw-sony.arw")
        let small = try Fixture.bytes("size-17x33.jpg"), large = try Fixture.bytes("ycbcr-2x2.jpg")
        for preview in [small, large] {
            let place = try #require(file.firstRange(of: preview))
            file[place.lowerBound] = 0
            // Once the larger one is damaged, there is none.
            guard preview == small else { continue }
            #expect(try Self.decoded(file) == Self.decoded(large))
        }
        #expect(throws: CodecError.unsupported(detail: "a RAW photo without a JPEG inside")) {
            try PhotoReader(bytes: file, limits: DecodeLimits())
        }
    }

    @Test(arguments: files) func aFileThatEndsInThePreviewIsTruncated(name: String) throws {
        let file = try Fixture.bytes(name), preview = try Fixture.bytes(Self.preview(name))
        let place = try #require(file.firstRange(of: preview))
        var cut = Array(file.prefix(place.upperBound - 30))
        // What follows the preview of these tells where it is.
        guard ["raw-canon.cr3", "raw-fujifilm.raf", "raw-panasonic.rw2"].contains(name) else {
            cut = file
            for index in place.suffix(30) { cut[index] = 0xFF }
            cut[place.upperBound - 1] = 0xD9
            #expect(throws: CodecError.self) { try Self.decoded(cut) }
            return
        }
        #expect(throws: CodecError.truncated) { try Self.decoded(cut) }
    }

    @Test func limitsAreThoseOfThePreview() throws {
        #expect(throws: CodecError.tooManyPixels(width: 35, height: 27, limit: 944)) {
            try Self.reader("raw-nikon.nef", DecodeLimits(maxPixels: 944))
        }
        let need = try Fixture.bytes("ycbcr-2x2.jpg").count
        #expect(
            throws: CodecError.needsTooMuchMemory(reason: "a RAW photo", byteCount: need, limit: need - 1)
        ) { try Self.reader("raw-nikon.nef", DecodeLimits(maxPixels: 945, memoryByteCount: need - 1)) }
    }

    /// No mutation may crash, hang or take memory beyond the limits.
    @Test(arguments: files) func mutationsEndInAnErrorOrPixels(name: String) throws {
        let whole = try Fixture.bytes(name)
        var random = SeededGenerator(seed: 7), limits = DecodeLimits(maxPixels: 100_000)
        limits.maxMetadataByteCount = 1 << 20
        var errors = 0
        for index in 0..<2000 {
            var file = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                // Most of what matters is at the beginning.
                let end = index % 2 == 0 ? min(1500, file.count) : file.count
                file[Int.random(in: 2..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if index % 5 == 0 { file.removeLast(Int.random(in: 1..<file.count - 100, using: &random)) }
            limits.toleratesDamage = index % 3 == 0
            do { try decode(file, limits: limits) } catch is CodecError { errors += 1 }
        }
        #expect(errors > 0)
    }

    /// A directory that refers to itself, and one with as many fields as there can be.
    @Test func circlesEnd() throws {
        let start = Array("II*\0".utf8) + [16, 0, 0, 0, 0x43, 0x52, 2, 0, 0, 0, 0, 0]
        let subdirectories: [UInt8] = [0x4A, 1, 4, 0, 2, 0, 0, 0, 46, 0, 0, 0]
        let exif: [UInt8] = [0x69, 0x87, 4, 0, 1, 0, 0, 0, 16, 0, 0, 0]
        let circle = start + [2, 0] + subdirectories + exif + [16, 0, 0, 0] + [16, 0, 0, 0, 16, 0, 0, 0]
        let full = start + [0xFF, 0xFF] + [UInt8](repeating: 1, count: 12 * 0xFFFF)
        for file in [circle, full] {
            #expect(throws: CodecError.unsupported(detail: "a RAW photo without a JPEG inside")) {
                try PhotoReader(bytes: file, limits: DecodeLimits())
            }
        }
    }
}

private final class CountingObserver: ByteObserver {
    private(set) var bytes: [UInt8] = []
    func observe(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
}

extension [UInt8] {
    /// Whether both end with the same bytes, from the first marker of a kind on.
    fileprivate func endsLike(_ other: [UInt8], fromMarker code: UInt8) throws -> Bool {
        let start = try #require(other.firstRange(of: [0xFF, code])?.lowerBound)
        return suffix(other.count - start) == other[start...]
    }
}
