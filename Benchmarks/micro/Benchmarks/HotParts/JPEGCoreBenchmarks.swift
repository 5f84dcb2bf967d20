import Benchmark
import TintypeJPEGCore

/// The steps of decoding and encoding a scan, on one core, at every instruction-set level that this machine has.
///
/// Inputs separate the steps: at 1/8 of the size, decoding is Huffman decoding and hardly more; planes of one shade have no
/// symbols to encode, so that the transform remains.
enum JPEGCoreBenchmarks {
    static func register() {
        var count = 0
        guard let levels = jpegcore_levels(&count) else { return }
        for case let level? in (0..<count).map({ levels[$0] }) where jpegcore_level_is_supported(level) {
            let name = String(cString: jpegcore_level_name(level))
            let photo = CodedPhoto(level)
            Benchmark("\(name), 1024 x 768, 4:2:0: decode") { _ in photo.decode(blockSize: 8) }
            Benchmark("\(name), 1024 x 768, 4:2:0: decode to 1/2") { _ in photo.decode(blockSize: 4) }
            Benchmark("\(name), 1024 x 768, 4:2:0: decode to 1/4") { _ in photo.decode(blockSize: 2) }
            Benchmark("\(name), 1024 x 768, 4:2:0: decode symbols (to 1/8)") { _ in photo.decode(blockSize: 1)
            }
            Benchmark("\(name), 1024 x 768, 4:2:0: encode") { _ in photo.encode() }
            Benchmark("\(name), 1024 x 768, 4:2:0: transform (encode one shade)") { _ in photo.encodeShade() }
            Benchmark("\(name), 1024 x 768, 4:2:0: decode and encode symbols") { _ in photo.transcode() }
        }
    }
}

/// Planes and their entropy-coded data.
// @unchecked: benchmarks run one after the other.
private final class CodedPhoto: @unchecked Sendable {
    private static let width = 1024, height = 768
    private static let bytesPerRow = [width, width / 2, width / 2]

    private let level: OpaquePointer
    private var scan = jpegcore_scan()
    private var data: [UInt8] = []
    /// By component: samples of noise on ramps, the same decoded, and one shade.
    private let noise: [UnsafeMutablePointer<UInt8>]
    private let decoded: [UnsafeMutablePointer<UInt8>]
    private let shade: [UnsafeMutablePointer<UInt8>]

    init(_ level: OpaquePointer) {
        self.level = level
        noise = Self.makePlanes { row, column, grain in 64 + (row + column) % 128 + grain % 16 }
        decoded = Self.makePlanes { _, _, _ in 0 }
        shade = Self.makePlanes { _, _, _ in 128 }
        // Codes for all symbols; then those that this photo needs.
        scan = Self.makeScan([UInt32](repeating: 1, count: 256))
        var counts = [jpegcore_symbol_counts](repeating: jpegcore_symbol_counts(), count: 3)
        encode(noise, counting: &counts)
        let sums = (0..<256).map { symbol in
            counts.reduce(1 as UInt32) { sum, component in
                withUnsafeBytes(of: component) { bytes in
                    let all = bytes.bindMemory(to: UInt32.self)
                    return sum + all[symbol] + all[256 + symbol]
                }
            }
        }
        scan = Self.makeScan(sums)
        data = encode(noise) + [0xFF, 0xD9]
    }

    private static func makePlanes(_ sample: (Int, Int, Int) -> Int) -> [UnsafeMutablePointer<UInt8>] {
        var state: UInt64 = 1
        return [(height, width), (height / 2, width / 2), (height / 2, width / 2)].map { rows, columns in
            let plane = UnsafeMutablePointer<UInt8>.allocate(capacity: rows * columns)
            for row in 0..<rows {
                for column in 0..<columns {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    plane[row * columns + column] = UInt8(sample(row, column, Int(state >> 56)))
                }
            }
            return plane
        }
    }

