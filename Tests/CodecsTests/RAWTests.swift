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
        let bytes = try Fixture.bytes(name), expected = try Self.decoded(bytes)
        let pipe = try Pipe(holding: bytes)
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

    /// Where a smaller JPEG comes first, it is no photo.
    @Test(arguments: files) func aFileThatEndsEarlyIsTruncated(name: String) throws {
        let file = try Fixture.bytes(name), preview = try Fixture.bytes(Self.preview(name))
        let place = try #require(file.firstRange(of: preview))
        for end in [place.lowerBound, place.upperBound - 30] {
            #expect(throws: CodecError.truncated) { try Self.decoded(Array(file.prefix(end))) }
        }
        // What follows the preview is not needed, but for the directories.
        guard ["raw-canon.cr3", "raw-panasonic.rw2", "raw-fujifilm.raf"].contains(name) else { return }
        #expect(try Self.decoded(Array(file.prefix(place.upperBound))) == Self.decoded(file))
    }

    /// As of any damaged photo, what there is.
    @Test func ofAFileThatEndsEarlyTheSmallerJPEGIsLeft() throws {
        let file = try Fixture.bytes("raw-canon.cr2")
        let place = try #require(file.firstRange(of: Fixture.bytes("ycbcr-2x2.jpg")))
        // The second directory is at the end.
        var cut = Array(file.prefix(place.upperBound - 100))
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        #expect(try PhotoReader(bytes: cut, limits: limits).geometry.width == 35)
        cut = try Array(Fixture.bytes("raw-canon.cr3"))
        let large = try #require(cut.firstRange(of: Fixture.bytes("ycbcr-2x2.jpg")))
        cut.removeSubrange(large.lowerBound...)
        #expect(try PhotoReader(bytes: cut, limits: limits).geometry.width == 17)
    }

    @Test func damageOfThePreviewIsFound() throws {
        var file = try Fixture.bytes("raw-nikon.nef")
        let place = try #require(file.firstRange(of: Fixture.bytes("ycbcr-2x2.jpg")))
        for index in place.suffix(40).dropLast(10) { file[index] = 0xFF }
        #expect(throws: CodecError.self) { try Self.decoded(file) }
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

    private static let start = Array("II*\0".utf8) + [16, 0, 0, 0, 0x43, 0x52, 2, 0, 0, 0, 0, 0]
    private static let exif: [UInt8] = [0x69, 0x87, 4, 0, 1, 0, 0, 0]

    private static func refuses(_ file: [UInt8]) {
        #expect(throws: CodecError.unsupported(detail: "a RAW photo without a JPEG inside")) {
            try PhotoReader(bytes: file, limits: DecodeLimits())
        }
    }

    /// A directory that refers to itself, and one with as many fields as there can be.
    @Test func circlesEnd() throws {
        let subdirectories: [UInt8] = [0x4A, 1, 4, 0, 2, 0, 0, 0, 46, 0, 0, 0]
        let circle =
            Self.start + [2, 0] + subdirectories + Self.exif + [16, 0, 0, 0] + [16, 0, 0, 0]
            + [16, 0, 0, 0, 16, 0, 0, 0]
        Self.refuses(circle)
        Self.refuses(Self.start + [0xFF, 0xFF] + [UInt8](repeating: 1, count: 12 * 0xFFFF))
    }

    /// A thousand fields for one directory of a thousand fields for one of a thousand.
    @Test func directoriesThatManyFieldsReferToAreNotReadForEach() throws {
        func directory(of field: [UInt8]) -> [UInt8] {
            [0xE8, 3] + Array(repeatElement(field, count: 1000).joined()) + [0, 0, 0, 0]
        }
        func pointer(_ offset: Int) -> [UInt8] {
            Self.exif + (0..<4).map { UInt8(truncatingIfNeeded: offset >> (8 * $0)) }
        }
        let second = Self.start.count + 12_006, third = second + 12_006
        let note: [UInt8] = [0x7C, 0x92, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        Self.refuses(
            Self.start + directory(of: pointer(second)) + directory(of: pointer(third))
                + directory(of: note))
    }

    /// Only the first description counts.
    @Test func manyDescriptionsTakeNoMemory() throws {
        let file = try Fixture.bytes("raw-canon.cr3")
        let whole = try PhotoReader(bytes: file, limits: DecodeLimits())
        let uuid = try #require(file.firstRange(of: [0xBE, 0x7A, 0xCF, 0xCB])), start = uuid.lowerBound - 8
        let byteCount = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        let packet = file[start..<start + byteCount]
        let more = try PhotoReader(
            bytes: file + Array(repeatElement(packet, count: 200).joined()), limits: DecodeLimits())
        #expect(more.metadata == whole.metadata && whole.metadata.xmp != nil)
    }

    /// The JPEG's head has the limit of any JPEG.
    @Test func aPreviewFullOfMetadataIsRefused() throws {
        var limits = DecodeLimits()
        limits.maxMetadataByteCount = 500
        #expect(throws: CodecError.tooMuchMetadata(limit: 500)) {
            try Self.reader("raw-fujifilm.raf", limits)
        }
    }

    /// EXIF that a JPEG's segment cannot hold is noted, and the orientation stays.
    @Test func aDescriptionThatIsTooLongForAJPEGIsNoted() throws {
        let file = try Fixture.bytes("raw-canon.cr2")
        // The date's field gets more text than a segment holds.
        var long = file + [UInt8](repeating: UInt8(ascii: "x"), count: 70_000)
        let field = try #require(long.firstRange(of: [0x32, 0x01, 2, 0, 20, 0, 0, 0]))
        func set(_ value: Int, at index: Int) {
            for byte in 0..<4 { long[index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
        }
        set(70_000, at: field.lowerBound + 4)
        set(file.count, at: field.upperBound)
        let reader = try PhotoReader(bytes: long, limits: DecodeLimits())
        #expect(reader.notes == [.tooLargeForJPEG(names: ["EXIF"])])
        #expect(reader.metadata.exif == EXIF(orientation: .right))
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
