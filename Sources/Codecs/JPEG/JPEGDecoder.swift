import CTintypeJPEG
import TintypeImaging
import TintypeMetadata

/// Decodes one JPEG with libjpeg, with the accurate integer inverse DCT.
final class JPEGDecoder: PhotoDecoder {
    let width: Int
    let height: Int
    let layout: PixelLayout
    let metadata: PhotoMetadata
    let jpegCoding: JPEGCoding?
    var notes: [PhotoNote] {
        let detail = String(cString: cjpeg_reader_note(reader))
        return detail.isEmpty ? [] : [.harmlessDamage(detail: detail)]
    }

    let hasDamagedProfile: Bool
    var hasLateMetadata: Bool { cjpeg_reader_late_segment_count(reader) > 0 }

    private enum Output {
        /// Rows of MCUs, decoded into the strip's planes.
        case planes
        case rows
        /// Rows of four inks, decoded into this buffer first.
        case inks(UnsafeMutableBufferPointer<UInt8>)
    }

    /// The file's bytes from the first up to the read position.
    final class Head {
        fileprivate(set) var bytes: [UInt8] = []
    }

    let input: ByteInput
    /// From the file's first byte.
    let ahead: ByteLookAhead
    /// Kept until the pixels are read, for a copier or a device: a pipe cannot be read again.
    var head: Head?
    /// Nil if a device cannot decode the photo.
    private(set) lazy var compressedHeader = head.flatMap { JPEGCompressedHeader(of: $0.bytes) }
    private let reader: OpaquePointer
    let header: cjpeg_header
    let limits: DecodeLimits
    private var output: Output?
    private var hasInks: Bool { header.colours == CJPEG_COLOURS_CMYK }
    private(set) lazy var inkConversion = SRGBConversion(inks: metadata.icc)
    let reductions = [1, 2, 4, 8]
    private var scaleDenominator = 1
    /// Threads that decode a large photo's planes with this one, and their number with it.
    private var helpers: (any CodecHelpers)?
    private var threadCount = 1
    /// Whether bytes behind the photo are read as well, for a copy of the file.
    private var readsToEnd = false

