import CTintypeJPEG
import Dispatch
import Synchronization
import Testing

@testable import TintypeCodecs

/// A JPEG's planes, decoded without Swift's layers, with what CJPEG says about it.
struct CodedPlanes: Equatable, CustomTestStringConvertible {
    private(set) var planes: [[UInt8]] = []
    private(set) var bytesPerRow: [Int] = []
    private(set) var status = CJPEG_STATUS_OK
    private(set) var message = ""
    private(set) var note = ""
    /// Whether the core decoded all rows.
    private(set) var isAllCore = false
    /// How often the core had work for several threads.
    private(set) var concurrentCallCount = 0
    /// Blocks that the core's second stream decoded.
    private(set) var secondStreamBlocks = 0

    /// Not a sample of noise more often than any other: what is not written stays.
    private static let filling: UInt8 = 0xA5
    /// Bytes behind each row of blocks, which must stay as they are.
    private static let margin = 64

    /// - Parameters:
    ///   - codec: the decoder.
    ///   - denominator: of the planes' size: 1, 2, 4 or 8.
    ///   - chunkByteCount: the most bytes that one read returns.
    ///   - threadCount: of the core.
    ///   - rowsAtOnce: rows of MCUs that are read in one call.
    init(
        _ bytes: [UInt8], _ codec: JPEGCodec, denominator: Int = 1, chunkByteCount: Int = .max,
        isLenient: Bool = false, threadCount: Int = 1, rowsAtOnce: Int = 1
    ) {
        let input = Input(bytes, chunkByteCount)
        let context = Unmanaged.passUnretained(input).toOpaque()
        let reader = cjpeg_reader_create(Input.read, context, 64, 1 << 20, isLenient, codec.level)!
        defer { cjpeg_reader_destroy(reader) }
        let threads = Threads()
        if threadCount > 1 {
            cjpeg_reader_use_threads(
                reader, Int32(threadCount), Threads.perform, Unmanaged.passUnretained(threads).toOpaque())
        }
        withExtendedLifetime((input, threads)) { decode(reader, denominator, rowsAtOnce) }
        concurrentCallCount = threads.callCount.load(ordering: .relaxed)
        message = String(cString: cjpeg_reader_message(reader))
        note = String(cString: cjpeg_reader_note(reader))
    }

    /// Whether the verdict and the samples are equal.
    static func == (a: CodedPlanes, b: CodedPlanes) -> Bool {
        a.planes == b.planes && (a.status, a.message, a.note) == (b.status, b.message, b.note)
    }

    /// Without samples.
    var testDescription: String {
        "status \(status.rawValue) '\(message)' '\(note)', planes \(planes.map(\.count)) \(planes.map(\.hashValue))"
            + (isAllCore ? " by the core" : "")
    }

    /// A plane's samples by rows.
    func samples(of plane: Int) -> [UInt8] {
        rows(of: plane).flatMap { $0 }
    }

    private func rows(of plane: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: planes[plane].count, by: bytesPerRow[plane]).map { start in
            planes[plane][start..<start + bytesPerRow[plane] - Self.margin]
        }
    }

    /// The means of squares of samples; nil where one is 0 or 255, and may have been limited.
    func means(of plane: Int, side: Int) -> [Double?] {
        let rows = rows(of: plane).map(Array.init)
        return stride(from: 0, to: rows.count, by: side).flatMap { y in
            stride(from: 0, to: rows[0].count, by: side).map { x in
                let square = rows[y..<y + side].flatMap { $0[x..<x + side] }
                guard square.allSatisfy({ 1...254 ~= $0 }) else { return nil }
                return Double(square.reduce(0) { $0 + Int($1) }) / Double(side * side)
            }
        }
    }

    private mutating func decode(_ reader: OpaquePointer, _ denominator: Int, _ rowsAtOnce: Int) {
        let blockSize = 8 / denominator
        var header = cjpeg_header()
        status = cjpeg_reader_read_header(reader, &header)
        guard status == CJPEG_STATUS_OK else { return }
        status = cjpeg_reader_start(reader, CJPEG_OUTPUT_RAW, Int32(denominator))
        guard status == CJPEG_STATUS_OK else { return }
        let components = header.componentList
        let tallest = Int(components.map(\.vertical_factor).max()!)
        let rowCount = Int(header.height).dividedRoundingUp(by: 8 * tallest)
        bytesPerRow = components.map { blockSize * Int($0.blocks_across) + Self.margin }
        planes = components.indices.map { index in
            let height = rowCount * blockSize * Int(components[index].vertical_factor)
            return [UInt8](repeating: Self.filling, count: height * bytesPerRow[index])
        }
        let bases = planes.map { plane in
            let base = UnsafeMutablePointer<UInt8>.allocate(capacity: plane.count)
            base.initialize(from: plane, count: plane.count)
            return base
        }
        for row in stride(from: 0, to: rowCount, by: rowsAtOnce) where status == CJPEG_STATUS_OK {
            let rows: [UnsafeMutablePointer<UInt8>?] = components.indices.map { index in
                bases[index] + row * blockSize * Int(components[index].vertical_factor) * bytesPerRow[index]
            }
            let count = Int32(min(rowsAtOnce, rowCount - row))
            status = cjpeg_reader_read_raw(reader, rows, bytesPerRow, count)
        }
        isAllCore = cjpeg_reader_uses_core(reader)
        secondStreamBlocks = cjpeg_reader_second_stream_blocks(reader)
        if status == CJPEG_STATUS_OK {
            status = cjpeg_reader_finish(reader)
            planes = zip(bases, planes).map { Array(UnsafeBufferPointer(start: $0, count: $1.count)) }
        } else {
            planes = []
        }
        bases.forEach { $0.deallocate() }
    }

    private final class Threads: Sendable {
        let callCount = Atomic(0)

        static let perform: cjpeg_concurrently = { context, count, work, argument in
            let threads = Unmanaged<Threads>.fromOpaque(context!).takeUnretainedValue()
            threads.callCount.wrappingAdd(1, ordering: .relaxed)
            nonisolated(unsafe) let argument = argument
            DispatchQueue.concurrentPerform(iterations: count) { work!(argument, $0) }
        }
    }

    private final class Input {
        private var rest: ArraySlice<UInt8>
        private let chunkByteCount: Int

        init(_ bytes: [UInt8], _ chunkByteCount: Int) {
            rest = bytes[...]
            self.chunkByteCount = chunkByteCount
        }

        static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int =
            {
                context, buffer, capacity in
                let input = Unmanaged<Input>.fromOpaque(context!).takeUnretainedValue()
                let chunk = input.rest.prefix(min(capacity, input.chunkByteCount))
                input.rest = input.rest.dropFirst(chunk.count)
                _ = UnsafeMutableBufferPointer(start: buffer, count: capacity).update(fromContentsOf: chunk)
                return chunk.count
            }
    }
}
