import TestSupport
import Testing

@testable import TintypeCodecs
@testable import TintypeMetadata

struct PhotoshopResourcesTests {
    /// 1028 is IPTC.
    @Test func thumbnailsGoAndOtherResourcesStay() {
        let iptc = PhotoshopBlock.bytes(1028, name: "odd", [28, 2, 5])
        let last = PhotoshopBlock.bytes(1005, [1, 2, 3, 4])
        for number in [1033, 1036] {
            let resources =
                iptc + PhotoshopBlock.bytes(number, name: "even", [UInt8](repeating: 0xD8, count: 99)) + last
            #expect(PhotoshopResources.withoutThumbnails(resources) == iptc + last)
        }
        #expect(PhotoshopResources.withoutThumbnails(iptc + last) == nil)
    }

    @Test(arguments: ["AgHg", "DCSR", "MeSa", "PHUT"])
    func resourcesOfOtherProgramsEndNothing(signature: String) {
        let other = Array(signature.utf8) + PhotoshopBlock.bytes(7000, [1, 2, 3]).dropFirst(4)
        let thumbnail = PhotoshopBlock.bytes(1036, [UInt8](repeating: 0xD8, count: 9))
        #expect(PhotoshopResources.withoutThumbnails(other + thumbnail + other) == other + other)
        let copied = Array(signature.utf8) + thumbnail.dropFirst(4)
        #expect(PhotoshopResources.withoutThumbnails(copied + other) == other)
        #expect(JPEGSegments.photoshop(other) == PhotoshopBlock.segment(other))
    }

    /// Photoshop fills a segment, and continues in the next one.
    @Test func resourcesGoOnInTheNextSegment() {
        let iptc = PhotoshopBlock.bytes(1028, [UInt8](repeating: 1, count: 65000))
        let resources = PhotoshopBlock.bytes(1036, [UInt8](repeating: 2, count: 70000)) + iptc
        let metadata = PhotoMetadata(items: [
            PhotoshopBlock.segment(Array(resources[..<65000])), .comment([1]),
            PhotoshopBlock.segment(Array(resources[65000..<130_000])),
            PhotoshopBlock.segment(Array(resources[130_000...])),
        ])
        #expect(metadata.forFilteredPixels().items == [PhotoshopBlock.segment(iptc), .comment([1])])
    }

    @Test func damagedResourcesStayAsTheyAre() {
        let resources = PhotoshopBlock.bytes(1028, [1, 2, 3]) + PhotoshopBlock.bytes(1036, [4, 5, 6, 7])
        for count in 0..<resources.count {
            #expect(PhotoshopResources.withoutThumbnails(Array(resources[..<count])) == nil)
        }
        let metadata = PhotoMetadata(items: [
            PhotoshopBlock.segment(PhotoshopBlock.bytes(1028, [9])),
            PhotoshopBlock.segment(Array("8BIM".utf8)),
        ])
        #expect(metadata.forFilteredPixels() == metadata)
    }

    /// And IPTC back into a JPEG.
    @Test func aPNGGetsThemAsARawProfile() throws {
        let iptc = PhotoshopBlock.bytes(1028, [UInt8](0...100))
        let resources = iptc + PhotoshopBlock.bytes(1036, [UInt8](repeating: 2, count: 50))
        let other = PhotoMetadata.Item.jpegSegment(marker: 0xEC, Array("Ducky".utf8))
        let metadata = PhotoMetadata(items: [
            PhotoshopBlock.segment(Array(resources[..<60])), .comment([65]), other,
            PhotoshopBlock.segment(Array(resources[60...])), other,
        ])
        let (converted, notes) = metadata.converted(
            from: .jpeg, to: .png, hasColour: true, limits: DecodeLimits())
        let chunk = PNGChunk(
            keyword: "Raw profile type 8bim", deflating: PNGMetadataTests.rawProfile("8bim", iptc))
        #expect(converted.items == [.comment([65]), .pngChunk(name: "zTXt", chunk.bytes)])
        #expect(notes == [.segmentsLeftOut(names: ["APP12"])])
        #expect(try PNGFile([chunk]).converted().metadata.items == [PhotoshopBlock.segment(iptc)])
    }

    /// ImageMagick names the profile "8bim", or "iptc" if it has IPTC.
    @Test(arguments: ["8bim", "iptc"])
    func aRawProfileHasNoThumbnailOfOldPixels(name: String) throws {
        func chunk(_ bytes: [UInt8]) -> PNGChunk {
            let text = PNGMetadataTests.rawProfile(name, bytes)
            return PNGChunk(keyword: "Raw profile type \(name)", deflating: text)
        }
        func item(_ chunk: PNGChunk) -> PhotoMetadata.Item { .pngChunk(name: chunk.name, chunk.bytes) }
        func filtered(
            _ chunk: PNGChunk, limits: DecodeLimits = DecodeLimits()
        ) throws -> [PhotoMetadata.Item] {
            let metadata = try PNGFile([PNGChunk("tEXt", "Author\0me"), chunk]).reader().metadata
            #expect(metadata.items.last == item(chunk), "it stays until pixels change")
            return metadata.withoutThumbnailsInRawProfiles(limits: limits).items
        }
        let author = item(PNGChunk("tEXt", "Author\0me"))
        let iptc = PhotoshopBlock.bytes(1028, [UInt8](0...100)),
            thumbnail = PhotoshopBlock.bytes(1036, [UInt8](repeating: 2, count: 50))
        #expect(try filtered(chunk(thumbnail + iptc)) == [author, item(chunk(iptc))])
        #expect(try filtered(chunk(thumbnail)) == [author])
        // IPTC without resources around it, and text that is no profile.
        for kept in [
            chunk(iptc), chunk([28, 2, 5, 0, 0]),
            PNGChunk(keyword: "Raw profile type \(name)", deflating: Array("8BIM".utf8)),
        ] {
            #expect(try filtered(kept) == [author, item(kept)])
        }
        var limits = DecodeLimits()
        limits.maxInflatedByteCount = 100
        let large = chunk(thumbnail + iptc)
        #expect(try filtered(large, limits: limits) == [author, item(large)])
    }

    @Test func aRawProfileThatCouldNotBeReadIsNotWritten() {
        var limits = DecodeLimits()
        limits.maxInflatedByteCount = 1000
        let iptc = PhotoshopBlock.bytes(1028, [UInt8](repeating: 1, count: 500))
        let metadata = PhotoMetadata(items: [PhotoshopBlock.segment(iptc)])
        let (converted, notes) = metadata.converted(from: .jpeg, to: .png, hasColour: true, limits: limits)
        #expect(converted.items == [] && notes == [.segmentsLeftOut(names: ["APP13"])])
    }
}
