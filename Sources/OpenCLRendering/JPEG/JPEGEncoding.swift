import CTintypeOpenCL
import TintypeImaging
import TintypeRendering

/// Encodes one photo's planes on a device.
final class JPEGEncoding {
    private let tables: JPEGEncoderTables
    private let kernels: Kernels
    private let lane: OpenCLLane
    private let strings, bitCounts, edges, ones, places, sizes, starts: OpenCLBuffer
    /// Only where the device finds codes.
    private let own: (counts: OpenCLBuffer, codes: OpenCLBuffer, contents: OpenCLBuffer)?
    private var output: OpenCLBuffer
    /// Where the host reads: the size, the contents of own codes, and the file's first bytes.
    private let result: HostBlock
    private let expectedByteCount: Int
    /// All bytes of the scan, if they are more than expected.
    private var rest: HostBlock?

    private struct Kernels {
        let pad, codeGroups, placeGroups, placeSegments, stuffGroups: OpenCLKernel
        /// Only where the device finds codes.
        let countSymbols, optimalCodes: OpenCLKernel?
    }

    /// Bytes of a Huffman table in `contents`: 16 counts, and up to 256 values.
    private static let contentsByteCount = 272
    /// Where the scan begins in `result`, after the size and the contents of four tables.
    private static let headByteCount = 2048
    /// Words of a group's string for each block (`SLOT` of the kernels).
    private static let wordsOfBlock = 52
    private static let placingItems = 256

    /// - Parameter expectedByteCount: about the bytes of the scan. More cost another reading.
    init(
        _ tables: JPEGEncoderTables, expectedByteCount: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        self.tables = tables
        self.lane = lane
        let program = try lane.device.program(ProgramSource(encoding: tables.header))
        let findsCodes = tables.codes == nil
        kernels = Kernels(
            pad: try program.kernel("pad_planes"), codeGroups: try program.kernel("code_groups"),
            placeGroups: try program.kernel("place_groups"),
            placeSegments: try program.kernel("place_segments"),
            stuffGroups: try program.kernel("stuff_groups"),
            countSymbols: findsCodes ? try program.kernel("count_symbols") : nil,
            optimalCodes: findsCodes ? try program.kernel("optimal_codes") : nil)
        let segments = tables.segments
        let groups = segments.count * segments.groups
        func block(_ words: Int) throws(DeviceError) -> OpenCLBuffer {
            try lane.deviceBlock(byteCount: 4 * words)
        }
        strings = try lane.deviceBlock(byteCount: Self.stringsByteCount(tables))
        bitCounts = try block(groups)
        edges = try block(2 * groups)
        ones = try block(8 * groups)
        places = try block(2 * groups)
        sizes = try block(segments.count)
        starts = try block(segments.count + 1)
        own =
            findsCodes
            ? (
                try block(2 * JPEGEncoderTables.tableCodes), try block(2 * JPEGEncoderTables.tableCodes),
                try lane.deviceBlock(byteCount: 4 * Self.contentsByteCount)
            ) : nil
        output = try lane.deviceBlock(byteCount: Self.outputByteCount(tables, expectedByteCount))
        self.expectedByteCount = min(expectedByteCount, output.byteCount)
        result = try lane.hostBlock(byteCount: Self.headByteCount + self.expectedByteCount)
    }

    private static func stringsByteCount(_ tables: JPEGEncoderTables) -> Int {
        let segments = tables.segments
        return 4 * wordsOfBlock * JPEGEncoderTables.groupItems(tables.header) * segments.count
            * segments.groups
    }

    private static func outputByteCount(_ tables: JPEGEncoderTables, _ expectedByteCount: Int) -> Int {
        max(tables.shape.byteCount, expectedByteCount)
    }

    /// The sizes of the larger blocks of the device's memory that encoding takes.
    static func deviceBlocks(_ tables: JPEGEncoderTables, _ expectedByteCount: Int) -> [Int] {
        [
            stringsByteCount(tables), outputByteCount(tables, expectedByteCount),
            64 * tables.segments.count * tables.segments.groups,
        ]
    }

