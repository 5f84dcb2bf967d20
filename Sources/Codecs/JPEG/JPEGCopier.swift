import TintypeImaging
import TintypeMetadata

/// Writes a JPEG whose pixels did not change: copies the compressed image byte by byte. With the photo's own
/// metadata, it copies the whole file, with the pictures behind the photo, because the metadata has their
/// positions.
///
/// Encoding the decoded samples again would not give the same coefficients. Samples are rounded and clipped
/// to 8 bits, so with small quantisation steps many coefficients come back off by one.
///
/// The copier gets the bytes while the decoder reads them. So one pass is enough, also from a pipe, and the
/// decoder checks each byte of the photo. The copier only has to find segments, which look the same in every
/// kind of JPEG. (libjpeg's own transcoding holds all coefficients of the image, and gives no samples to
/// check.)
///
/// With new metadata, stray bytes between segments are left out, which the decoder skips: they may be metadata behind a
/// wrong length. Bytes that it rejects are copied unchecked: the photo fails then anyway.
final class JPEGCopier: PhotoEncoder {
    private enum State {
        /// After a segment: entropy-coded data, or stray bytes before the next marker.
        case data
        /// After 0xFF, which is held back.
        case marker
        /// In a segment, whose start is held back.
        case segment
        /// After EOI: what follows is not part of the photo, and the new metadata does not refer to it.
        case end
    }

    private let output: ByteOutput
    /// Segments that replace the photo's metadata, in the file's form; nil copies the file unchanged.
    private let replacement: [UInt8]?
    private var state = State.data
    /// Whether data is entropy-coded.
    private var isInScan = false
    private var held: [UInt8] = []
    private var ready: [UInt8] = []

    private static let startOfImage: UInt8 = 0xD8, endOfImage: UInt8 = 0xD9, startOfScan: UInt8 = 0xDA
    /// Large enough for few system calls.
    private static let flushedByteCount = 64 << 10

    /// Whether bytes behind the photo are copied as well.
    var copiesWholeFile: Bool { replacement == nil }

    /// - Parameter metadata: replaces all APPn and COM segments of the photo, and leaves out what follows the
    ///   photo; nil copies both.
    init(_ output: ByteOutput, replacing metadata: JPEGSegments.Replacement?) throws(CodecError) {
        self.output = output
        replacement = try metadata?.bytes
    }

    /// Takes the file's next bytes.
    func take(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        if copiesWholeFile { ready += bytes } else { takeImage(bytes) }
        if ready.count >= Self.flushedByteCount { try flush() }
    }

    private func takeImage(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty, state != .end {
            switch state {
            case .data: takeData(&rest)
            case .marker: takeMarker(rest.removeFirst())
            case .segment: takeSegment(&rest)
            case .end: break
            }
        }
    }

    private func takeData(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let run = rest.prefix { $0 != 0xFF }
        if isInScan { ready += run }
        rest = rest[run.endIndex...]
        guard !rest.isEmpty else { return }
        held.append(rest.removeFirst())
        state = .marker
    }

    /// - Parameter code: the byte after 0xFF (ITU-T T.81, table B.1).
    private func takeMarker(_ code: UInt8) {
        if code == 0xFF {
            // A fill byte: any number may precede a marker.
            ready.append(code)
            return
        }
        held.append(code)
        switch code {
        case 0x00 where !isInScan:
            held = []
            state = .data
        case 0x00, 0xD0...0xD7:
            // A stuffed 0xFF and RSTn have no length.
            release(.data)
        case 0x01:
            // TEM has no length, either, but ends a scan.
            isInScan = false
            release(.data)
        case Self.startOfImage:
            release(.data)
            if let replacement { ready += replacement }
        case Self.endOfImage:
            release(.end)
        default:
            state = .segment
        }
    }

    private func takeSegment(_ rest: inout Slice<UnsafeRawBufferPointer>) {
        let part = rest.prefix(heldByteCountWanted - held.count)
        held += part
        rest = rest[part.endIndex...]
        guard held.count == heldByteCountWanted else { return }
        let marker = held[1], content = held[4...]
        isInScan = marker == Self.startOfScan
        if JPEGSegments.isAdobe(marker, content) {
            held = JPEGSegments.adobe(content).fileBytes
        } else if JPEGSegments.isMetadata(marker) {
            held = []
        }
        release(.data)
    }

    /// The marker, the length, and the bytes that it counts, including itself. As in libjpeg, a length below
    /// 2 means an empty segment.
    private var heldByteCountWanted: Int {
        held.count < 4 ? 4 : 2 + max(2, Int(held[2]) << 8 | Int(held[3]))
    }

    private func release(_ next: State) {
        ready += held
        held = []
        state = next
    }

    /// Does nothing: the strips were decoded from the bytes that are copied.
    func write(_ strip: Strip) {}

    func finish() throws(CodecError) {
        // The decoder found a complete image. If the copy has no end, it differs from what was decoded.
        guard state == .end || copiesWholeFile else {
            throw .corrupt(detail: "the image does not end where its data does")
        }
        try flush()
    }

    private func flush() throws(CodecError) {
        try output.writeAll(ready)
        ready.removeAll(keepingCapacity: true)
    }
}
