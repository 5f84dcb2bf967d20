import Glibc

/// A whole photo in one strip of memory.
package final class MemoryPhoto {
    package let geometry: PhotoGeometry
    package let strip: Strip
    package var layout: PixelLayout { strip.layout }

    /// A photo of zeros.
    package convenience init(_ geometry: PhotoGeometry, layout: PixelLayout) {
        // The size comes from a test or benchmark, not from a file, so the process may end if memory runs
        // out.
        let shape = StripShape(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: shape.byteCount, alignment: StripShape.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        self.init(geometry, in: Strip(shape, memory: memory, release: { $0.deallocate() }))
    }

    /// A photo of zeros whose size comes from a program or a file.
    package convenience init(
        allocating geometry: PhotoGeometry, layout: PixelLayout
    ) throws(OutOfMemory) {
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        self.init(geometry, in: strip)
    }

    /// A photo in a strip that has room for all of its rows.
    package init(_ geometry: PhotoGeometry, in strip: Strip) {
        precondition(strip.rowCapacity >= geometry.height, "the strip must hold the whole photo")
        self.geometry = geometry
        self.strip = strip
        strip.rowCount = geometry.height
    }

    /// A photo of random bytes, which depend only on the seed.
    package convenience init(noise geometry: PhotoGeometry, layout: PixelLayout, seed: UInt64) {
        self.init(geometry, layout: layout)
        var state = seed &* 2 &+ 1
        for plane in strip.planes {
            for row in 0..<rowCount(of: plane) {
                for index in 0..<plane.width * plane.bytesPerSample {
                    // Knuth's linear congruential generator (MMIX): its high bits are random enough here.
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    plane.row(row).storeBytes(of: UInt8(state >> 56), toByteOffset: index, as: UInt8.self)
                }
            }
        }
    }

    /// The photo's samples without padding, plane by plane, row by row.
    package var samples: [UInt8] {
        var samples: [UInt8] = []
        forEachRow { samples += $0 }
        return samples
    }

    /// Passes each plane's rows, without padding, to `body`.
    package func forEachRow(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        for plane in strip.planes {
            let byteCount = plane.width * plane.bytesPerSample
            for row in 0..<rowCount(of: plane) {
                body(UnsafeMutableRawBufferPointer(start: plane.row(row), count: byteCount))
            }
        }
    }

    /// A byte in which a photo differs from another one.
    package struct Difference: Equatable, CustomStringConvertible {
        package let plane, row, byte: Int
        package let value, otherValue: UInt8

        package var description: String { "plane \(plane), row \(row), byte \(byte)" }
    }

    /// The first byte in which this photo's samples differ from another one's; nil if all are equal.
    ///
    /// - Precondition: both photos have the same size and layout.
    package func firstDifference(from other: MemoryPhoto) -> Difference? {
        for (index, (plane, wanted)) in zip(strip.planes, other.strip.planes).enumerated() {
            let byteCount = plane.width * plane.bytesPerSample
            for row in 0..<rowCount(of: plane) {
                let bytes = UnsafeRawBufferPointer(start: plane.row(row), count: byteCount)
                let wantedBytes = UnsafeRawBufferPointer(start: wanted.row(row), count: byteCount)
                // Compares byte by byte only if the rows differ.
                if memcmp(plane.row(row), wanted.row(row), byteCount) == 0 { continue }
                let byte = bytes.indices.first { bytes[$0] != wantedBytes[$0] } ?? 0
                return Difference(
                    plane: index, row: row, byte: byte, value: bytes[byte], otherValue: wantedBytes[byte])
            }
        }
        return nil
    }

    private func rowCount(of plane: Strip.Plane) -> Int {
        geometry.height.dividedRoundingUp(by: plane.subsampling.vertical)
    }

    /// A source that yields this photo, once.
    package func makeSource() -> any StripSource { Source(self) }
    /// A sink that writes into this photo.
    package func makeSink() -> any StripSink { Sink(self) }

    private final class Source: StripSource {
        private let photo: MemoryPhoto
        private var nextRow = 0
        var geometry: PhotoGeometry { photo.geometry }
        var layout: PixelLayout { photo.layout }

        init(_ photo: MemoryPhoto) { self.photo = photo }

        func read(into strip: Strip) throws {
            precondition(strip.layout == layout && strip.width == geometry.width, "wrong layout or width")
            strip.firstRow = nextRow
            strip.rowCount = min(strip.rowCapacity, geometry.height - nextRow)
            strip.hasBlockPadding = photo.strip.hasBlockPadding
            nextRow += strip.rowCount
            photo.strip.copyBlocks(strip.firstRow..<strip.endRow, to: strip)
        }
    }

    private final class Sink: StripSink {
        private let photo: MemoryPhoto
        private var nextRow = 0
        var layout: PixelLayout { photo.layout }

        init(_ photo: MemoryPhoto) { self.photo = photo }

        func write(_ strip: Strip) throws {
            precondition(strip.layout == layout && strip.width == photo.strip.width, "wrong layout or width")
            precondition(strip.firstRow == nextRow, "strips must come in order")
            photo.strip.hasBlockPadding =
                strip.hasBlockPadding && (nextRow == 0 || photo.strip.hasBlockPadding)
            nextRow = strip.endRow
            strip.copyBlocks(strip.firstRow..<strip.endRow, to: photo.strip)
        }
    }
}

extension Strip {
    /// Copies rows and, if there is one, the padding of the last block below them: see `copyRows`.
    package func copyBlocks(_ rows: Range<Int>, to other: Strip) {
        let count = hasBlockPadding ? rows.count.roundedUp(toMultipleOf: rowGranularity) : rows.count
        copyRows(rows.lowerBound..<rows.lowerBound + count, to: other)
    }

    /// Copies rows of the photo to another strip of the same layout and width.
    ///
    /// - Parameter rows: rows of the photo that this strip holds; they start at a whole block and may be
    ///   empty.
    package func copyRows(_ rows: Range<Int>, to other: Strip) {
        guard !rows.isEmpty else { return }
        for (from, to) in zip(planes, other.planes) {
            let vertical = from.subsampling.vertical
            let byteCount = rows.count.dividedRoundingUp(by: vertical) * from.bytesPerRow
            to.row((rows.lowerBound - other.firstRow) / vertical).copyMemory(
                from: from.row((rows.lowerBound - firstRow) / vertical), byteCount: byteCount)
        }
    }
}
