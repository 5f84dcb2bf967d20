import CTintypeOpenCL
import TintypeImaging
import TintypeRendering

/// Decodes one photo on a device.
final class JPEGDecoding {
    /// Where the host puts the photo's data. A photo that fills it has more data than was expected.
    let data: UnsafeMutableRawBufferPointer
    private let tables: JPEGDecoderTables
    private let subsequences: Subsequences
    private let kernels: Kernels
    private let dataBlock: HostBlock
    /// The scan's description and the states before, both for the device; then the states after.
    private let head: HostBlock
    private let blocks: Blocks
    /// The decoded samples; nil for the photo's own.
    private let planes: PhotoPlanes?
    /// Whether all coefficients are zero, as the kernels leave those of a regular photo.
    private var areCoefficientsClear = false

    private struct Kernels {
        let count, scan, scatter, dcTotals, dcValues: OpenCLKernel
        /// One reads what the other has written.
        let walks: [OpenCLKernel]
        let sync, scanGroups, writeBlocks, writeSegments: OpenCLKernel
        /// To blocks of 8 x 8, and to smaller ones; nil if there are none.
        let transform, transformReduced, transformToMeans: OpenCLKernel?
        /// Nil if the photo is not converted.
        let toPixels: OpenCLKernel?

        init(_ program: OpenCLProgram, _ tables: JPEGDecoderTables) throws(DeviceError) {
            count = try program.kernel("unstuff_count")
            scan = try program.kernel("unstuff_scan")
            scatter = try program.kernel("unstuff_scatter")
            sync = try program.kernel("sync_groups")
            walks = [try program.kernel("sync_walk"), try program.kernel("sync_walk")]
            scanGroups = try program.kernel("scan_groups")
            writeBlocks = try program.kernel("write_blocks")
            writeSegments = try program.kernel("write_segments")
            dcTotals = try program.kernel("dc_totals")
            dcValues = try program.kernel("dc_values")
            let sizes = tables.blockSizes
            transform = sizes.contains(8) ? try program.kernel("idct") : nil
            transformReduced =
                sizes.contains(4) || sizes.contains(2) ? try program.kernel("idct_reduced") : nil
            transformToMeans = sizes.contains(1) ? try program.kernel("idct_means") : nil
            toPixels = tables.upsampling == nil ? nil : try program.kernel("rgb_pixels")
        }
    }

    /// The device's memory.
    private struct Blocks {
        let scan, states, data, chunks, words, segments: OpenCLBuffer
        let exits, blockCounts, groupEntries, groupExits, otherExits, groupTotals: OpenCLBuffer
        let coefficients, dcs, dcTotals: OpenCLBuffer
    }

    // As in the kernels.
    private static let chunkBytes = 4096
    private static let walkItems = 32
    private static let segmentItems = 64
    private static let dcChunk = 2048
    private static let tile = 32
    private static let stateWords = 8
    private static let scanWords = 41
    private static let meanItems = 64
    private static let pixelItems = 64
    private static let pixelsOfItem = 4
    /// Photos that need more do not synchronise.
    private static let walkCount = 3

    private static func dcChunks(_ tables: JPEGDecoderTables) -> Int {
        let (across, down) = tables.header.lumaBlocks
        return (tables.mcuCount * across * down).dividedRoundingUp(by: dcChunk)
    }

    /// The sizes of the larger blocks of the device's memory that decoding takes.
    static func deviceBlocks(_ tables: JPEGDecoderTables, _ byteCount: Int) -> [Int] {
        [
            128 * tables.blockCount, 2 * tables.blockCount, 2 * byteCount, byteCount / 32 + 64 << 10,
            tables.upsampling == nil ? 0 : tables.decodedShape.byteCount,
        ]
    }