    /// Queues the encoding, and reading the result.
    ///
    /// - Parameters:
    ///   - samples: of the tables' shape.
    ///   - hasBlockPadding: whether they have their own samples in the padding of the last MCUs.
    func enqueue(
        _ samples: OpenCLBuffer, hasBlockPadding: Bool, queue: OpenCLQueue
    ) throws(DeviceError) {
        let segments = tables.segments, items = JPEGEncoderTables.groupItems(tables.header)
        if !hasBlockPadding {
            try queue.launch(
                kernels.pad, [.buffer(samples), .buffer(tables.image)],
                groups: (Self.paddingGroups, tables.shape.planes.count), items: 64)
        }
        if let own, let count = kernels.countSymbols, let find = kernels.optimalCodes {
            try queue.fill(own.counts)
            try queue.launch(
                count,
                [.buffer(samples), .buffer(tables.image), .buffer(tables.steps), .buffer(own.counts)],
                groups: (segments.groups * segments.count, 1), items: items)
            try queue.launch(
                find, [.buffer(own.counts), .buffer(own.codes), .buffer(own.contents)],
                groups: (2 * min(tables.shape.planes.count, 2), 1), items: 256)
            try queue.read(
                own.contents.handle, into: result.address + 8, byteCount: 4 * Self.contentsByteCount)
        }
        let codes = own?.codes ?? tables.codes
        guard let codes else { preconditionFailure("no codes") }
        try queue.launch(
            kernels.codeGroups,
            [
                .buffer(samples), .buffer(tables.image), .buffer(tables.steps), .buffer(codes),
                .buffer(strings), .buffer(bitCounts), .buffer(edges), .buffer(ones),
            ], groups: (segments.groups * segments.count, 1), items: items)
        try queue.launch(
            kernels.placeGroups,
            [
                .buffer(tables.image), .buffer(bitCounts), .buffer(edges), .buffer(ones), .buffer(places),
                .buffer(sizes),
            ], groups: (segments.count, 1), items: Self.placingItems)
        try queue.launch(
            kernels.placeSegments, [.buffer(tables.image), .buffer(sizes), .buffer(starts)], groups: (1, 1),
            items: Self.placingItems)
        try stuff(queue)
        try queue.read(starts.handle, at: 4 * segments.count, into: result.address, byteCount: 4)
        try queue.read(
            output.handle, into: result.address + Self.headByteCount, byteCount: expectedByteCount)
    }

    private static let paddingGroups = 256

    private func stuff(_ queue: OpenCLQueue) throws(DeviceError) {
        let segments = tables.segments
        try queue.launch(
            kernels.stuffGroups,
            [
                .buffer(tables.image), .buffer(strings), .buffer(bitCounts), .buffer(edges), .buffer(places),
                .buffer(starts), .buffer(output), .word(UInt32(output.byteCount)),
            ], groups: (segments.groups * segments.count, 1),
            items: JPEGEncoderTables.groupItems(tables.header))
    }

    /// Bytes of the scan, after the queue has come to its end.
    var byteCount: Int { Int(result.address.load(as: UInt32.self)) }

    /// Whether the result is not read completely.
    var needsRest: Bool { byteCount > expectedByteCount }

    /// Queues reading a result that is longer than was expected. Call it on the lane's thread.
    func enqueueRest(_ queue: OpenCLQueue) throws(DeviceError) {
        let byteCount = byteCount
        if byteCount > output.byteCount {
            output = try lane.deviceBlock(byteCount: byteCount)
            try stuff(queue)
        }
        let whole = try lane.hostBlock(byteCount: byteCount)
        try queue.read(output.handle, into: whole.address, byteCount: byteCount)
        rest = whole
    }

    /// The image's bytes: its header, with own codes, and the scan.
    func write(_ header: [UInt8], to sink: any CompressedSink) throws {
        let header = own == nil ? header : withOwnCodes(header), byteCount = byteCount
        let scan = rest?.address ?? result.address + Self.headByteCount
        guard rest == nil, header.count <= Self.headByteCount else {
            try header.withUnsafeBytes { try sink.write($0) }
            return try sink.write(UnsafeRawBufferPointer(start: scan, count: byteCount))
        }
        // In front of the scan, where it replaces what the host has read: one write is cheaper than two.
        let start = scan - header.count
        header.withUnsafeBytes { start.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        try sink.write(UnsafeRawBufferPointer(start: start, count: header.count + byteCount))
    }

    /// The header with a segment for each table, as libjpeg writes them.
    private func withOwnCodes(_ header: [UInt8]) -> [UInt8] {
        var segments: [UInt8] = []
        for table in 0..<2 * min(tables.shape.planes.count, 2) {
            let contents = UnsafeRawBufferPointer(
                start: result.address + 8 + table * Self.contentsByteCount, count: Self.contentsByteCount)
            let count = contents.prefix(16).reduce(0) { $0 + Int($1) }
            let length = 2 + 1 + 16 + count
            segments += [0xFF, 0xC4, UInt8(length >> 8), UInt8(length & 255)]
            segments += [UInt8((table % 2) << 4 | (table / 2))] + contents.prefix(16 + count)
        }
        let end = tables.header.frameEnd
        return header[..<end] + segments + header[end...]
    }
}

extension ProgramSource {
    /// The kernels that encode JPEGs.
    ///
    /// - Parameter luma: blocks of luma in an MCU; nil without chroma.
    init(encodingLuma luma: (across: Int, down: Int)?) {
        self.init(
            jpeg: "jpeg_encode",
            parts: ["jpeg_quantise", "jpeg_code", "jpeg_optimal_codes", "jpeg_stuff"],
            [
                "GREY \(luma == nil ? 1 : 0)", "LUMA_ACROSS \(luma?.across ?? 1)",
                "LUMA_DOWN \(luma?.down ?? 1)",
            ])
    }

    fileprivate init(encoding header: JPEGHeader) {
        self.init(encodingLuma: header.components.count == 1 ? nil : header.lumaBlocks)
    }
}
