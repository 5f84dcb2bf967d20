/// Moves the regions of a photo's XMP into an output's frame.
///
/// Regions lie in the photo as it is stored: "Region metadata is applied to the stored image" (Metadata Working Group, Guidelines
/// for Handling Image Metadata 2.0, 5.9). Microsoft and IPTC say nothing of the orientation; ExifTool's `convert_regions.config`
/// converts between all three without it.
struct XMPRegions {
    private let bytes: [UInt8]
    private let change: FrameChange
    private(set) var edits: [XMPPacket.Edit] = []
    /// Whether regions are removed: those outside of the output, and those in a form that cannot be moved.
    private(set) var hasLoss = false

    /// What becomes of a region.
    private enum Outcome {
        case stays
        case edited([XMPPacket.Edit])
        case isLost
    }

    init(bytes: [UInt8], change: FrameChange) {
        self.bytes = bytes
        self.change = change
    }

    /// - Parameter isComplete: false if parts of the property are missing.
    mutating func move(_ name: XMPPacket.Name, _ property: XMPElement, isComplete: Bool) {
        guard isComplete else { return lose(property) }
        switch name.namespace {
        case .regions: moveRegions(of: property)
        case .people: moveItems(of: property.field("Regions"), in: property, outcome(ofPerson:))
        default: moveItems(of: property, in: property, outcome(ofIPTC:))
        }
    }

    private mutating func lose(_ element: XMPElement) {
        edits.append(.cut(element.range))
        hasLoss = true
    }

    /// - Returns: false if the whole property is left out, because no region is left.
    @discardableResult
    private mutating func moveItems(
        of list: XMPElement?, in property: XMPElement, _ outcome: (XMPElement) -> Outcome
    ) -> Bool {
        let items = list?.items ?? []
        if items.isEmpty, change.keepsShares { return true }
        var edits: [XMPPacket.Edit] = [], lostCount = 0
        for item in items {
            switch outcome(item) {
            case .stays: break
            case .edited(let values): edits += values
            case .isLost:
                edits.append(.cut(item.range))
                lostCount += 1
            }
        }
        guard lostCount < items.count else {
            lose(property)
            return false
        }
        self.edits += edits
        hasLoss = hasLoss || lostCount > 0
        return true
    }

    // MARK: Metadata Working Group

    /// Readers ignore regions that were applied to another aspect ratio. They would take them for right if they got the output's
    /// size.
    private mutating func moveRegions(of property: XMPElement) {
        let dimensions = property.field("AppliedToDimensions")
        guard dimensions.map(fitPhoto) ?? true else {
            if !change.keepsShares { lose(property) }
            return
        }
        let isKept = moveItems(of: property.field("RegionList"), in: property, outcome(ofRegion:))
        guard isKept, let dimensions else { return }
        for (name, length) in [("w", change.output.width), ("h", change.output.height)] {
            if let range = dimensions.value(name), number(range) != Double(length) {
                edits.append(XMPPacket.Edit(range: range, text: String(length)))
            }
        }
    }

    private func fitPhoto(_ dimensions: XMPElement) -> Bool {
        guard let width = number(dimensions.value("w")), let height = number(dimensions.value("h")),
            width > 0, height > 0
        else { return false }
        let ratio = width * Double(change.input.height) / (height * Double(change.input.width))
        // A photo that was resized has whole pixels.
        return abs(ratio - 1) <= 0.01 + 1 / min(width, height)
    }

    private func outcome(ofRegion region: XMPElement) -> Outcome {
        region.field("Area").map { outcome(ofArea: $0, region) } ?? .stays
    }

    /// A rectangle around its centre, or a point. What a circle's diameter is a share of is not clear.
    private func outcome(ofArea area: XMPElement, _ region: XMPElement) -> Outcome {
        guard let unit = unit(area.value("unit")) else { return .isLost }
        if unit == .share, change.keepsShares { return .stays }
        guard let xRange = area.value("x"), let yRange = area.value("y"),
            let x = number(xRange, unit, .x), let y = number(yRange, unit, .y), area.value("d") == nil,
            !change.isMirrored || (number(region.value("Rotation")) ?? 0) == 0
        else { return .isLost }
        guard let widthRange = area.value("w"), let heightRange = area.value("h") else {
            let point = change.moved(FrameChange.Point(x: x, y: y))
            guard point.isInside else { return .isLost }
            return .edited([edit(xRange, point.x, unit, .x), edit(yRange, point.y, unit, .y)])
        }
        guard let width = number(widthRange, unit, .x), let height = number(heightRange, unit, .y) else {
            return .isLost
        }
        let box = FrameChange.Box(x: x - width / 2, y: y - height / 2, width: width, height: height)
        guard let visible = change.moved(box).visible else { return .isLost }
        return .edited([
            edit(xRange, visible.centre.x, unit, .x), edit(yRange, visible.centre.y, unit, .y),
            edit(widthRange, visible.width, unit, .x), edit(heightRange, visible.height, unit, .y),
        ])
    }

    // MARK: Microsoft

