import Foundation
import Testing
import TintypeImaging

@testable import TintypeCodecs

struct GuardedStripTests {
    /// Decoders and encoders use C pointers: any access outside the strip hits an inaccessible page.
    @Test(
        arguments: try ["jpg", "png"].flatMap { ending in
            try Fixture.names(withExtension: ending).map { "\($0).\(ending)" }
        }, [1, 16, 40])
    func nothingIsTouchedBeyondTheStrip(name: String, rowCapacity: Int) throws {
        let reader = try PhotoReader(bytes: Fixture.bytes(name), limits: DecodeLimits())
        let source = try reader.makeSource(layout: reader.layout)
        let strip = try Self.guarded(reader.layout, width: reader.geometry.width, rowCapacity: rowCapacity)
        let output = PhotoWriter.layout(
            for: reader.format, source: reader.layout, grey: !reader.layout.hasColour,
            jpegCoding: reader.jpegCoding)
        let bytes = try written { descriptor in
            // RGB of a JPEG is not what a JPEG takes.
            let writer =
                output == reader.layout
                ? try PhotoWriter(
                    fileDescriptor: descriptor,
                    settings: PhotoWriterSettings(
                        format: reader.format, geometry: reader.geometry, layout: output)) : nil
            repeat {
                try source.read(into: strip)
                strip.hasBlockPadding = false
                try writer?.write(strip)
            } while strip.rowCount > 0
            try writer?.finish()
        }
        if output == reader.layout { try decode(bytes) }
    }

    @Test(
        arguments: try Fixture.names(withExtension: "jpg").map { "\($0).jpg" }, [2, 4, 8])
    func nothingIsTouchedBeyondAReducedStrip(name: String, denominator: Int) throws {
        for rowCapacity in [1, 16, 40] {
            let reader = try PhotoReader(bytes: Fixture.bytes(name), limits: DecodeLimits())
            let source = try reader.makeReducedSource(layout: reader.layout, by: denominator)
            let strip = try Self.guarded(
                reader.layout, width: source.geometry.width, rowCapacity: rowCapacity)
            repeat { try source.read(into: strip) } while strip.rowCount > 0
        }
    }

    /// A strip whose memory ends where an inaccessible page begins.
    private static func guarded(_ layout: PixelLayout, width: Int, rowCapacity: Int) throws -> Strip {
        let shape = StripShape(layout: layout, width: width, rowCapacity: rowCapacity)
        let page = Int(getpagesize())
        let byteCount = shape.byteCount.roundedUp(toMultipleOf: page)
        let start = mmap(nil, byteCount + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let pages = try #require(start != MAP_FAILED ? start : nil)
        try #require(mprotect(pages + byteCount, page, PROT_NONE) == 0)
        let memory = UnsafeMutableRawBufferPointer(
            start: pages + (byteCount - shape.byteCount), count: shape.byteCount)
        return Strip(shape, memory: memory) { _ in munmap(pages, byteCount + page) }
    }
}
