import TintypeImaging
import TintypeRendering

/// What the kernels of `jpeg_encode.cl` need of an output's header. One is made for all photos of the same header.
struct JPEGEncoderTables {
    let header: JPEGHeader
    let layout: PixelLayout
    /// The samples, in memory as kernels of filters write them, with room for whole MCUs.
    let shape: StripShape
    /// `jpeg_image`.
    let image: OpenCLBuffer
    let steps: OpenCLBuffer
    /// Nil if the device finds them.
    let codes: OpenCLBuffer?
    let segments: Segments

    /// What restart markers separate, or the whole scan; and the work-groups that code it.
    struct Segments {
        let mcus, count, groups: Int
    }

    /// Codes of a table, as in the kernels: of AC by run and size, then of DC by size.
    static let acCodes = 256
    static let tableCodes = 272

    /// - Returns: nil if the kernels do not know such images.
    init?(_ bytes: [UInt8], _ device: OpenCLDevice) throws(DeviceError) {
        guard let header = JPEGHeader(bytes), let layout = header.layout,
            let steps = Self.steps(header)
        else { return nil }
        let findsCodes = header.dc.isEmpty && header.ac.isEmpty
        let codes = findsCodes ? nil : Self.codes(header)
        guard findsCodes ? Self.tablesAreUsual(header) : codes != nil else { return nil }
        self.header = header
        self.layout = layout
        shape = StripShape(wholeMCUsOf: header, layout: layout)
        let mcus = header.mcus.across * header.mcus.down
        let interval = header.restartInterval > 0 ? min(header.restartInterval, mcus) : mcus
        segments = Segments(
            mcus: interval, count: mcus.dividedRoundingUp(by: interval),
            groups: interval.dividedRoundingUp(by: Self.mcusOfGroup(header)))
        image = try OpenCLBuffer(device, copying: Self.image(header, shape, segments))
        self.steps = try OpenCLBuffer(device, copying: steps)
        self.codes = try codes.map { (codes) throws(DeviceError) in
            try OpenCLBuffer(device, copying: codes)
        }
    }

    /// Work-items of a group, each with a block.
    static func groupItems(_ header: JPEGHeader) -> Int { header.blocksPerMCU % 5 == 0 ? 160 : 192 }

    private static func mcusOfGroup(_ header: JPEGHeader) -> Int {
        groupItems(header) / header.blocksPerMCU
    }

    /// The components whose tables the kernels use: luma's, and those of both chroma components.
    private static func tableOwners(_ header: JPEGHeader) -> [JPEGHeader.Component] {
        [header.components[0], header.components[header.components.count - 1]]
    }

    /// Two tables of 64 pairs by rows; nil if chroma's differ, or have steps of 16 bits.
    private static func steps(_ header: JPEGHeader) -> [UInt32]? {
        let tables = header.components.map { header.steps[$0.steps] }
        guard tables.allSatisfy({ $0?.allSatisfy { (1...255).contains($0) } ?? false }),
            tables.count == 1 || tables[1] == tables[2]
        else { return nil }
        var pairs = [UInt32](repeating: 0, count: 2 * 64 * 2)
        for (table, owner) in tableOwners(header).enumerated() {
            for (number, step) in header.steps[owner.steps, default: []].enumerated() {
                let reciprocal = StepReciprocal(step), place = 2 * (64 * table + JPEGHeader.zigzag[number])
                pairs[place] = reciprocal.factor
                pairs[place + 1] = reciprocal.correction
            }
        }
        return pairs
    }

    /// Two tables, where a code has its length and that of its value above it; nil if chroma's differ, or a code may be missing.
    private static func codes(_ header: JPEGHeader) -> [UInt32]? {
        let components = header.components
        guard
            components.count == 1
                || header.dc[components[1].dc] == header.dc[components[2].dc]
                    && header.ac[components[1].ac] == header.ac[components[2].ac]
        else { return nil }
        var codes = [UInt32](repeating: 0, count: 2 * tableCodes)
        for (table, owner) in tableOwners(header).enumerated() {
            guard let dc = header.dc[owner.dc], let ac = header.ac[owner.ac], dc.hasAllSizes,
                ac.hasAllRunsAndSizes
            else { return nil }
            func insert(_ tables: HuffmanCodes, at first: Int) {
                tables.forEach { code, length, value in
                    codes[table * tableCodes + first + Int(value)] =
                        UInt32(code) | UInt32(length + Int(value & 15)) << 16
                }
            }
            insert(ac, at: 0)
            insert(dc, at: acCodes)
        }
        return codes
    }

    /// Whether luma has the tables of number 0 and chroma those of number 1, which the kernels find codes for.
    private static func tablesAreUsual(_ header: JPEGHeader) -> Bool {
        header.components.enumerated().allSatisfy { index, component in
            component.dc == min(index, 1) && component.ac == min(index, 1)
        }
    }

    private static func image(
        _ header: JPEGHeader, _ shape: StripShape, _ segments: Segments
    ) -> [UInt32] {
        func three(_ value: (StripShape.Plane) -> Int) -> [UInt32] {
            let values = shape.planes.map { UInt32(value($0)) }
            return values + Array(repeating: 0, count: 3 - values.count)
        }
        let (across, down) = header.mcus
        return three { $0.byteOffset / 8 } + three { $0.bytesPerRow / 8 }
            + [
                across, across * down, header.width.dividedRoundingUp(by: 8),
                header.height.dividedRoundingUp(by: 8), segments.mcus, segments.count, segments.groups,
            ].map { UInt32($0) }
            + three(\.width) + three { header.height.dividedRoundingUp(by: $0.subsampling.vertical) }
    }
}

extension StripShape {
    /// All samples of a JPEG with the padding of its last MCUs.
    init(wholeMCUsOf header: JPEGHeader, layout: PixelLayout) {
        self.init(
            layout: layout, width: header.width,
            rowCapacity: header.height.roundedUp(toMultipleOf: 8 * layout.subsampling.vertical))
    }
}

extension HuffmanCodes {
    /// Whether any DC difference of 8-bit samples has a code.
    fileprivate var hasAllSizes: Bool { Set(values).isSuperset(of: 0...11) }

    /// Whether any AC coefficient of 8-bit samples has a code.
    fileprivate var hasAllRunsAndSizes: Bool {
        let own = Set(values)
        return own.contains(0) && own.contains(0xF0)
            && (0...15).allSatisfy { run in (1...10).allSatisfy { own.contains(UInt8(run << 4 | $0)) } }
    }
}
