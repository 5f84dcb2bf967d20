extension PhotoGeometry {
    /// The geometry once the pixels are stored as they are shown.
    package var upright: PhotoGeometry { PhotoGeometry(width: shownWidth, height: shownHeight) }
}

extension PixelLayout {
    /// The layout once the pixels are stored as they are shown: chroma that two columns share is then shared by two rows.
    package func upright(from orientation: Orientation) -> PixelLayout {
        guard case .yCbCr(let subsampling) = self, orientation.swapsAxes else { return self }
        return .yCbCr(subsampling.transposed)
    }

    /// Whether each sample of a photo has one place in the turned photo. It has none if a side begins with pixels that
    /// share their chroma with the padding behind the photo.
    package func canTurnUpright(_ geometry: PhotoGeometry) -> Bool {
        let orientation = geometry.orientation
        return (!orientation.mirrorsColumns || geometry.width % subsampling.horizontal == 0)
            && (!orientation.mirrorsRows || geometry.height % subsampling.vertical == 0)
    }
}

extension Strip {
    /// Writes this strip's rows, turned as they are shown, into a strip that holds the whole turned photo.
    ///
    /// - Parameters:
    ///   - geometry: of the photo as stored.
    ///   - photo: has the layout `layout.upright(from: geometry.orientation)` and the size `geometry.upright`.
    /// - Precondition: `layout.canTurnUpright(geometry)`.
    package func turnUpright(_ geometry: PhotoGeometry, into photo: Strip) {
        precondition(layout.canTurnUpright(geometry), "pixels on both sides of an edge share chroma")
        precondition(photo.layout == layout.upright(from: geometry.orientation), "wrong layout")
        for (from, to) in zip(planes, photo.planes) {
            let vertical = from.subsampling.vertical
            let rows = PlaneRows(
                from, first: firstRow / vertical, count: rowCount.dividedRoundingUp(by: vertical),
                height: geometry.height.dividedRoundingUp(by: vertical), geometry.orientation, into: to)
            switch from.bytesPerSample {
            case 1: rows.turn(as: UInt8.self)
            case 2: rows.turn(as: UInt16.self)
            case 3: rows.turn(as: Triple<UInt8>.self)
            case 4: rows.turn(as: UInt32.self)
            case 6: rows.turn(as: Triple<UInt16>.self)
            default: rows.turn(as: UInt64.self)
            }
        }
    }
}

private struct Triple<Sample: BitwiseCopyable>: BitwiseCopyable {
    let first, second, third: Sample
}

/// Rows of one plane of a strip, and where they are in the turned photo.
private struct PlaneRows {
    let plane: Strip.Plane
    /// Rows of this strip.
    let count: Int
    /// The whole photo's plane.
    let turned: Strip.Plane
    let swapsAxes: Bool
    /// The first column's place in the turned photo, and the way to the next one's.
    let firstColumn: Int
    let columnStep: Int
    let firstRow: Int
    let rowStep: Int

    /// - Parameters:
    ///   - first: the photo's row of samples that is the strip's first.
    ///   - height: rows of samples of the whole photo.
    init(
        _ plane: Strip.Plane, first: Int, count: Int, height: Int, _ orientation: Orientation,
        into turned: Strip.Plane
    ) {
        self.plane = plane
        self.count = count
        self.turned = turned
        swapsAxes = orientation.swapsAxes
        (firstColumn, columnStep) = orientation.mirrorsColumns ? (plane.width - 1, -1) : (0, 1)
        (firstRow, rowStep) = orientation.mirrorsRows ? (height - 1 - first, -1) : (first, 1)
    }

    func turn<Sample: BitwiseCopyable>(as sample: Sample.Type) {
        if !swapsAxes {
            copyRows(as: sample)
        } else if sample == UInt8.self {
            transposeBytes()
        } else {
            transpose(columns: 0..<plane.width, rows: 0..<count, as: sample)
        }
    }