    /// - Parameter mostByteCount: of the photo's data.
    init(_ tables: JPEGDecoderTables, mostByteCount: Int, lane: OpenCLLane) throws(DeviceError) {
        self.tables = tables
        subsequences = lane.device.subsequences
        kernels = try Kernels(lane.device.program(.decoding(subsequences)), tables)
        planes = tables.upsampling == nil ? nil : try PhotoPlanes(tables.decodedShape, lane: lane)
        // A byte more, which a photo that has grown fills.
        let capacity = mostByteCount + 1
        dataBlock = try lane.hostBlock(byteCount: capacity)
        data = UnsafeMutableRawBufferPointer(start: dataBlock.address, count: capacity)
        head = try lane.hostBlock(byteCount: 4 * (Self.scanWords + 2 * Self.stateWords))
        func block(_ byteCount: Int) throws(DeviceError) -> OpenCLBuffer {
            try lane.deviceBlock(byteCount: byteCount)
        }
        let groups = subsequences.groups(capacity)
        let sequences = groups * subsequences.ownItems
        let padded = capacity.roundedUp(toMultipleOf: Self.chunkBytes) + 64
        blocks = Blocks(
            scan: try block(4 * Self.scanWords), states: try block(4 * Self.stateWords),
            data: try block(padded), chunks: try block(8 * (padded / Self.chunkBytes + 2)),
            words: try block(padded + 512), segments: try block(4 * (tables.segmentCount + 1)),
            exits: try block(4 * sequences), blockCounts: try block(4 * sequences),
            groupEntries: try block(4 * groups), groupExits: try block(4 * groups),
            otherExits: try block(4 * groups), groupTotals: try block(4 * groups),
            coefficients: try block(128 * tables.blockCount), dcs: try block(2 * tables.blockCount),
            dcTotals: try block(4 * 3 * Self.dcChunks(tables)))
    }

    /// Whether the samples have the padding of the last MCUs that the photo has.
    var hasBlockPadding: Bool { tables.upsampling == nil && tables.blockSizes[0] == 8 }

    /// Whether data of so many bytes may be regular: they are not more than the file had.
    func looksRegular(_ byteCount: Int) -> Bool { byteCount >= 2 && byteCount < data.count }

    /// Queues the decoding of `byteCount` bytes of `data`.
    func enqueue(
        _ byteCount: Int, to photo: PhotoPlanes, queue: OpenCLQueue
    ) throws(DeviceError) {
        let scan = head.address, states = scan + 4 * Self.scanWords
        let words = scan.bindMemory(to: UInt32.self, capacity: Self.scanWords + 2 * Self.stateWords)
        head.address.initializeMemory(
            as: UInt32.self, repeating: 0, count: Self.scanWords + 2 * Self.stateWords)
        for (index, word) in ([UInt32(byteCount)] + tables.scan + [0, UInt32(byteCount)]).enumerated() {
            words[index] = word
        }
        try queue.write(scan, to: blocks.scan.handle, byteCount: 4 * Self.scanWords)
        try queue.write(states, to: blocks.states.handle, byteCount: 4 * Self.stateWords)
        try queue.write(dataBlock.address, to: blocks.data.handle, byteCount: byteCount)
        if !areCoefficientsClear { try queue.fill(blocks.coefficients) }
        areCoefficientsClear = false
        try unstuff(byteCount, queue)
        if tables.segmentCount > 0 {
            try queue.launch(
                kernels.writeSegments,
                [
                    .buffer(blocks.scan), .buffer(blocks.words), .buffer(tables.tables),
                    .buffer(blocks.states), .buffer(blocks.segments), .buffer(blocks.coefficients),
                    .buffer(blocks.dcs),
                ], groups: (tables.segmentCount.dividedRoundingUp(by: Self.segmentItems), 1),
                items: Self.segmentItems)
        } else {
            try synchronise(byteCount, queue)
        }
        try transform(to: planes ?? photo, queue)
        if let planes { try convert(planes, to: photo, queue) }
        try queue.read(
            blocks.states.handle, into: states + 4 * Self.stateWords, byteCount: 4 * Self.stateWords)
    }

    private func unstuff(_ byteCount: Int, _ queue: OpenCLQueue) throws(DeviceError) {
        let chunks = byteCount.dividedRoundingUp(by: Self.chunkBytes)
        try queue.launch(
            kernels.count,
            [.buffer(blocks.scan), .buffer(blocks.data), .buffer(blocks.chunks), .buffer(blocks.states)],
            groups: (chunks, 1), items: 256)
        try queue.launch(
            kernels.scan,
            [
                .buffer(blocks.scan), .buffer(blocks.data), .buffer(blocks.chunks), .buffer(blocks.words),
                .buffer(blocks.states),
            ], groups: (1, 1), items: 256)
        try queue.launch(
            kernels.scatter,
            [
                .buffer(blocks.scan), .buffer(blocks.data), .buffer(blocks.chunks), .buffer(blocks.words),
                .buffer(blocks.segments), .buffer(blocks.states),
            ], groups: (chunks, 1), items: 256)
    }

