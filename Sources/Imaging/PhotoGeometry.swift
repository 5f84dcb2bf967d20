/// A photo's size as stored, and its orientation.
public struct PhotoGeometry: Hashable, Sendable {
    /// Width in pixels, as stored.
    public let width: Int
    /// Height in pixels, as stored.
    public let height: Int
    /// How the stored photo is turned for display.
    public let orientation: Orientation

    /// - Precondition: `width` and `height` are at least 1.
    public init(width: Int, height: Int, orientation: Orientation = .up) {
        precondition(width > 0 && height > 0, "width and height must be at least 1")
        self.width = width
        self.height = height
        self.orientation = orientation
    }

    /// Width x height.
    public var pixelCount: Int { width * height }

    /// Both sides halved, rounded up.
    public var halved: PhotoGeometry { divided(by: 2) }

    /// Both sides divided, rounded up.
    package func divided(by divisor: Int) -> PhotoGeometry {
        PhotoGeometry(
            width: width.dividedRoundingUp(by: divisor), height: height.dividedRoundingUp(by: divisor),
            orientation: orientation)
    }

    /// The larger one of width and height.
    package var longSide: Int { max(width, height) }

    /// Height in pixels of the photo as a viewer shows it.
    public var shownHeight: Int { orientation.swapsAxes ? width : height }

    /// Width in pixels of the photo as a viewer shows it.
    public var shownWidth: Int { orientation.swapsAxes ? height : width }

    /// The stored columns and rows of a rectangle of the photo as shown, in pixels from its left and its top.
    package func stored(
        shownX: Range<Double>, shownY: Range<Double>
    ) -> (columns: Range<Double>, rows: Range<Double>) {
        func mirrored(_ range: Range<Double>, _ length: Int) -> Range<Double> {
            Double(length) - range.upperBound..<Double(length) - range.lowerBound
        }
        let (columns, rows) = orientation.swapsAxes ? (shownY, shownX) : (shownX, shownY)
        return (
            orientation.mirrorsColumns ? mirrored(columns, width) : columns,
            orientation.mirrorsRows ? mirrored(rows, height) : rows
        )
    }

    /// Where a viewer shows a stored pixel, from the left and from the top.
    public func shownPlace(column: Int, row: Int) -> (x: Int, y: Int) {
        let column = orientation.mirrorsColumns ? width - 1 - column : column
        let row = orientation.mirrorsRows ? height - 1 - row : row
        return orientation.swapsAxes ? (row, column) : (column, row)
    }
}

/// EXIF orientation: how the stored rows and columns are turned when the photo is shown.
///
/// Raw values and meanings: Exif 2.32, tag 0x0112.
public enum Orientation: Int, CaseIterable, Hashable, Sendable {
    /// Shown as stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored
    /// Turned by 180 degrees.
    case down
    /// Mirrored top to bottom.
    case downMirrored
    /// Transposed: the first stored row is shown as the left column, the first stored column as the top row.
    case leftMirrored
    /// Turned by 90 degrees clockwise.
    case right
    /// Transposed about the other diagonal: the first stored row is shown as the right column, the first
    /// stored column as the bottom row.
    case rightMirrored
    /// Turned by 90 degrees counterclockwise.
    case left

    /// True if a stored column is shown as a row.
    public var swapsAxes: Bool { rawValue >= 5 }

    /// True if columns are shown, as columns or as rows, from the last to the first.
    package var mirrorsColumns: Bool {
        switch self {
        case .upMirrored, .down, .rightMirrored, .left: true
        case .up, .downMirrored, .leftMirrored, .right: false
        }
    }

    /// True if rows are shown, as rows or as columns, from the last to the first.
    package var mirrorsRows: Bool {
        switch self {
        case .down, .downMirrored, .right, .rightMirrored: true
        case .up, .upMirrored, .leftMirrored, .left: false
        }
    }

    /// True if the first shown row is the last stored one (or the last stored column, if the axes are
    /// swapped).
    public var startsAtFarEnd: Bool { swapsAxes ? mirrorsColumns : mirrorsRows }
}
