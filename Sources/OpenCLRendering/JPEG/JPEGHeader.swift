import TintypeImaging

/// What the header of a sequential JPEG says (T.81, B.2), as kernels need it.
struct JPEGHeader {
    struct Component {
        /// Sampling factors: blocks of an MCU.
        let across, down: Int
        /// Number of the table of quantisation steps.
        let steps: Int
        /// Numbers of the tables of Huffman codes.
        let dc, ac: Int
    }

    private(set) var width = 0
    private(set) var height = 0
    /// One or three, in the scan's order.
    private(set) var components: [Component] = []
    /// By table: 64 steps in zigzag order.
    private(set) var steps: [Int: [UInt16]] = [:]
    private(set) var dc: [Int: HuffmanCodes] = [:]
    private(set) var ac: [Int: HuffmanCodes] = [:]
    /// MCUs between two restart markers; 0 without markers.
    private(set) var restartInterval = 0
    /// Where codes can be inserted: after the frame's segment.
    private(set) var frameEnd = 0

    /// - Returns: nil if a header is incomplete, or holds anything that the kernels do not know.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var frame: [(identifier: UInt8, across: Int, down: Int, steps: Int)] = []
        var next = 2
        while next + 4 <= bytes.count, bytes[next] == 0xFF {
            let marker = bytes[next + 1]
            let end = next + 2 + Int(bytes[next + 2]) << 8 + Int(bytes[next + 3])
            guard end >= next + 4, end <= bytes.count else { return nil }
            var content = SegmentReader(bytes[(next + 4)..<end])
            switch marker {
            case 0xC0, 0xC1:
                guard content.byte() == 8, frame.isEmpty, components.isEmpty else { return nil }
                height = content.word() ?? 0
                width = content.word() ?? 0
                guard width > 0, height > 0, let count = content.byte(), count == 1 || count == 3 else {
                    return nil
                }
                for _ in 0..<count {
                    guard let identifier = content.byte(), let factors = content.byte(),
                        let table = content.byte()
                    else { return nil }
                    guard frame.allSatisfy({ $0.identifier != identifier }) else { return nil }
                    frame.append((identifier, Int(factors >> 4), Int(factors & 15), Int(table)))
                }
                frameEnd = end
            case 0xDB: guard readSteps(&content) else { return nil }
            case 0xC4: guard readCodes(&content) else { return nil }
            case 0xDD: restartInterval = content.word() ?? 0
            case 0xDA:
                guard end == bytes.count, readScan(&content, of: frame) else { return nil }
                return
            case 0xE0...0xEF: break
            default: return nil
            }
            next = end
        }
        return nil
    }

    private mutating func readSteps(_ content: inout SegmentReader) -> Bool {
        while let first = content.byte() {
            var table: [UInt16] = []
            for _ in 0..<64 {
                guard let step = first >> 4 == 0 ? content.byte().map(Int.init) : content.word() else {
                    return false
                }
                table.append(UInt16(step))
            }
            steps[Int(first & 15)] = table
        }
        return true
    }

    private mutating func readCodes(_ content: inout SegmentReader) -> Bool {
        while let first = content.byte() {
            guard let counts = content.bytes(16),
                let values = content.bytes(counts.reduce(0) { $0 + Int($1) }),
                let codes = HuffmanCodes(counts: counts, values: values)
            else { return false }
            if first >> 4 == 0 { dc[Int(first & 15)] = codes } else { ac[Int(first & 15)] = codes }
        }
        return true
    }

    /// A scan of all components in the frame's order.
    private mutating func readScan(
        _ content: inout SegmentReader,
        of frame: [(identifier: UInt8, across: Int, down: Int, steps: Int)]
    ) -> Bool {
        guard let count = content.byte(), count > 0, Int(count) == frame.count else { return false }
        for component in frame {
            guard content.byte() == component.identifier, let tables = content.byte() else { return false }
            components.append(
                Component(
                    across: component.across, down: component.down, steps: component.steps,
                    dc: Int(tables >> 4), ac: Int(tables & 15)))
        }
        return content.bytes(3) == [0, 63, 0]
    }

    /// The layout of the samples; nil if the kernels do not know the sampling.
    var layout: PixelLayout? {
        guard components.count == 3 else { return .interleaved(.grey, .eight) }
        let luma = components[0]
        guard components.dropFirst().allSatisfy({ $0.across == 1 && $0.down == 1 }),
            [1, 2, 4].contains(luma.across), [1, 2, 4].contains(luma.down), luma.across * luma.down <= 8
        else { return nil }
        return ChromaSubsampling(horizontal: luma.across, vertical: luma.down).map { .yCbCr($0) }
    }

    /// Blocks of luma in an MCU. A lone component's MCU has one block, whatever its factors (T.81, A.2.2).
    var lumaBlocks: (across: Int, down: Int) {
        components.count == 1 ? (1, 1) : (components[0].across, components[0].down)
    }

    /// MCUs in a row, and rows of MCUs.
    var mcus: (across: Int, down: Int) {
        (
            width.dividedRoundingUp(by: 8 * lumaBlocks.across),
            height.dividedRoundingUp(by: 8 * lumaBlocks.down)
        )
    }

    var blocksPerMCU: Int {
        components.count == 1 ? 1 : lumaBlocks.across * lumaBlocks.down + 2
    }
}

/// Huffman codes as DHT has them: how many there are of each length, and their values in order.
struct HuffmanCodes: Hashable {
    /// Of the lengths 1 to 16.
    let counts: [UInt8]
    let values: [UInt8]

    /// - Returns: nil if there are more codes than bits allow, or all ones is one of them.
    init?(counts: [UInt8], values: [UInt8]) {
        var code = 0
        for (index, count) in counts.enumerated() {
            code += Int(count)
            guard code < 1 << (index + 1) || count == 0 else { return nil }
            code <<= 1
        }
        self.counts = counts
        self.values = values
    }

    /// Calls `body` with each code, its length in bits, and its value.
    func forEach(_ body: (_ code: Int, _ length: Int, _ value: UInt8) -> Void) {
        var code = 0, next = 0
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                body(code, index + 1, values[next])
                code += 1
                next += 1
            }
            code <<= 1
        }
    }
}

/// Reads a segment's content.
private struct SegmentReader {
    private var rest: ArraySlice<UInt8>

    init(_ content: ArraySlice<UInt8>) { rest = content }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func word() -> Int? {
        guard let high = byte(), let low = byte() else { return nil }
        return Int(high) << 8 | Int(low)
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