    /// "x, y, width, height", from the left and from the top.
    private func outcome(ofPerson person: XMPElement) -> Outcome {
        guard let range = person.value("Rectangle"), !change.keepsShares else { return .stays }
        let numbers = text(range).split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        guard numbers.count == 4, numbers.allSatisfy(Self.isPlausible) else { return .isLost }
        let box = FrameChange.Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        guard let visible = change.moved(box).visible else { return .isLost }
        let moved = [visible.left, visible.top, visible.width, visible.height].map(Self.share)
        return .edited([XMPPacket.Edit(range: range, text: moved.joined(separator: ", "))])
    }

    // MARK: IPTC

    private func outcome(ofIPTC region: XMPElement) -> Outcome {
        guard let boundary = region.field("RegionBoundary") else { return .stays }
        guard let unit = unit(boundary.value("rbUnit")) else { return .isLost }
        if unit == .share, change.keepsShares { return .stays }
        switch boundary.value("rbShape").map(text) {
        case "rectangle": return outcome(ofRectangle: boundary, unit)
        case "circle": return outcome(ofCircle: boundary, unit)
        case "polygon": return outcome(ofPolygon: boundary, unit)
        default: return .isLost
        }
    }

    private func outcome(ofRectangle boundary: XMPElement, _ unit: Unit) -> Outcome {
        let ranges = ["rbX", "rbY", "rbW", "rbH"].compactMap(boundary.value)
        let axes: [Axis] = [.x, .y, .x, .y]
        let numbers = zip(ranges, axes).compactMap { number($0, unit, $1) }
        guard numbers.count == 4 else { return .isLost }
        let box = FrameChange.Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        guard let visible = change.moved(box).visible else { return .isLost }
        let moved = [visible.left, visible.top, visible.width, visible.height]
        return .edited(ranges.indices.map { edit(ranges[$0], moved[$0], unit, axes[$0]) })
    }

    /// Its radius is a share of the width.
    private func outcome(ofCircle boundary: XMPElement, _ unit: Unit) -> Outcome {
        let ranges = ["rbX", "rbY", "rbRx"].compactMap(boundary.value)
        let axes: [Axis] = [.x, .y, .x]
        let numbers = zip(ranges, axes).compactMap { number($0, unit, $1) }
        guard numbers.count == 3, let scale = change.pixelScale else { return .isLost }
        let radius = numbers[2] * Double(change.input.width) * scale
        let across = radius / Double(change.output.width), down = radius / Double(change.output.height)
        let centre = change.moved(FrameChange.Point(x: numbers[0], y: numbers[1]))
        let box = FrameChange.Box(
            left: centre.x - across, top: centre.y - down, right: centre.x + across, bottom: centre.y + down)
        guard box.isVisible else { return .isLost }
        let moved = [centre.x, centre.y, across]
        return .edited(ranges.indices.map { edit(ranges[$0], moved[$0], unit, axes[$0]) })
    }

    /// A polygon that the frame cuts would have other corners.
    private func outcome(ofPolygon boundary: XMPElement, _ unit: Unit) -> Outcome {
        var edits: [XMPPacket.Edit] = []
        for corner in boundary.field("rbVertices")?.items ?? [] {
            guard let xRange = corner.value("rbX"), let yRange = corner.value("rbY"),
                let x = number(xRange, unit, .x), let y = number(yRange, unit, .y)
            else { return .isLost }
            let point = change.moved(FrameChange.Point(x: x, y: y))
            guard point.isInside else { return .isLost }
            edits += [edit(xRange, point.x, unit, .x), edit(yRange, point.y, unit, .y)]
        }
        return edits.isEmpty ? .isLost : .edited(edits)
    }
}

// MARK: Numbers

extension XMPRegions {
    private enum Unit { case share, pixel }
    private enum Axis { case x, y }

    /// Nil for an unknown one.
    private func unit(_ range: Range<Int>?) -> Unit? {
        switch range.map(text) {
        case nil, "normalized", "relative": .share
        case "pixel": .pixel
        default: nil
        }
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].prefix(256), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    private func number(_ range: Range<Int>?) -> Double? {
        range.flatMap { Double(text($0)) }.flatMap { Self.isPlausible($0) ? $0 : nil }
    }

    /// As a share of the input.
    private func number(_ range: Range<Int>, _ unit: Unit, _ axis: Axis) -> Double? {
        let length = axis == .x ? change.input.width : change.input.height
        return number(range).map { unit == .share ? $0 : $0 / Double(length) }
    }

    private static func isPlausible(_ number: Double) -> Bool { abs(number) < 1e9 }

    private func edit(_ range: Range<Int>, _ share: Double, _ unit: Unit, _ axis: Axis) -> XMPPacket.Edit {
        let length = axis == .x ? change.output.width : change.output.height
        let pixels = Self.rounded(share * Double(length))
        return XMPPacket.Edit(range: range, text: unit == .share ? Self.share(share) : String(pixels))
    }

    /// With six decimals, without an exponent.
    private static func share(_ value: Double) -> String {
        let millionths = rounded(value * 1e6), whole = abs(millionths) / 1_000_000
        var decimals = String(abs(millionths) % 1_000_000 + 1_000_000).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return (millionths < 0 ? "-" : "") + String(whole) + (decimals.isEmpty ? "" : ".\(decimals)")
    }

    /// Centres of circles may be far away.
    private static func rounded(_ value: Double) -> Int { Int(min(max(value, -1e15), 1e15).rounded()) }
}
