extension PhotoshopResources {
    private static let resolution = 1005, workPath = 1025, guides = 1032, slices = 1050, pixelAspect = 1064
    private static let paths = 2000...2998, clippingPathName = 2999

    /// The resources for an output that shows the photo in another frame; nil if nothing changes.
    ///
    /// - Parameter lost: gets the places that are left out. Slices for web pages are rectangles in pixels, which cover the photo
    ///   as it was; they are left out without a note, as other sizes in pixels are.
    package static func moved(
        _ bytes: [UInt8], by change: FrameChange, _ lost: inout Set<PlaceInPhoto>
    ) -> [UInt8]? {
        guard !change.isIdentity else { return nil }
        var lostPaths: Set<ArraySlice<UInt8>> = []
        var hasLostGuides = false
        let moved = editing(bytes) { block in
            switch block.number {
            case resolution where change.swapsAxes && block.data.count == 16:
                return .replaced(block.data.suffix(8) + block.data.prefix(8))
            case pixelAspect where change.swapsAxes: return inverse(block.data).map(Edit.replaced) ?? .removed
            case slices: return .removed
            case guides:
                let moved = self.guides(block.data, movedBy: change)
                hasLostGuides = hasLostGuides || moved.isLossy
                return moved.data.map(Edit.replaced) ?? .removed
            case workPath, paths:
                guard !change.keepsShares else { return .stays }
                if let path = path(block.data, movedBy: change) { return .replaced(path) }
                lostPaths.insert(block.name)
                return .removed
            default: return .stays
            }
        }
        if hasLostGuides { lost.insert(.guide) }
        guard let moved, !lostPaths.isEmpty else { return moved }
        lost.insert(.path)
        // The name of a path that does not exist any more.
        return editing(moved) { block in
            let isOfLost = lostPaths.contains { block.data.starts(with: $0) }
            return block.number == clippingPathName && isOfLost ? .removed : .stays
        } ?? moved
    }

    /// A version in 4 bytes, and width divided by height of a pixel, as a floating-point number of 8 bytes.
    private static func inverse(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        guard data.count == 12 else { return nil }
        let ratio = Double(bitPattern: data.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
        guard ratio.isFinite, ratio > 0 else { return nil }
        return data.prefix(4) + (1 / ratio).bitPattern.bigEndianBytes
    }

    // MARK: Guides

    /// A header of 16 bytes that ends with the number of guides. A guide has its place in 32nds of a pixel, and its direction: 0
    /// for a vertical one, 1 for a horizontal one.
    private static func guides(
        _ data: ArraySlice<UInt8>, movedBy change: FrameChange
    ) -> (data: [UInt8]?, isLossy: Bool) {
        let header = data.prefix(12), count = data.dropFirst(12).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let list = data.dropFirst(16)
        guard data.count >= 16, list.count >= 5 * count else { return (nil, true) }
        var kept: [UInt8] = []
        for start in stride(from: list.startIndex, to: list.startIndex + 5 * count, by: 5) {
            let isHorizontal = list[start + 4] != 0
            func pixels(_ photo: (width: Int, height: Int), _ isHorizontal: Bool) -> Double {
                32 * Double(isHorizontal ? photo.height : photo.width)
            }
            let input = (change.input.width, change.input.height)
            let output = (change.output.width, change.output.height)
            let share = Double(number(list, start)) / pixels(input, isHorizontal)
            let point = change.moved(FrameChange.Point(x: share, y: share))
            let becomesHorizontal = isHorizontal != change.swapsAxes
            let place = becomesHorizontal ? point.y : point.x
            guard 0...1 ~= place else { continue }
            let moved = Int32((place * pixels(output, becomesHorizontal)).rounded())
            kept += moved.bigEndianBytes + [becomesHorizontal ? 1 : 0]
        }
        return (header + UInt32(kept.count / 5).bigEndianBytes + kept, kept.count < 5 * count)
    }

    // MARK: Paths

    private static let recordByteCount = 26
    /// Of a path's places, which are fixed-point numbers with 24 bits of fraction, as shares of the photo.
    private static let one = Double(1 << 24)
    /// The places that Photoshop accepts.
    private static let range = -16.0...16.0

    /// Records of 26 bytes: a kind, and for a knot three points, each y before x (Adobe Photoshop File Formats Specification, "Path
    /// resource format"). Nil if no knot's points are in the output, or one of them is too far outside.
    private static func path(_ data: ArraySlice<UInt8>, movedBy change: FrameChange) -> [UInt8]? {
        var moved = Array(data)
        var box: FrameChange.Box?
        for record in stride(from: 0, through: moved.count - recordByteCount, by: recordByteCount) {
            // 1 and 2 in a closed path, 4 and 5 in an open one.
            guard moved[record] == 0, [1, 2, 4, 5].contains(moved[record + 1]) else { continue }
            for start in stride(from: record + 2, to: record + recordByteCount, by: 8) {
                let y = Double(number(moved[...], start)) / one,
                    x = Double(number(moved[...], start + 4)) / one
                let point = change.moved(FrameChange.Point(x: x, y: y))
                guard range ~= point.x, range ~= point.y else { return nil }
                let bytes = [point.y, point.x].flatMap { Int32(($0 * one).rounded()).bigEndianBytes }
                moved.replaceSubrange(start..<start + 8, with: bytes)
                let last = box ?? FrameChange.Box(x: point.x, y: point.y, width: 0, height: 0)
                box = FrameChange.Box(
                    left: min(last.left, point.x), top: min(last.top, point.y),
                    right: max(last.right, point.x), bottom: max(last.bottom, point.y))
            }
        }
        return box?.isVisible ?? true ? moved : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int32 {
        Int32(bitPattern: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
}
