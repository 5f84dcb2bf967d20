import Testing

@testable import TintypeImaging

struct StripTests {
    @Test(arguments: ChromaSubsampling.common)
    func stripsHaveRoomForWholeBlocks(subsampling: ChromaSubsampling) {
        for width in [1, 7, 8, 15, 16, 17, 33, 640] {
            let shape = StripShape(layout: .yCbCr(subsampling), width: width, rowCapacity: 1)
            let blockWidth = 8 * subsampling.horizontal, blockHeight = 8 * subsampling.vertical
            #expect(shape.rowCapacity == blockHeight)
            #expect(shape.planes[0].bytesPerRow >= (width + blockWidth - 1) / blockWidth * blockWidth)
            for plane in shape.planes {
                #expect(
                    plane.byteOffset % StripShape.alignment == 0
                        && plane.bytesPerRow % StripShape.alignment == 0)
                #expect(plane.byteOffset + plane.bytesPerRow * plane.rowCapacity <= shape.byteCount)
            }
            #expect(shape.planes[1].width == (width + subsampling.horizontal - 1) / subsampling.horizontal)
            #expect(shape.planes[1].rowCapacity == 8)
        }
    }

    /// A row of such a photo is large enough, and no JPEG needs eight.
    @Test func stripsThatAreTooWideForAJPEGMayBeASingleRow() {
        for layout in [PixelLayout.interleaved(.grey, .eight), .interleaved(.rgba, .sixteen)] {
            #expect(StripShape(layout: layout, width: 65_535, rowCapacity: 1).rowCapacity == 8)
            #expect(StripShape(layout: layout, width: 65_536, rowCapacity: 1).rowCapacity == 1)
        }
    }

    @Test func memoryThatCannotBeHadIsAnError() {
        #expect(throws: OutOfMemory.self) {
            _ = try Strip(layout: .interleaved(.grey, .eight), width: 1 << 48, rowCapacity: 8)
        }
    }

    @Test func aWindowIsTheSameMemoryFurtherDown() throws {
        let strip = try Strip(layout: .yCbCr(.s420), width: 20, rowCapacity: 64)
        let window = strip.window(atRow: 32, rowCapacity: 16)
        #expect(window.planes[0].base == strip.planes[0].row(32))
        #expect(window.planes[1].base == strip.planes[1].row(16))
        #expect(window.rowCapacity == 16 && window.planes[2].rowCapacity == 8)
    }

    @Test func samplesAreFoundByThePixelTheyBelongTo() throws {
        let strip = try Strip(layout: .yCbCr(.s420), width: 20, rowCapacity: 16)
        #expect(strip.planes[1].sample(x: 7, pixelRow: 5) == strip.planes[1].row(2) + 3)
        let words = try Strip(layout: .interleaved(.rgba, .sixteen), width: 20, rowCapacity: 16)
        #expect(words.planes[0].sample(x: 3, pixelRow: 2) == words.planes[0].row(2) + 24)
    }

    @Test func orientationsThatSwapTheAxesShowTheWidthAsHeight() {
        for orientation in Orientation.allCases {
            let photo = PhotoGeometry(width: 30, height: 20, orientation: orientation)
            #expect(photo.shownHeight == (orientation.rawValue >= 5 ? 30 : 20))
        }
    }
}
