import TintypeImaging
import TintypeRendering

/// What the kernels of `jpeg_decode.cl` need of a photo's header. One is made for all photos of the same header.
struct JPEGDecoderTables {
    let header: JPEGHeader
    /// The photo, in memory as kernels of filters read it.
    let shape: StripShape
    /// The decoded samples, with room for whole MCUs: the photo, if it is not converted.
    let decodedShape: StripShape
    /// How planes become RGB; nil if the photo is not converted.
    let upsampling: JPEGUpsampling?
    /// The photo's rows.
    let height: Int
    /// Samples of a block of each component, across and down.
    let blockSizes: [Int]
    /// What restart markers separate; 0 without markers.
    let segmentCount: Int
    let tables: OpenCLBuffer
    /// `jpeg_scan`, but for its first word, the bytes of the data.
    let scan: [UInt32]

    /// - Parameters:
    ///   - divisor: 1, 2, 4 or 8.
    ///   - layout: the photo's own, or that of pixels.
    /// - Returns: nil if the kernels do not know such photos.
    init?(
        _ bytes: [UInt8], reducedBy divisor: Int, to layout: PixelLayout, _ device: OpenCLDevice
    ) throws(DeviceError) {
        guard let header = JPEGHeader(bytes), let own = header.layout, [1, 2, 4, 8].contains(divisor),
            layout == own || layout == own.withoutPlanes, let pairs = HuffmanPairs(header),
            let steps = Self.steps(header)
        else { return nil }
        self.header = header
        let width = header.width.dividedRoundingUp(by: divisor)
        height = header.height.dividedRoundingUp(by: divisor)
        let lumaSize = 8 / divisor
        shape = StripShape(layout: layout, width: width, rowCapacity: height)
        if layout == own {
            upsampling = nil
            decodedShape = shape
            blockSizes = header.components.map { _ in lumaSize }
        } else {
            guard let chroma = JPEGUpsampling(own.subsampling, blockSize: lumaSize, width: width) else {
                return nil
            }
            upsampling = chroma
            decodedShape = StripShape(
                layout: .yCbCr(chroma.subsampling), width: width, rowCapacity: height)
            blockSizes = [lumaSize, chroma.chromaBlockSize, chroma.chromaBlockSize]
        }
        let mcus = header.mcus.across * header.mcus.down
        // Where the whole photo fits an interval, there is no marker.
        let interval = header.restartInterval < mcus ? header.restartInterval : 0
        segmentCount = interval > 0 ? mcus.dividedRoundingUp(by: interval) : 0
        scan =
            Self.scan(header, pairs, decodedShape, blockSizes, (interval, segmentCount))
            + Self.pixels(upsampling, shape, height: height)
        tables = try OpenCLBuffer(device, copying: pairs.tables(with: steps))
    }

    /// Three tables in zigzag order; nil if one is missing, or so large that sums might overflow.
    private static func steps(_ header: JPEGHeader) -> [UInt16]? {
        var all: [UInt16] = []
        for component in header.components {
            guard let steps = header.steps[component.steps],
                steps.allSatisfy({ (1...8191).contains($0) })
            else { return nil }
            all += steps
        }
        return all + Array(repeating: 1, count: 3 * 64 - all.count)
    }

    private static func scan(
        _ header: JPEGHeader, _ pairs: HuffmanPairs, _ shape: StripShape, _ blockSizes: [Int],
        _ segments: (interval: Int, count: Int)
    ) -> [UInt32] {
        let (across, down) = header.mcus
        let mcus = across * down
        var blocks: [[UInt32]] = [], pairBits: UInt32 = 0, componentBits: UInt32 = 0, acBits: UInt32 = 0
        var first = 0, firstRow = 0
        for index in 0..<3 {
            guard index < header.components.count else {
                blocks.append([0, 0, 0, 0, UInt32(firstRow), 0, 0, 0])
                continue
            }
            let own = index == 0 ? header.lumaBlocks : (across: 1, down: 1), plane = shape.planes[index]
            for block in first..<first + own.across * own.down {
                pairBits |= UInt32(pairs.numbers[index]) << UInt32(block)
                componentBits |= UInt32(index) << UInt32(2 * block)
                acBits |= (blockSizes[index] == 1 ? 0 : 1) << UInt32(block)
            }
            blocks.append(
                [
                    own.across, own.down, first, across * own.across, firstRow, blockSizes[index],
                    plane.byteOffset, plane.bytesPerRow,
                ].map { UInt32($0) })
            first += own.across * own.down
            firstRow += down * own.down
        }
        return [
            UInt32(mcus * first), UInt32(first), pairBits, componentBits, acBits, UInt32(across),
            UInt32(mcus), UInt32(segments.interval), UInt32(segments.count),
        ] + blocks.joined()
    }