    /// A smaller photo is decoded before other threads have begun.
    private static let leastPixelsForHelpers = 4_000_000

    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let head = Head()
        let ahead = input.lookAhead()
        input.onRead = { head.bytes += $0 }
        guard
            let reader = cjpeg_reader_create(
                ByteInput.readCallback, input.callbackContext, Int32(clamping: limits.maxScans),
                limits.maxMetadataByteCount, limits.toleratesDamage, limits.jpegCodec.level)
        else { throw .outOfMemory }
        do throws(CodecError) {
            var header = cjpeg_header()
            try Self.check(cjpeg_reader_read_header(reader, &header), reader, input, limits)
            try limits.check(width: Int(header.width), height: Int(header.height))
            if header.has_multiple_scans {
                try limits.check(memory: header.coefficientByteCount, because: "a progressive JPEG")
                try JPEGScanCount.check(ahead, header, limit: limits.maxScans)
            }
            layout = try header.layout
            self.header = header
        } catch {
            cjpeg_reader_destroy(reader)
            throw error
        }
        self.input = input
        self.ahead = ahead
        self.head = head
        self.reader = reader
        self.limits = limits
        width = Int(header.width)
        height = Int(header.height)
        jpegCoding = header.coding
        let segments = Self.segments(of: reader)
        hasDamagedProfile = JPEGSegments.hasDamagedProfile(segments)
        let own = PhotoMetadata(items: JPEGSegments.items(of: segments), density: header.density)
        let isRGB = layout.hasColour && header.colours != CJPEG_COLOURS_CMYK
        metadata = isRGB ? own.withProfileOfAdobeRGB() : own
    }

    deinit {
        if case .inks(let buffer) = output { buffer.deallocate() }
        cjpeg_reader_destroy(reader)
    }

    func reduce(by divisor: Int) {
        precondition(reductions.contains(divisor), "no such reduction")
        scaleDenominator = divisor
    }

    func canDecode(to layout: PixelLayout) -> Bool {
        layout == self.layout || layout == .interleaved(.rgb, .eight)
            || layout == .interleaved(.grey, .eight) && !hasInks
    }

    func start(_ layout: PixelLayout) throws(CodecError) {
        precondition(output == nil, "start must be called once")
        if head != nil {
            head = nil
            input.onRead = nil
        }
        switch layout {
        case .yCbCr:
            precondition(layout == self.layout, "the layout must be the file's")
            try start(CJPEG_OUTPUT_RAW, .planes)
        case .interleaved(.grey, .eight) where header.isPlainGrey:
            try start(CJPEG_OUTPUT_RAW, .planes)
        case .interleaved(.grey, .eight) where !hasInks:
            try start(CJPEG_OUTPUT_GREY, .rows)
        case .interleaved(.rgb, .eight) where hasInks:
            let width = width.dividedRoundingUp(by: scaleDenominator)
            try start(CJPEG_OUTPUT_CMYK, .inks(.allocate(capacity: 4 * width)))
        case .interleaved(.rgb, .eight):
            try start(CJPEG_OUTPUT_RGB, .rows)
        default:
            preconditionFailure("a JPEG cannot be decoded to \(layout)")
        }
    }

    private func start(_ format: cjpeg_output, _ output: Output) throws(CodecError) {
        self.output = output
        if format == CJPEG_OUTPUT_RAW, helpers != nil { useThreads() }
        try check(cjpeg_reader_start(reader, format, Int32(scaleDenominator)))
    }

    /// Call it before `start`. One of the free threads decodes ahead of the caller; the others help it.
    func use(_ helpers: any CodecHelpers) {
        let count = helpers.freeThreadCount - 1
        guard count > 1, width * height >= Self.leastPixelsForHelpers else { return }
        threadCount = count
        self.helpers = helpers
    }

    private func useThreads() {
        cjpeg_reader_use_threads(
            reader, Int32(clamping: threadCount),
            { context, count, work, argument in
                guard let context, let work else { return }
                let decoder = Unmanaged<JPEGDecoder>.fromOpaque(context).takeUnretainedValue()
                nonisolated(unsafe) let argument = argument
                decoder.helpers?.perform(count) { work(argument, $0) }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func readRows(_ count: Int, into strip: Strip) throws(CodecError) {
        switch output {
        case .planes:
            let (planes, bytesPerRow) = strip.planePointers(atRow: 0)
            let mcuHeight = strip.rowGranularity / scaleDenominator
            let mcuRowCount = Int32(count.dividedRoundingUp(by: mcuHeight))
            try check(cjpeg_reader_read_raw(reader, planes, bytesPerRow, mcuRowCount))
            strip.hasBlockPadding = scaleDenominator == 1
        case .rows:
            let plane = strip.planes[0]
            let first = plane.base.assumingMemoryBound(to: UInt8.self)
            try check(cjpeg_reader_read_rows(reader, first, plane.bytesPerRow, Int32(count)))
        case .inks(let buffer):
            for row in 0..<count {
                try check(cjpeg_reader_read_rows(reader, buffer.baseAddress, 0, 1))
                convert(UnsafeBufferPointer(buffer), toRGB: strip.planes[0].row(row))
            }
        case nil:
            preconditionFailure("start was not called")
        }
    }

    func finish() throws(CodecError) {
        try check(cjpeg_reader_finish(reader))
        if readsToEnd { try input.passOnRest() }
    }

    private func check(_ status: cjpeg_status) throws(CodecError) {
        try Self.check(status, reader, input, limits)
    }

    private static func check(
        _ status: cjpeg_status, _ reader: OpaquePointer, _ input: ByteInput, _ limits: DecodeLimits
    ) throws(CodecError) {
        if status == CJPEG_STATUS_OK { return }
        if status == CJPEG_STATUS_TOO_MANY_SCANS { throw .tooManyScans(limit: limits.maxScans) }
        if status == CJPEG_STATUS_TOO_MUCH_METADATA {
            throw .tooMuchMetadata(limit: limits.maxMetadataByteCount)
        }
        throw CodecError(status, message: cjpeg_reader_message(reader), callback: input.failure)
    }

    private static func segments(of reader: OpaquePointer) -> [JPEGSegments.Segment] {
        var segments: [JPEGSegments.Segment] = []
        var marker = cjpeg_marker()
        while cjpeg_reader_next_marker(reader, &marker) {
            let bytes = Array(UnsafeBufferPointer(start: marker.bytes, count: marker.count))
            segments.append(
                JPEGSegments.Segment(marker: UInt8(truncatingIfNeeded: marker.code), bytes: bytes))
        }
        return segments
    }
}

extension JPEGDecoder {
    var isCommonJPEG: Bool {
        let hasPlanes = layout != layout.withoutPlanes
        return (hasPlanes || header.isPlainGrey) && !header.has_arithmetic_codes && !hasDamagedProfile
    }
}

extension JPEGDecoder: CodedImage {
    var coded: (any CodedImage)? { self }

    func makeCopier(
        _ output: ByteOutput, replacing metadata: PhotoMetadata?
    ) throws(CodecError) -> any PhotoEncoder {
        let replacement = metadata.map {
            JPEGSegments.Replacement(metadata: $0, hasJFIF: self.metadata.density != nil)
        }
        let copier = try JPEGCopier(output, replacing: replacement)
        try copy(to: copier)
        return copier
    }

    /// Passes the whole file to `copier`: the bytes read so far at once, the rest during decoding.
    private func copy(to copier: JPEGCopier) throws(CodecError) {
        guard let head else { preconditionFailure("copying must begin once, before start") }
        self.head = nil
        try head.bytes.withUnsafeBufferPointer { (bytes) throws(CodecError) in
            try copier.take(UnsafeRawBufferPointer(bytes))
        }
        input.onRead = copier.take
        readsToEnd = copier.copiesWholeFile
    }
}

extension JPEGDecoder: InkedImage {
    var inks: (any InkedImage)? { hasInks ? self : nil }
}

// MARK: Memory

extension JPEGDecoder {
    /// Coefficients, if there are several scans. For planes, the data of a row of MCUs, at most twice its
    /// samples, in a buffer and while that grows. If libjpeg converts the pixels, rows of blocks of each
    /// component with their neighbours, and the rows that these are upsampled to.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        let coefficients = header.has_multiple_scans ? header.coefficientByteCount : 0
        if case .yCbCr = layout {
            let row = StripShape(layout: layout, width: width, rowCapacity: 1).byteCount
            let threads = threadCount > 1 ? threadCount * CodecMemory.threadByteCount : 0
            return coefficients + 3 * row + threads
        }
        let components = Int(header.component_count)
        let tallest = header.componentList.map { Int($0.vertical_factor) }.max() ?? 1
        return coefficients + components * width.roundedUp(toMultipleOf: 32) * (8 + 4) * tallest
    }

    var reasonToHoldAll: String? { header.has_multiple_scans ? "a progressive JPEG" : nil }
}

extension CodecError {
    /// - Parameter callback: the error of the read or write function, if any.
    init(_ status: cjpeg_status, message: UnsafePointer<CChar>?, callback: CodecError?) {
        let detail = message.map { String(cString: $0) } ?? ""
        self =
            switch status {
            case CJPEG_STATUS_TRUNCATED: .truncated
            case CJPEG_STATUS_UNSUPPORTED: .unsupported(detail: detail)
            case CJPEG_STATUS_OUT_OF_MEMORY: .outOfMemory
            case CJPEG_STATUS_CALLBACK_FAILED: callback ?? .corrupt(detail: detail)
            default: .corrupt(detail: detail)
            }
    }
}
