import Testing

@testable import TintypeImaging

/// `PhotoGeometry.shownPlace` is the definition.
struct TurningTests {
    private static let layouts: [PixelLayout] =
        PixelLayout.Channels.allCases.flatMap { channels in
            PixelLayout.SampleDepth.allCases.map { .interleaved(channels, $0) }
        } + ChromaSubsampling.common.map(PixelLayout.yCbCr)

    /// Turns a photo of noise that comes in strips.
    private func turned(_ photo: MemoryPhoto, stripRows: Int) throws -> MemoryPhoto {
        let geometry = photo.geometry
        let result = MemoryPhoto(geometry.upright, layout: photo.layout.upright(from: geometry.orientation))
        let strip = try Strip(layout: photo.layout, width: geometry.width, rowCapacity: stripRows)
        let source = photo.makeSource()
        while strip.endRow < geometry.height {
            try source.read(into: strip)
            strip.turnUpright(geometry, into: result.strip)
        }
        return result
    }

    /// Whole squares and parts of them; every subsampling divides the sides.
    @Test(arguments: Orientation.allCases, layouts)
    func eachSampleIsWhereItIsShown(orientation: Orientation, layout: PixelLayout) throws {
        for (width, height, stripRows) in [(40, 68, 16), (4, 36, 64), (36, 4, 16)] {
            let geometry = PhotoGeometry(width: width, height: height, orientation: orientation)
            #expect(layout.canTurnUpright(geometry))
            let photo = MemoryPhoto(noise: geometry, layout: layout, seed: 7)
            let result = try turned(photo, stripRows: stripRows)
            for (from, to) in zip(photo.strip.planes, result.strip.planes) {
                let plane = PhotoGeometry(
                    width: from.width, height: height / from.subsampling.vertical, orientation: orientation)
                #expect(to.width == plane.shownWidth)
                var misplaced = 0
                for row in 0..<plane.height {
                    for column in 0..<plane.width {
                        let (x, y) = plane.shownPlace(column: column, row: row)
                        for byte in 0..<from.bytesPerSample {
                            let stored = from.row(row).load(
                                fromByteOffset: column * from.bytesPerSample + byte, as: UInt8.self)
                            let shown = to.row(y).load(
                                fromByteOffset: x * from.bytesPerSample + byte, as: UInt8.self)
                            misplaced += stored == shown ? 0 : 1
                        }
                    }
                }
                #expect(misplaced == 0, "\(width) x \(height)")
            }
        }
    }

    /// Four columns share chroma, and two rows.
    @Test(arguments: Orientation.allCases)
    func chromaOfAnIncompleteSquareCannotBeginASide(orientation: Orientation) {
        func canTurn(_ width: Int, _ height: Int) -> Bool {
            PixelLayout.yCbCr(.s410).canTurnUpright(
                PhotoGeometry(width: width, height: height, orientation: orientation))
        }
        #expect(canTurn(42, 68) == !orientation.mirrorsColumns)
        #expect(canTurn(40, 67) == !orientation.mirrorsRows)
    }
}
