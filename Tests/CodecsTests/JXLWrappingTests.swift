import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

/// JPEGs in JPEG XLs, without loss.
struct JXLWrappingTests {
    private static let jpegs = (try? Fixture.names(withExtension: "jpg").map { "\($0).jpg" }) ?? []

    private static func reader(_ bytes: [UInt8]) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: .init())
    }

    private static func isWrapped(_ file: [UInt8]) throws -> Bool {
        try reader(file).canBeCopied(as: .jxl, replacingMetadata: false)
    }

    @Test(arguments: jpegs) func allBytesComeBack(name: String) throws {
        let jpeg = try Fixture.bytes(name)
        guard try Self.isWrapped(jpeg) else { return }
        let jxl = try copied(jpeg, as: .jxl), reader = try Self.reader(jxl)
        #expect(reader.format == .jxl && !reader.isLossless && reader.metadata.orientation == .up)
        #expect(reader.canBeCopied(as: .jpeg, replacingMetadata: false))
        #expect(!reader.canBeCopied(as: .jpeg, replacingMetadata: true))
        #expect(!reader.canBeCopied(as: .png, replacingMetadata: false))
        #expect(try copied(jxl, as: .jpeg) == jpeg)
        #expect(try copied(jxl, as: .jxl) == jxl)
        let upright = try Self.reader(jpeg).geometry
        #expect(reader.geometry.width == (upright.orientation.swapsAxes ? upright.height : upright.width))
    }

    @Test func whichJPEGsAreWrapped() throws {
        let others = try Self.jpegs.filter { try !Self.isWrapped(Fixture.bytes($0)) }
        #expect(
            Set(others) == [
                "arithmetic.jpg", "cmyk.jpg", "cmyk-without-adobe.jpg", "grey-2x2.jpg", "grey-inks.jpg",
                "odd-factors.jpg", "rgb-coded.jpg", "unequal-chroma.jpg", "ycbcr-4x1.jpg", "ycbcr-4x2.jpg",
                "ycck.jpg",
            ])
    }

    /// Trailing bytes, as pictures after a photo, are a part of the JPEG.
    @Test func whatComesAfterThePhotoComesBack() throws {
        let jpeg = try Fixture.bytes("progressive.jpg") + Array("more".utf8)
        #expect(try copied(copied(jpeg, as: .jxl), as: .jpeg) == jpeg)
    }

    @Test func metadataCanBeReplaced() throws {
        let jpeg = try Fixture.bytes("metadata.jpg")
        let metadata = PhotoMetadata(items: [.exif(EXIF(orientation: .left).bytes)])
        let jxl = try copied(jpeg, as: .jxl, metadata: metadata)
        #expect(try Self.reader(jxl).metadata.items == PhotoMetadata(items: metadata.items).upright().items)
        let back = try copied(jxl, as: .jpeg)
        #expect(try Self.reader(back).metadata.items == metadata.items)
        #expect(try Self.reader(back).metadata.orientation == .left)
    }

    /// The image is a good one, but the description of the JPEG around it is not.
    @Test func aJPEGThatCannotBeHadBackIsAnError() throws {
        var jxl = try copied(Fixture.bytes("metadata.jpg"), as: .jxl)
        let box = try #require(jxl.firstRange(of: Array("jbrd".utf8)))
        for index in box.upperBound..<box.upperBound + 8 { jxl[index] ^= 0x55 }
        let error = #expect(throws: CodecError.self) { try copied(jxl, as: .jpeg) }
        guard case .imageNotKept(.jxl, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let reader = try Self.reader(jxl)
        #expect(try Pixels(reader.makeSource(layout: reader.layout)).width == 27)
    }

    /// libjxl takes 4 MiB after the image.
    @Test(arguments: [5 << 20, 20 << 20]) func aJPEGWithTooMuchAfterItIsAnError(byteCount: Int) throws {
        let jpeg = try Fixture.bytes("progressive.jpg") + [UInt8](repeating: 7, count: byteCount)
        let error = #expect(throws: CodecError.self) { try copied(jpeg, as: .jxl) }
        guard case .imageNotKept(.jxl, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Viewers of JPEG XLs would show other colours.
    @Test func aDamagedProfileIsNoPartOfAJPEGXL() throws {
        var jpeg = try Fixture.bytes("metadata.jpg")
        let profile = try #require(jpeg.firstRange(of: Array("ICC_PROFILE\0".utf8)))
        jpeg[profile.upperBound + 1] = 9  // parts
        #expect(try Self.reader(jpeg).hasDamagedProfile && !Self.isWrapped(jpeg))
    }

    @Test func theInnerFileIsTurned() throws {
        let reader = try Self.reader(Fixture.bytes("jxl-jpeg.jxl"))
        #expect(reader.decoder.coded?.inner?.orientation == .right)
        #expect(reader.canBeCopied(as: .jpeg, replacingMetadata: false))
        #expect(!reader.canBeCopied(as: .jpeg, replacingMetadata: false, upright: true))
        #expect(reader.canBeCopied(as: .jxl, replacingMetadata: false, upright: true))
    }
}