    /// `jpeg_pixels`.
    private static func pixels(_ upsampling: JPEGUpsampling?, _ shape: StripShape, height: Int) -> [UInt32] {
        guard let upsampling else { return Array(repeating: 0, count: 7) }
        return [
            shape.width, height, shape.planes[0].bytesPerRow, upsampling.subsampling.horizontalShift,
            upsampling.subsampling.verticalShift, upsampling.smoothsAcross ? 1 : 0,
            upsampling.smoothsDown ? 1 : 0,
        ].map { UInt32($0) }
    }

    var mcuCount: Int { header.mcus.across * header.mcus.down }
    var blockCount: Int { mcuCount * header.blocksPerMCU }
}

/// The tables of codes of all components: at most two pairs of one for DC and one for AC coefficients.
private struct HuffmanPairs {
    /// Of each component.
    private(set) var numbers: [Int] = []
    private var pairs: [(dc: HuffmanCodes, ac: HuffmanCodes)] = []

    private static let lookUpBits = 10
    private static let longBits = 16 - lookUpBits

    /// - Returns: nil if there are more pairs, or a table is missing.
    init?(_ header: JPEGHeader) {
        for component in header.components {
            guard let dc = header.dc[component.dc], let ac = header.ac[component.ac],
                dc.values.allSatisfy({ $0 <= 15 })
            else { return nil }
            if let number = pairs.firstIndex(where: { $0.dc == dc && $0.ac == ac }) {
                numbers.append(number)
            } else {
                numbers.append(pairs.count)
                pairs.append((dc, ac))
            }
        }
        guard pairs.count <= 2 else { return nil }
    }

    /// The kernels' tables; see `jpeg_decode.cl`.
    func tables(with steps: [UInt16]) -> [UInt16] {
        let size = 1 << Self.lookUpBits
        // Group 0 of long codes is all zeros.
        var long = [UInt16](repeating: 0, count: 1 << Self.longBits)
        var single: [[UInt16]] = [], double: [UInt16] = []
        for pair in pairs {
            let dc = Self.table(pair.dc, isDC: true, &long), ac = Self.table(pair.ac, isDC: false, &long)
            single += [dc, ac]
            double += Self.ofTwoSymbols(dc, ac) + Self.ofTwoSymbols(ac, ac)
        }
        let all = single.joined()
        return all + Array(repeating: 0, count: 4 * size - all.count) + double
            + Array(repeating: 0, count: 8 * size - double.count) + steps + long
    }

    /// Entries by the next bits.
    ///
    /// - Parameter long: gets groups of codes that are longer than `lookUpBits`.
    private static func table(_ codes: HuffmanCodes, isDC: Bool, _ long: inout [UInt16]) -> [UInt16] {
        var table = [UInt16](repeating: 0, count: 1 << lookUpBits)
        codes.forEach { code, length, value in
            let entry = entry(length, Int(value), isDC: isDC)
            guard length > lookUpBits else {
                let first = code << (lookUpBits - length)
                for place in first..<first + (1 << (lookUpBits - length)) { table[place] = entry }
                return
            }
            let place = code >> (length - lookUpBits)
            if table[place] == 0 {
                table[place] = UInt16((long.count >> longBits) << 5)
                long += Array(repeating: 0, count: 1 << longBits)
            }
            let spare = 16 - length
            let first =
                (Int(table[place] >> 5) << longBits) + ((code << spare) & ((1 << longBits) - 1))
            for place in first..<first + (1 << spare) { long[place] = entry }
        }
        return table
    }

    /// 0 for a symbol that 8-bit samples never need.
    private static func entry(_ length: Int, _ value: Int, isDC: Bool) -> UInt16 {
        let size = isDC ? value : value & 15, run = value >> 4
        guard isDC ? size <= 11 : size <= 10 && (size > 0 || run == 0 || run == 15) else { return 0 }
        let distance = isDC ? 1 : size > 0 ? run + 1 : run == 15 ? 16 : 64
        return UInt16((length + size) | (size << 5) | (distance << 9))
    }

    /// Entries of a first symbol, and a second one after it if both fit, as pairs of words.
    private static func ofTwoSymbols(_ first: [UInt16], _ second: [UInt16]) -> [UInt16] {
        first.enumerated().flatMap { window, entry in
            let length = Int(entry & 31), distance = entry >> 9
            var both = entry
            if length != 0, distance != 64, length < lookUpBits {
                let next = second[(window << length) & ((1 << lookUpBits) - 1)]
                if next & 31 != 0, length + Int(next & 31) <= lookUpBits {
                    both = (UInt16(length) + (next & 31)) | ((distance + (next >> 9)) << 9)
                }
            }
            return [entry, both]
        }
    }
}