    /// Without restart markers: finds where subsequences begin, and decodes them.
    private func synchronise(_ byteCount: Int, _ queue: OpenCLQueue) throws(DeviceError) {
        let groups = subsequences.groups(byteCount)
        let coding: [OpenCLKernel.Argument] = [
            .buffer(blocks.scan), .buffer(blocks.words), .buffer(tables.tables), .buffer(blocks.states),
            .buffer(blocks.exits), .buffer(blocks.blockCounts),
        ]
        try queue.launch(
            kernels.sync,
            coding + [
                .buffer(blocks.groupEntries), .buffer(blocks.groupExits), .buffer(blocks.groupTotals),
            ], groups: (groups, 1), items: subsequences.groupItems)
        for walk in 0..<Self.walkCount {
            let isEven = walk % 2 == 0
            try queue.launch(
                kernels.walks[walk % 2],
                coding + [
                    .buffer(blocks.groupEntries), .buffer(blocks.groupTotals),
                    .buffer(isEven ? blocks.groupExits : blocks.otherExits),
                    .buffer(isEven ? blocks.otherExits : blocks.groupExits),
                ], groups: (groups.dividedRoundingUp(by: Self.walkItems), 1), items: Self.walkItems)
        }
        try queue.launch(
            kernels.scanGroups, [.buffer(blocks.states), .buffer(blocks.groupTotals)], groups: (1, 1),
            items: 256)
        try queue.launch(
            kernels.writeBlocks,
            coding + [
                .buffer(blocks.groupTotals), .buffer(blocks.coefficients), .buffer(blocks.dcs),
            ], groups: (groups, 1), items: subsequences.groupItems)
        let dcGroups = (Self.dcChunks(tables), tables.header.components.count)
        try queue.launch(
            kernels.dcTotals, [.buffer(blocks.scan), .buffer(blocks.dcs), .buffer(blocks.dcTotals)],
            groups: dcGroups, items: 256)
        try queue.launch(
            kernels.dcValues,
            [.buffer(blocks.scan), .buffer(blocks.dcs), .buffer(blocks.dcTotals), .buffer(blocks.states)],
            groups: dcGroups, items: 256)
    }

    private func transform(to samples: PhotoPlanes, _ queue: OpenCLQueue) throws(DeviceError) {
        let header = tables.header, (across, down) = header.mcus
        let columns = across * header.lumaBlocks.across
        let rows = down * (header.lumaBlocks.down + header.components.count - 1)
        let coding: [OpenCLKernel.Argument] = [
            .buffer(blocks.scan), .buffer(tables.tables), .buffer(blocks.states),
        ]
        for kernel in [kernels.transform, kernels.transformReduced].compactMap(\.self) {
            try queue.launch(
                kernel,
                coding + [
                    .buffer(blocks.coefficients), .buffer(blocks.dcs), .buffer(samples.buffer),
                ], groups: (columns.dividedRoundingUp(by: Self.tile), rows), items: 256)
        }
        if let kernel = kernels.transformToMeans {
            try queue.launch(
                kernel, coding + [.buffer(blocks.dcs), .buffer(samples.buffer)],
                groups: (columns.dividedRoundingUp(by: Self.meanItems), rows), items: Self.meanItems)
        }
    }

    /// Upsamples chroma, and converts to RGB.
    private func convert(
        _ planes: PhotoPlanes, to photo: PhotoPlanes, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        guard let kernel = kernels.toPixels else { return }
        let items = photo.shape.width.dividedRoundingUp(by: Self.pixelsOfItem)
        try queue.launch(
            kernel, [.buffer(blocks.scan), .buffer(planes.buffer), .buffer(photo.buffer)],
            groups: (items.dividedRoundingUp(by: Self.pixelItems), tables.height), items: Self.pixelItems)
    }

    /// Ends a photo, after its commands.
    ///
    /// - Returns: whether the samples are those of the CPU's decoder: the data hold the image, and then EOI. What follows in the file,
    ///   such as a camera's previews and gain maps, is no part of it.
    func conclude(_ byteCount: Int) -> Bool {
        let states = head.address + 4 * (Self.scanWords + Self.stateWords)
        let (status, end) = states.loadUnaligned(as: (UInt32, UInt32).self)
        let isRegular =
            status == Self.complete && Int(end) + 2 <= byteCount && data[Int(end)] == 0xFF
            && data[Int(end) + 1] == 0xD9
        areCoefficientsClear = isRegular
        return isRegular
    }

    private static let complete: UInt32 = 16
}

extension ProgramSource {
    /// The kernels that decode JPEGs.
    static func decoding(_ subsequences: Subsequences = .usual) -> ProgramSource {
        ProgramSource(
            jpeg: "jpeg_decode",
            parts: [
                "jpeg_unstuff", "jpeg_synchronise", "jpeg_coefficients", "jpeg_samples", "jpeg_pixels",
            ], subsequences.macros)
    }
}
