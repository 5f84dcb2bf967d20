import TintypeImaging

/// How the input's frame lies over the output's: a map along the axes, from the photo as stored to the output as stored.
/// Crops, frames, resizes and turns are such maps. Places are shares of the frame: 0 is its left or top, 1 its right or bottom.
package struct FrameChange: Hashable, Sendable {
    /// The output's place along one axis, for the input's place along the axis that becomes it.
    private struct Axis: Hashable {
        var scale = 1.0, offset = 0.0

        var isIdentity: Bool { self == Axis() }
        var mirrored: Axis { Axis(scale: -scale, offset: 1 - offset) }

        func callAsFunction(_ place: Double) -> Double { scale * place + offset }

        /// For an output that shows only a part of this one.
        func showing(_ part: Range<Double>) -> Axis {
            let length = part.upperBound - part.lowerBound
            return Axis(scale: scale / length, offset: (offset - part.lowerBound) / length)
        }
    }

    package let input: PhotoGeometry
    package private(set) var output: PhotoGeometry
    private var x = Axis(), y = Axis()
    /// Whether the input's columns become the output's rows.
    package private(set) var swapsAxes = false

    /// The photo as it is.
    package init(of photo: PhotoGeometry) {
        input = photo
        output = photo
    }

    package var isIdentity: Bool { keepsShares && input == output }
    /// Whether the output shows the whole photo, and nothing else, in the same direction.
    package var keepsShares: Bool { x.isIdentity && y.isIdentity && !swapsAxes }
    /// Whether the output is mirrored.
    package var isMirrored: Bool { ((x.scale < 0) != (y.scale < 0)) != swapsAxes }

    /// The same, and then the whole output at another size.
    package func resized(to size: PhotoGeometry) -> FrameChange {
        var change = self
        change.output = size
        return change
    }

    /// The same, and then a part of the output at a size. The part is in pixels; it may exceed the output.
    package func showing(columns: Range<Double>, rows: Range<Double>, as size: PhotoGeometry) -> FrameChange {
        func shares(_ range: Range<Double>, of length: Int) -> Range<Double> {
            range.lowerBound / Double(length)..<range.upperBound / Double(length)
        }
        var change = resized(to: size)
        change.x = x.showing(shares(columns, of: output.width))
        change.y = y.showing(shares(rows, of: output.height))
        return change
    }

    /// The same, and then stored as it is shown.
    package func upright() -> FrameChange {
        let orientation = output.orientation
        let columns = orientation.mirrorsColumns ? x.mirrored : x
        let rows = orientation.mirrorsRows ? y.mirrored : y
        var change = resized(to: output.upright)
        (change.x, change.y) = orientation.swapsAxes ? (rows, columns) : (columns, rows)
        change.swapsAxes = swapsAxes != orientation.swapsAxes
        return change
    }
}

// MARK: Places

extension FrameChange {
    package struct Point: Hashable {
        package var x, y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }

        /// Whether it is in the frame.
        package var isInside: Bool { 0...1 ~= x && 0...1 ~= y }
    }

    package struct Box: Hashable {
        package var left, top, right, bottom: Double

        package init(left: Double, top: Double, right: Double, bottom: Double) {
            self.left = left
            self.top = top
            self.right = right
            self.bottom = bottom
        }

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.init(left: x, top: y, right: x + width, bottom: y + height)
        }

        package var width: Double { right - left }
        package var height: Double { bottom - top }
        package var centre: Point { Point(x: (left + right) / 2, y: (top + bottom) / 2) }

        /// Whether a part of it is in the frame.
        package var isVisible: Bool { left < 1 && right > 0 && top < 1 && bottom > 0 }

        /// The part in the frame; nil if there is none.
        package var visible: Box? {
            guard isVisible else { return nil }
            return Box(left: max(left, 0), top: max(top, 0), right: min(right, 1), bottom: min(bottom, 1))
        }
    }

    package func moved(_ point: Point) -> Point {
        swapsAxes
            ? Point(x: x(point.y), y: y(point.x)) : Point(x: x(point.x), y: y(point.y))
    }

    /// It may lie outside of the output.
    package func moved(_ box: Box) -> Box {
        let first = moved(Point(x: box.left, y: box.top)), last = moved(Point(x: box.right, y: box.bottom))
        return Box(
            left: min(first.x, last.x), top: min(first.y, last.y), right: max(first.x, last.x),
            bottom: max(first.y, last.y))
    }

    /// Pixels of the output for each pixel of the input; nil if circles do not stay circles.
    package var pixelScale: Double? {
        let columns = Double(swapsAxes ? input.height : input.width)
        let rows = Double(swapsAxes ? input.width : input.height)
        let across = abs(x.scale) * Double(output.width) / columns
        let down = abs(y.scale) * Double(output.height) / rows
        // Sizes in whole pixels do not have the ratio exactly.
        return abs(across - down) <= 0.02 * max(across, down) ? across : nil
    }
}
