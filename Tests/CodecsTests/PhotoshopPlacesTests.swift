import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// Photoshop's paths and guides in a photo of 400 x 200 pixels.
struct PhotoshopPlacesTests {
    private func moved(_ resources: [UInt8], _ change: FrameChange) -> (
        bytes: [UInt8]?, lost: Set<PlaceInPhoto>
    ) {
        var lost: Set<PlaceInPhoto> = []
        let bytes = PhotoshopResources.moved(resources, by: change, &lost)
        return (bytes, lost)
    }

    /// A fill rule, a subpath's length, and knots whose three points are the same.
    private static func path(_ points: [(x: Double, y: Double)]) -> [UInt8] {
        func record(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
            [0, kind] + bytes + [UInt8](repeating: 0, count: 24 - bytes.count)
        }
        let knots = points.map { point in
            let place = [point.y, point.x].flatMap { Int32($0 * Double(1 << 24)).bigEndianBytes }
            return record(1, place + place + place)
        }
        return record(6, []) + record(0, [0, UInt8(points.count)]) + knots.flatMap(\.self)
    }

    private static func paths(_ points: [(x: Double, y: Double)]) -> [UInt8] {
        PhotoshopBlock.bytes(2000, name: "Path 1", path(points))
    }

    private static let name = PhotoshopBlock.bytes(2999, [6] + Array("Path 1".utf8) + [0, 0, 0, 0])
    private static let iptc = PhotoshopBlock.bytes(1028, [1, 2, 3])

    @Test func pathsMove() {
        let path = Self.paths([(0.75, 0.25), (0.25, 0.5)])
        #expect(
            moved(path + Self.name, Frames.half) == (Self.paths([(0.5, 0.25), (-0.5, 0.5)]) + Self.name, []))
        #expect(moved(path, Frames.turned) == (Self.paths([(0.75, 0.75), (0.5, 0.25)]), []))
        #expect(moved(path, Frames.smaller) == (nil, []))
    }

    @Test func aPathOutsideIsLeftOutWithItsName() {
        let path = Self.paths([(0.25, 0.25), (0.125, 0.5)])
        #expect(moved(path + Self.iptc + Self.name, Frames.half) == (Self.iptc, [.path]))
        let other = PhotoshopBlock.bytes(2001, name: "Path 2", Self.path([(0.75, 0.5)]))
        let kept = PhotoshopBlock.bytes(2001, name: "Path 2", Self.path([(0.5, 0.5)]))
        let name = PhotoshopBlock.bytes(2999, [6] + Array("Path 2".utf8) + [0, 0, 0, 0])
        #expect(moved(path + other + name, Frames.half) == (kept + name, [.path]))
        // Photoshop takes no places beyond 16 photos.
        #expect(moved(Self.paths([(0.75, 0.5), (-15, 0)]), Frames.half) == ([], [.path]))
    }

    /// Guides in pixels: vertical ones, and horizontal ones.
    private static func guides(vertical: [Int], horizontal: [Int] = []) -> [UInt8] {
        let list = vertical.map { ($0, UInt8(0)) } + horizontal.map { ($0, UInt8(1)) }
        let bytes = list.flatMap { Int32($0.0 * 32).bigEndianBytes + [$0.1] }
        return PhotoshopBlock.bytes(
            1032, [0, 0, 0, 1, 0, 0, 2, 0x40, 0, 0, 2, 0x40] + UInt32(list.count).bigEndianBytes + bytes)
    }

    @Test func guidesMove() {
        let guides = Self.guides(vertical: [300], horizontal: [50])
        #expect(moved(guides, Frames.half) == (Self.guides(vertical: [100], horizontal: [50]), []))
        let smaller = Self.guides(vertical: [100], horizontal: [40])
        #expect(moved(smaller, Frames.smaller) == (Self.guides(vertical: [25], horizontal: [10]), []))
        #expect(
            moved(Self.guides(vertical: [], horizontal: [50]), Frames.turned) == (
                Self.guides(vertical: [150]), []
            ))
        #expect(
            moved(Self.guides(vertical: [100, 300]), Frames.half) == (Self.guides(vertical: [100]), [.guide]))
        let damaged = PhotoshopBlock.bytes(1032, [UInt8](repeating: 0xFF, count: 20))
        #expect(moved(damaged, Frames.half) == ([], [.guide]))
    }

    @Test func aPNGsRawProfileMovesToo() throws {
        func chunk(_ bytes: [UInt8]) -> PNGChunk {
            PNGChunk(
                keyword: "Raw profile type 8bim", deflating: PNGMetadataTests.rawProfile("8bim", bytes))
        }
        let metadata = PhotoMetadata(items: [
            .pngChunk(name: "zTXt", chunk(Self.paths([(0.75, 0.25)]) + Self.iptc).bytes)
        ])
        let (moved, lost) = metadata.moved(by: Frames.half, limits: DecodeLimits())
        #expect(
            moved.items == [.pngChunk(name: "zTXt", chunk(Self.paths([(0.5, 0.25)]) + Self.iptc).bytes)])
        #expect(lost == [])
    }
}