    private static func makeScan(_ counts: [UInt32]) -> jpegcore_scan {
        let codes = jpegcore_optimal_table(counts)
        func component(_ factor: Int32) -> jpegcore_component {
            var component = jpegcore_component()
            (component.horizontal_factor, component.vertical_factor) = (factor, factor)
            component.blocks_across = factor * Int32(width / 16)
            component.blocks_down = factor * Int32(height / 16)
            component.block_size = 8
            (component.dc, component.ac) = (codes, codes)
            // Steps that grow with the frequency, as at quality 90.
            withUnsafeMutableBytes(of: &component.quant_table) { bytes in
                let steps = bytes.bindMemory(to: UInt16.self)
                for index in 0..<64 { steps[index] = UInt16(3 + index / 8 + index % 8) }
            }
            return component
        }
        var scan = jpegcore_scan()
        scan.component_count = 3
        scan.components = (component(2), component(1), component(1))
        (scan.mcus_across, scan.mcus_down) = (Int32(width / 16), Int32(height / 16))
        return scan
    }

    func encode() { blackHole(encode(noise).count) }
    func encodeShade() { blackHole(encode(shade).count) }

    @discardableResult
    private func encode(
        _ planes: [UnsafeMutablePointer<UInt8>],
        counting counts: UnsafeMutablePointer<jpegcore_symbol_counts>? = nil
    ) -> [UInt8] {
        let output = Output()
        let encoder = output.encoder(for: &scan, level)
        defer { jpegcore_encoder_destroy(encoder) }
        if let counts { jpegcore_encoder_count_symbols(encoder, counts) }
        for row in 0..<Int(scan.mcus_down) {
            let starts: [UnsafePointer<UInt8>?] = zip(planes, [16, 8, 8]).enumerated().map { index, plane in
                UnsafePointer(plane.0 + row * plane.1 * Self.bytesPerRow[index])
            }
            jpegcore_encoder_write_row(encoder, starts, Self.bytesPerRow)
        }
        jpegcore_encoder_finish(encoder)
        return output.bytes
    }

    func decode(blockSize: Int32) {
        var scan = scan
        scan.components.0.block_size = blockSize
        scan.components.1.block_size = blockSize
        scan.components.2.block_size = blockSize
        readRows(of: &scan) { decoder, bytes, count, row in
            let starts: [UnsafeMutablePointer<UInt8>?] = zip(decoded, [2, 1, 1]).enumerated().map {
                index, plane in
                plane.0 + row * Int(blockSize) * plane.1 * Self.bytesPerRow[index]
            }
            return jpegcore_decoder_read_row(decoder, bytes, count, starts, Self.bytesPerRow)
        }
    }

    func transcode() {
        let output = Output()
        let encoder = output.encoder(for: &scan, level)
        defer { jpegcore_encoder_destroy(encoder) }
        var scan = scan
        readRows(of: &scan) { decoder, bytes, count, _ in
            jpegcore_encoder_transcode_row(encoder, decoder, bytes, count)
        }
        jpegcore_encoder_finish(encoder)
        blackHole(output.bytes.count)
    }

    private func readRows(
        of scan: inout jpegcore_scan,
        _ read: (OpaquePointer?, UnsafePointer<UInt8>, Int, Int) -> jpegcore_status
    ) {
        let decoder = jpegcore_decoder_create(&scan, level)
        defer { jpegcore_decoder_destroy(decoder) }
        data.withUnsafeBufferPointer { data in
            var rest = data[...]
            for row in 0..<Int(scan.mcus_down) {
                let bytes = UnsafeBufferPointer(rebasing: rest)
                let status = read(decoder, bytes.baseAddress!, bytes.count, row)
                precondition(status == JPEGCORE_ROW, "row \(row): \(status)")
                rest = rest.dropFirst(jpegcore_decoder_consumed(decoder))
            }
        }
    }
}

/// Takes an encoder's bytes.
private final class Output {
    private(set) var bytes: [UInt8] = []

    /// - Returns: an encoder that must not outlive this object.
    func encoder(for scan: inout jpegcore_scan, _ level: OpaquePointer) -> OpaquePointer? {
        bytes.reserveCapacity(1 << 20)
        return jpegcore_encoder_create(
            &scan, level,
            { context, bytes, count in
                let output = Unmanaged<Output>.fromOpaque(context!).takeUnretainedValue()
                output.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