    private func copyRows<Sample: BitwiseCopyable>(as sample: Sample.Type) {
        for row in 0..<count {
            let from = plane.row(row).assumingMemoryBound(to: Sample.self)
            let to = turned.row(firstRow + row * rowStep).assumingMemoryBound(to: Sample.self)
            for column in 0..<plane.width { to[firstColumn + column * columnStep] = from[column] }
        }
    }

    /// Transposes squares of 16 columns, so that their cache lines stay in the first-level cache.
    private func transpose<Sample: BitwiseCopyable>(
        columns: Range<Int>, rows: Range<Int>, as sample: Sample.Type
    ) {
        for left in stride(from: columns.lowerBound, to: columns.upperBound, by: 16) {
            for top in stride(from: rows.lowerBound, to: rows.upperBound, by: 16) {
                for column in left..<min(left + 16, columns.upperBound) {
                    let to = turned.row(firstColumn + column * columnStep).assumingMemoryBound(
                        to: Sample.self)
                    for row in top..<min(top + 16, rows.upperBound) {
                        to[firstRow + row * rowStep] =
                            plane.row(row).assumingMemoryBound(to: Sample.self)[column]
                    }
                }
            }
        }
    }

    /// Transposes squares of 8 x 8 bytes, in less than a third of the time that single bytes take.
    private func transposeBytes() {
        let columns = plane.width / 8 * 8, rows = count / 8 * 8
        // The row that comes first in the turned photo, and the way down from there.
        let (first, step) = rowStep > 0 ? (0, 1) : (7, -1)
        for column in stride(from: 0, to: columns, by: 8) {
            for top in stride(from: 0, to: rows, by: 8) {
                func row(_ index: Int) -> UInt64 {
                    let row = plane.row(top + first + index * step) + column
                    return UInt64(littleEndian: row.loadUnaligned(as: UInt64.self))
                }
                let square = transposed(
                    SIMD8(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)))
                let place = firstRow + (top + first) * rowStep
                for index in 0..<8 {
                    turned.row(firstColumn + (column + index) * columnStep)
                        .storeBytes(of: square[index].littleEndian, toByteOffset: place, as: UInt64.self)
                }
            }
        }
        transpose(columns: columns..<plane.width, rows: 0..<rows, as: UInt8.self)
        transpose(columns: 0..<plane.width, rows: rows..<count, as: UInt8.self)
    }
}

/// Transposes 8 rows of 8 bytes: swaps quarters of the square, then of its quarters, then of theirs.
///
/// Source: H. S. Warren, Hacker's Delight, section 7-3.
private func transposed(_ square: SIMD8<UInt64>) -> SIMD8<UInt64> {
    func swapped(
        _ upper: SIMD4<UInt64>, _ lower: SIMD4<UInt64>, bits: UInt64, mask: UInt64
    ) -> (SIMD4<UInt64>, SIMD4<UInt64>) {
        let change = ((upper &>> bits) ^ lower) & mask
        return (upper ^ (change &<< bits), lower ^ change)
    }
    let (a, b) = swapped(square.lowHalf, square.highHalf, bits: 32, mask: 0x0000_0000_FFFF_FFFF)
    // Rows 0, 1, 4, 5 and 2, 3, 6, 7.
    let (c, d) = swapped(
        SIMD4(lowHalf: a.lowHalf, highHalf: b.lowHalf), SIMD4(lowHalf: a.highHalf, highHalf: b.highHalf),
        bits: 16, mask: 0x0000_FFFF_0000_FFFF)
    // Rows 0, 4, 2, 6 and 1, 5, 3, 7.
    let (e, f) = swapped(
        SIMD4(lowHalf: c.evenHalf, highHalf: d.evenHalf), SIMD4(lowHalf: c.oddHalf, highHalf: d.oddHalf),
        bits: 8, mask: 0x00FF_00FF_00FF_00FF)
    return SIMD8(e[0], f[0], e[2], f[2], e[1], f[1], e[3], f[3])
}
